package dev.idspring.recipes.tenants;

import java.nio.file.Path;

import dev.idspring.integration.recipes.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeTests {

	@TempDir
	private Path directory;

	@Test
	void eachSchemaHasTheRowsOfItsTenant() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "A schema per tenant");
		try (ConfigurableApplicationContext context = recipe.start(this.directory)) {
			Notes notes = context.getBean(Notes.class);
			assertThat(Tenants.call("acme", () -> notes.save(new Note("Call Ada"))).id).isEqualTo(1);
			assertThat(Tenants.call("globex", () -> notes.save(new Note("Call Grace"))).id).isEqualTo(2);
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			assertThat(jdbc.sql("select words from acme.note").query(String.class).list()).containsExactly("Call Ada");
			assertThat(jdbc.sql("select words from globex.note").query(String.class).list())
				.containsExactly("Call Grace");
			long rows = Tenants.call("acme", notes::count);
			assertThat(rows).isEqualTo(1);
		}
	}

}
