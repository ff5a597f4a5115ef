package dev.idspring.integration.jpa;

import org.springframework.data.jpa.repository.JpaRepository;

interface Customers extends JpaRepository<Customer, Long> {

}
