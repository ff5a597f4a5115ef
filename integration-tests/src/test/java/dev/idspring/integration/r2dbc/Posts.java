package dev.idspring.integration.r2dbc;

import reactor.core.publisher.Flux;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

interface Posts extends ReactiveCrudRepository<Post, Long> {

	Flux<Post> findByAuthor(String author);

}
