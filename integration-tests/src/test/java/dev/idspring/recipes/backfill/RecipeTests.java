package dev.idspring.recipes.backfill;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import dev.idspring.integration.recipes.Recipe;
import dev.idspring.testsupport.ChildProcess;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeTests {

	@TempDir
	private Path directory;

	@Test
	void allRowsGetACode() throws Exception {
		TestDatabase database = TestDatabase.postgresql();
		Recipe recipe = Recipe.of(RecipeTests.class, "A public code for existing rows");
		List<String> sql = recipe.examples("sql");
		database.execute("create table product (id bigserial primary key, name varchar(255))",
				"insert into product (name) select 'Old ' || n from generate_series(1, 700) n", sql.get(0));
		String[] connection = { "--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password() };
		try (ConfigurableApplicationContext context = recipe.start(this.directory, connection)) {
			Products products = context.getBean(Products.class);
			assertThat(products.save(new Product("New")).code).hasSize(8);
			backfill(recipe, connection);
			database.execute(sql.get(1));
			assertThat(context.getBean(JdbcClient.class)
				.sql("select count(distinct code) from product where length(code) = 8")
				.query(Integer.class)
				.single()).isEqualTo(701);
			assertThat(products.findAll()).hasSize(701).allMatch((product) -> product.code != null);
		}
	}

	/**
	 * Run the command in a separate process, because a command ends its process.
	 */
	private void backfill(Recipe recipe, String... connection) throws Exception {
		List<String> arguments = new ArrayList<>(List.of(connection));
		arguments.add("--spring.config.location=" + this.directory.toUri());
		Pattern.compile("--\\S+")
			.matcher(recipe.examples("shell").get(0))
			.results()
			.forEach((argument) -> arguments.add(argument.group()));
		Process process = ChildProcess.of(Application.class, arguments.toArray(String[]::new))
			.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("output").toFile())
			.start();
		assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as(Files.readString(this.directory.resolve("output"))).isZero();
	}

	@SpringBootApplication
	static class Application {

		public static void main(String[] args) {
			SpringApplication.run(Application.class, args);
		}

	}

}
