package dev.idspring.recipes.intcolumn;

import java.nio.file.Path;

import dev.idspring.IdGenerator;
import dev.idspring.integration.recipes.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RecipeTests {

	@TempDir
	private Path directory;

	@Test
	void allNumbersFitTheColumn() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "Keys in an INT column");
		try (ConfigurableApplicationContext context = recipe.start(this.directory)) {
			assertThat(context.getBean(Owners.class).save(new Owner("Ada")).id).isEqualTo(1);
			assertThat(context.getBean(JdbcClient.class)
				.sql("select data_type from information_schema.columns where table_name = 'OWNER' and column_name = 'ID'")
				.query(String.class)
				.single()).isEqualTo("INTEGER");
			IdGenerator ids = context.getBean(IdGenerator.class);
			assertThat(ids.format(Integer.MAX_VALUE)).isEqualTo("2147483647");
			assertThatIllegalArgumentException().isThrownBy(() -> ids.format(Integer.MAX_VALUE + 1L));
		}
	}

}
