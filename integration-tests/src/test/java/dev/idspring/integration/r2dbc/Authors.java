package dev.idspring.integration.r2dbc;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

interface Authors extends ReactiveCrudRepository<Author, String> {

}
