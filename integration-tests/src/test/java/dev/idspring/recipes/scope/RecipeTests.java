package dev.idspring.recipes.scope;

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
	void requestsDrawNumbersOfTheirTenant() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "Numbers for the tenant of the request");
		try (ConfigurableApplicationContext context = recipe.start(this.directory)) {
			WebTestClient client = Recipe.client(context);
			assertOpened(client, "acme", "acme-0001");
			assertOpened(client, "acme", "acme-0002");
			assertOpened(client, "globex", "globex-0001");
			client.post().uri("/tickets").exchange().expectStatus().is5xxServerError();
			assertThat(context.getBean(Tickets.class).count()).isEqualTo(3);
		}
	}

	private static void assertOpened(WebTestClient client, String tenant, String number) {
		client.post().uri("/tickets").header("X-Tenant", tenant).exchange().expectBody(String.class).isEqualTo(number);
	}

}
