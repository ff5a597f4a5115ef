package dev.idspring.integration.r2dbc;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Blog {

	private final Posts posts;

	private final Comments comments;

	Blog(Posts posts, Comments comments) {
		this.posts = posts;
		this.comments = comments;
	}

	@Transactional
	Mono<Post> publish(String author, String title, String... remarks) {
		return this.posts.save(new Post(author, title))
			.flatMap((post) -> this.comments
				.saveAll(Flux.fromArray(remarks).map((remark) -> new Comment(post.id(), remark)))
				.then(Mono.just(post)));
	}

}
