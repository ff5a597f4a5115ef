package dev.idspring.integration.jdbc;

import org.springframework.data.repository.ListCrudRepository;

interface Products extends ListCrudRepository<Product, String> {

}
