package dev.idspring.redistests;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application without a database.
 */
@SpringBootApplication
@RestController
class RedisApplication {

	private final IdGenerator ids;

	private final IdGenerators generators;

	RedisApplication(IdGenerator ids, IdGenerators generators) {
		this.ids = ids;
		this.generators = generators;
	}

	@GetMapping("/next")
	String next() {
		return this.ids.nextString();
	}

	@GetMapping("/next/{generator}")
	String next(@PathVariable String generator) {
		return this.generators.get(generator).nextString();
	}

	public static void main(String[] arguments) {
		SpringApplication.run(RedisApplication.class, arguments);
	}

}
