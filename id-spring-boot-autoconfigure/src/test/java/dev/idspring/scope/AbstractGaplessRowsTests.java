package dev.idspring.scope;

import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdScopeResolver;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.testsupport.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Applications with two DataSources: gapless numbers are drawn from the sequence of
 * DataSource 'numbers', and DataSource 'rows' has no sequence. The tests are in a
 * separate package, because the applications of other tests scan their own packages for
 * entities.
 */
abstract class AbstractGaplessRowsTests {

	static final String NUMBERS = "numbers";

	static final String ROWS = "rows";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, TransactionAutoConfiguration.class,
				IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
		.withUserConfiguration(DataSources.class)
		.withBean(IdScopeResolver.class, () -> (generator) -> List.of("acme"))
		.withPropertyValues("ids.jdbc.initialize-schema=always", "ids.strategy=sequential",
				"ids.generators.invoices.strategy=gapless");

	ApplicationContextRunner runner(boolean scoped) {
		return this.runner.withPropertyValues("ids.generators.invoices.scoped=" + scoped);
	}

	static void inTransaction(String dataSource, ApplicationContext context, Consumer<EntityManager> work) {
		inTransaction(dataSource, TransactionDefinition.PROPAGATION_REQUIRED, context, work);
	}

	static void inTransaction(String dataSource, int propagation, ApplicationContext context,
			Consumer<EntityManager> work) {
		TransactionTemplate transaction = new TransactionTemplate(
				context.getBean(dataSource + "Manager", PlatformTransactionManager.class));
		transaction.setPropagationBehavior(propagation);
		transaction.executeWithoutResult((status) -> work
			.accept(context.containsBean(dataSource + "Unit") ? entities(dataSource, context) : null));
	}

	@SuppressWarnings("NullAway")
	private static EntityManager entities(String dataSource, ApplicationContext context) {
		return EntityManagerFactoryUtils
			.getTransactionalEntityManager(context.getBean(dataSource + "Unit", EntityManagerFactory.class));
	}

	static List<Long> insertedNumbers(String dataSource, ApplicationContext context) {
		return new JdbcTemplate(context.getBean(dataSource, DataSource.class))
			.queryForList("select number from invoice order by number", Long.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class DataSources {

		@Bean
		@Primary
		HikariDataSource numbers() {
			return TestDatabase.h2().pool(5);
		}

		@Bean
		HikariDataSource rows() {
			return TestDatabase.h2().pool(5);
		}

	}

}
