package dev.idspring.recipes.invoices;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;

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
	void eachTenantHasGaplessNumbers() throws Exception {
		Recipe recipe = Recipe.of(RecipeTests.class, "Invoice numbers per tenant and year");
		try (ConfigurableApplicationContext context = recipe.start(this.directory)) {
			Invoices invoices = context.getBean(Invoices.class);
			int year = LocalDate.now(ZoneId.of("Europe/Berlin")).getYear();
			assertThat(invoices.issue("acme", 100)).isEqualTo("INV-acme-" + year + "-00001");
			assertThat(invoices.issue("acme", 200)).isEqualTo("INV-acme-" + year + "-00002");
			assertThat(invoices.issue("globex", 300)).isEqualTo("INV-globex-" + year + "-00001");
			assertThat(context.getBean(JdbcClient.class)
				.sql("select sum(cents) from invoice")
				.query(Integer.class)
				.single()).isEqualTo(600);
		}
	}

}
