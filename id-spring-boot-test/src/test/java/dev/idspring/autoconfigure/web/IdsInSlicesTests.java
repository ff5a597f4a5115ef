package dev.idspring.autoconfigure.web;

import dev.idspring.annotation.IdAsString;
import dev.idspring.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests ids in the requests and the JSON of a web slice.
 */
@WebMvcTest
@AutoConfigureTestIds
class IdsInSlicesTests {

	@Test
	void requestsAndJsonContainIdsAsText(@Autowired MockMvcTester mvc) {
		assertThat(mvc.get().uri("/orders/000010")).hasStatusOk().bodyJson().isEqualTo("{\"id\":\"000010\"}");
		assertThat(mvc.get().uri("/orders/62")).hasStatus(400);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@RestController
	static class Controller {

		@GetMapping("/orders/{id}")
		View view(@PathVariable @IdAsString long id) {
			return new View(id);
		}

	}

	record View(@IdAsString long id) {

	}

}
