package dev.idspring.recipes.code;

import java.nio.file.Path;
import java.util.List;

import dev.idspring.integration.recipes.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeTests {

	private static final Recipe RECIPE = Recipe.of(RecipeTests.class, "A public code beside the primary key");

	@TempDir
	private Path directory;

	@Test
	void findsTheRowByItsCode() throws Exception {
		try (ConfigurableApplicationContext context = RECIPE.start(this.directory)) {
			Bookings bookings = context.getBean(Bookings.class);
			List<Booking> saved = bookings.saveAll(List.of(new Booking("Ada"), new Booking("Grace")));
			assertThat(saved).extracting((booking) -> booking.id).containsExactly(1L, 2L);
			assertThat(saved).extracting((booking) -> booking.code)
				.doesNotHaveDuplicates()
				.allMatch((code) -> code.matches("\\w{8}"));
			assertThat(bookings.findByCode(saved.get(1).code).orElseThrow().guest).isEqualTo("Grace");
		}
	}

	@Test
	void sliceTestHasFixedIds() throws Exception {
		assertThat(Recipe.of(RecipeTests.class, "Fixed ids in tests").text())
			.contains(BookingsTests.class.getSimpleName());
		RECIPE.write(this.directory);
		System.setProperty("spring.config.location", this.directory.toUri().toString());
		try {
			EngineTestKit.engine("junit-jupiter")
				.selectors(DiscoverySelectors.selectClass(BookingsTests.class))
				.execute()
				.testEvents()
				.assertStatistics((statistics) -> statistics.succeeded(1).failed(0));
		}
		finally {
			System.clearProperty("spring.config.location");
		}
	}

}
