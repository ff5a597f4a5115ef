package dev.idspring.integration.r2dbc;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

interface Comments extends ReactiveCrudRepository<Comment, Long> {

}
