package dev.idspring.integration.jpa;

import org.springframework.data.jpa.repository.JpaRepository;

interface Orders extends JpaRepository<CustomerOrder, Long> {

}
