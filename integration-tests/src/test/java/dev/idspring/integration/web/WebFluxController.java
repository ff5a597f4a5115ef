package dev.idspring.integration.web;

import dev.idspring.annotation.IdAsString;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class WebFluxController {

	@GetMapping("/numbers/{id}")
	Mono<String> number(@PathVariable @IdAsString("orders") long id) {
		return Mono.just("" + id);
	}

	@GetMapping("/typed/{id}")
	Mono<OrderId> typed(@PathVariable OrderId id) {
		return Mono.just(id);
	}

	@PostMapping("/views")
	Mono<OrderView> view(@RequestBody Mono<OrderView> view) {
		return view;
	}

}
