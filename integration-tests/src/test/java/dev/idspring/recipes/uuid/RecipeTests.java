package dev.idspring.recipes.uuid;

import java.nio.file.Path;

import dev.idspring.integration.recipes.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;

class RecipeTests {

	@TempDir
	private Path directory;

	@Test
	void customersSeeTheTextFormAndPartnersSeeTheUuidOfTheSameKey() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "A UUID in one place, a short id in another");
		try (ConfigurableApplicationContext context = recipe.start(this.directory)) {
			Parcel saved = context.getBean(Parcels.class).save(new Parcel("London"));
			WebTestClient client = Recipe.client(context);
			client.get()
				.uri("/parcels/000001")
				.exchange()
				.expectBody()
				.json("{\"id\":\"000001\",\"address\":\"London\"}");
			client.get()
				.uri("/partners/parcels/" + saved.id)
				.exchange()
				.expectBody()
				.json("{\"id\":\"" + saved.id + "\",\"address\":\"London\"}");
			client.get().uri("/parcels/000002").exchange().expectStatus().isNotFound();
		}
	}

}
