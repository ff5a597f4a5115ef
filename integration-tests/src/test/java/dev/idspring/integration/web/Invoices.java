package dev.idspring.integration.web;

import org.springframework.data.jpa.repository.JpaRepository;

interface Invoices extends JpaRepository<Invoice, Long> {

}
