package dev.idspring.recipes.databases;

import java.nio.file.Path;

import com.zaxxer.hikari.HikariDataSource;
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
	void bothDatabasesHaveTheRow() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "Rows in two databases");
		try (ConfigurableApplicationContext context = recipe.start(this.directory, "--spring.sql.init.mode=never")) {
			JdbcClient shop = context.getBean(JdbcClient.class);
			JdbcClient reports = JdbcClient.create(context.getBean("reportsDataSource", HikariDataSource.class));
			shop.sql(recipe.examples("sql").get(0)).update();
			reports.sql(recipe.examples("sql").get(1)).update();
			assertThat(context.getBean(Sales.class).sell(1250)).isEqualTo(1);
			assertThat(context.getBean(Sales.class).sell(990)).isEqualTo(2);
			assertThat(shop.sql("select sum(cents) from sale").query(Integer.class).single()).isEqualTo(2240);
			assertThat(reports.sql("select id from sale_report").query(Integer.class).list()).containsExactly(1, 2);
			String tables = "select count(*) from information_schema.tables where table_name = 'IDS_KEY_SPACE'";
			assertThat(shop.sql(tables).query(Integer.class).single()).isEqualTo(1);
			assertThat(reports.sql(tables).query(Integer.class).single()).isZero();
		}
	}

}
