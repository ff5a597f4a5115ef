package dev.idspring.autoconfigure;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application with an embedded database and {@link IdsJdbcAutoConfiguration}.
 */
abstract class AbstractIdsJdbcTests {

	static final String TABLE = "ids_key_space";

	final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	static Long nextOrdinal(AssertableApplicationContext context, String table) {
		return context.getBean(JdbcTemplate.class)
			.queryForObject("select next_ordinal from " + table + " where name = 'default'", Long.class);
	}

	static HikariDataSource h2(String name) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl("jdbc:h2:mem:" + name + "-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
		return dataSource;
	}

	/**
	 * A separate DataSource for ids, in addition to that of the application.
	 */
	@Configuration(proxyBeanMethods = false)
	static class SeparateIdsDataSource {

		@Bean(defaultCandidate = false)
		@IdsDataSource
		DataSource idsDataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL("jdbc:h2:mem:own" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
			return dataSource;
		}

	}

}
