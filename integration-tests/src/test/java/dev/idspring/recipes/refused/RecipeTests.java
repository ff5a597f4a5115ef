package dev.idspring.recipes.refused;

import java.nio.file.Path;

import dev.idspring.integration.recipes.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeTests {

	@TempDir
	private Path directory;

	@Test
	void invalidIdIsReportedAsAProblemDetail() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "Return 400 for an invalid id");
		try (ConfigurableApplicationContext context = recipe.start(this.directory)) {
			WebTestClient client = Recipe.client(context);
			assertProblem(recipe, client.get().uri("/seats/0000019").exchange());
			assertProblem(recipe, reserve(client, "{\"seat\":\"0000019\"}"));
			reserve(client, "{\"seat\":1}").expectStatus().isBadRequest();
			reserve(client, "{\"seat\":\"000001X\"}").expectBody(String.class).isEqualTo("Reserved number 1");
			client.get().uri("/seats/000001X").exchange().expectBody(String.class).isEqualTo("Seat number 1");
		}
	}

	private static ResponseSpec reserve(WebTestClient client, String body) {
		return client.post().uri("/seats").header("Content-Type", "application/json").bodyValue(body).exchange();
	}

	private static void assertProblem(Recipe recipe, ResponseSpec response) {
		response.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType("application/problem+json")
			.expectBody(String.class)
			.value((body) -> assertThat(recipe.examples("console").get(0).lines()).contains(body));
	}

}
