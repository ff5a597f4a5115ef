package dev.idspring.recipes.prefix;

import java.nio.file.Path;

import dev.idspring.integration.recipes.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeTests {

	@TempDir
	private Path directory;

	@Test
	void urlsAndJsonContainTheTextFormOfTheNumber() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "Ids with a prefix in URLs");
		try (ConfigurableApplicationContext context = recipe.start(this.directory,
				"--ORDERS_SECRET=q1iKUu8YmYxO6yOA7DqDT8qAqYqEKCbWHhpsZ4bcWvE=")) {
			WebTestClient client = Recipe.client(context);
			byte[] placed = client.post()
				.uri("/orders?customer=Ada")
				.exchange()
				.expectBody()
				.returnResult()
				.getResponseBodyContent();
			assertThat(new String(placed)).matches("\\{\"id\":\"ord_\\w{6}\",\"customer\":\"Ada\"}");
			String id = new String(placed).substring(7, 17);
			client.get().uri("/orders/" + id).exchange().expectBody().json(new String(placed));
			assertThat(context.getBean(Orders.class).findById(1L)).isPresent();
			client.get().uri("/orders/1").exchange().expectStatus().isBadRequest();
		}
	}

}
