package dev.idspring.recipes.events;

import java.nio.file.Path;
import java.util.List;

import dev.idspring.IdGenerators;
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
	void eventsContainTheIdsOfTheirRows() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "Ids in events");
		try (ConfigurableApplicationContext context = recipe.start(this.directory)) {
			context.getBean(Checkout.class).place("Ada");
			context.getBean(Checkout.class).place("Grace");
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			List<Long> events = jdbc.sql("select id from outbox order by id").query(Long.class).list();
			List<String> texts = events.stream()
				.map(context.getBean(IdGenerators.class).get("events")::format)
				.toList();
			assertThat(jdbc.sql("select payload from outbox order by id").query(String.class).list()).containsExactly(
					"{\"id\":\"" + texts.get(0) + "\",\"order\":\"1\",\"customer\":\"Ada\"}",
					"{\"id\":\"" + texts.get(1) + "\",\"order\":\"2\",\"customer\":\"Grace\"}");
			assertThat(jdbc.sql("select customer from orders where id = 2").query(String.class).single())
				.isEqualTo("Grace");
		}
	}

}
