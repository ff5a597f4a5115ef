package dev.idspring.recipes.batch;

import java.nio.file.Path;
import java.util.Collections;

import dev.idspring.integration.recipes.Recipe;
import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the recipe with MySQL's driver. If there is no MySQL server, the driver connects
 * to MariaDB.
 */
@Tag("mysql")
class RecipeTests {

	private static final String URL = "jdbc:mysql://localhost/shop?";

	/** The driver's metadata queries do not work with MariaDB. */
	private static final String[] WITHOUT_METADATA = {
			"--spring.jpa.database-platform=org.hibernate.dialect.MySQLDialect",
			"--spring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false" };

	@TempDir
	private Path directory;

	@Test
	void batchIsSentAsOneStatement() throws Exception {
		TestDatabase database = TestDatabase.mysql();
		Recipe recipe = Recipe.of(RecipeTests.class, "Batch inserts on MySQL")
			.with(URL, database.withUrlSuffix("?").url())
			.with("username: shop", "username: " + database.username())
			.with("password: secret", "password: \"" + database.password() + "\"");
		database.execute(recipe.examples("sql").get(0));
		try (ConfigurableApplicationContext context = recipe.start(this.directory,
				GivenServer.MYSQL.isGiven() ? new String[0] : WITHOUT_METADATA)) {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			int statements = new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.execute((status) -> {
					int before = insertCount(jdbc);
					context.getBean(Importer.class).load(Collections.nCopies(1_000, 36.6));
					context.getBean(Measurements.class).flush();
					return insertCount(jdbc) - before;
				});
			assertThat(statements).isEqualTo(10);
			assertThat(jdbc.sql("select count(*) from measurement").query(Integer.class).single()).isEqualTo(1_000);
		}
	}

	private static int insertCount(JdbcClient jdbc) {
		return jdbc.sql("show session status like 'Com_insert'").query((row, number) -> row.getInt(2)).single();
	}

}
