package dev.idspring.recipes.plain;

import java.nio.file.Path;

import dev.idspring.IdGenerator;
import dev.idspring.integration.recipes.Recipe;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeTests {

	@TempDir
	private Path directory;

	@Test
	void programAndApplicationShareTheKeySpace() throws Exception {
		TestDatabase database = TestDatabase.h2();
		Recipe recipe = Recipe.of(RecipeTests.class, "Ids in a program without Spring Boot");
		try (ConfigurableApplicationContext context = recipe.start(this.directory,
				"--spring.datasource.url=" + database.url(), "--spring.datasource.username=sa")) {
			IdGenerator ids = context.getBean(IdGenerator.class);
			assertThat(ids.nextLong()).isEqualTo(1);
			NightlyImport.main(new String[] { database.url(), "sa", "" });
			assertThat(context.getBean(JdbcClient.class).sql("select id from customer").query(Long.class).list())
				.hasSize(3)
				.doesNotHaveDuplicates()
				.doesNotContain(1L, ids.nextLong());
		}
	}

}
