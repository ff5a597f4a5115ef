package dev.idspring.integration.jpa;

import org.springframework.data.jpa.repository.JpaRepository;

interface Invoices extends JpaRepository<Invoice, Long> {

}
