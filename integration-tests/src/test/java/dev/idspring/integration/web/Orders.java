package dev.idspring.integration.web;

import org.springframework.data.jpa.repository.JpaRepository;

interface Orders extends JpaRepository<Order, Long> {

}
