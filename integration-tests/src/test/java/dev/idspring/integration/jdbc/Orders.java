package dev.idspring.integration.jdbc;

import org.springframework.data.repository.ListCrudRepository;

interface Orders extends ListCrudRepository<Order, Long> {

}
