package dev.idspring.integration.r2dbc;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.testsupport.TestDatabase;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts the blog application.
 */
final class BlogContext {

	private BlogContext() {
	}

	static ConfigurableApplicationContext start(TestDatabase database, Class<?>[] sources, String... properties) {
		return start(database, database, sources, properties);
	}

	static ConfigurableApplicationContext start(TestDatabase database, TestDatabase ids, Class<?>[] sources,
			String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--spring.r2dbc.url=" + r2dbcUrl(database), "--spring.r2dbc.username=" + database.username(),
						"--spring.r2dbc.password=" + database.password(), "--spring.r2dbc.pool.max-size=16",
						"--blog.ids-database.jdbc-url=" + ids.url(), "--blog.ids-database.username=" + ids.username(),
						"--blog.ids-database.password=" + ids.password(), "--ids.generators.codes.strategy=coprime",
						"--ids.generators.codes.coprime.alphabet=base36", "--ids.generators.codes.coprime.length=8"));
		arguments.addAll(List.of(properties));
		return new SpringApplicationBuilder(sources).web(WebApplicationType.NONE).run(arguments.toArray(String[]::new));
	}

	/**
	 * Return the R2DBC URL of a database.
	 */
	private static String r2dbcUrl(TestDatabase database) {
		String url = database.url().substring("jdbc:".length());
		if (url.startsWith("h2:mem:")) {
			return "r2dbc:h2:mem:///" + url.substring("h2:mem:".length()).replaceFirst(";", "?options=");
		}
		return "r2dbc:" + url;
	}

}
