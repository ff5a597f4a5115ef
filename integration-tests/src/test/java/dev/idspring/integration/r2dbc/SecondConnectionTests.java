package dev.idspring.integration.r2dbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.autoconfigure.JdbcSchemaInitializer;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests the JDBC connection for ids in an application with R2DBC.
 */
@Tag("wide")
@ExtendWith(OutputCaptureExtension.class)
class SecondConnectionTests {

	private final TestDatabase database = TestDatabase.h2();

	@Test
	void missingSecondConnectionMakesStartupFailWithARemedy(CapturedOutput output) {
		this.database.execute(BlogApplication.CREATE_TABLES);
		Throwable failure = catchThrowable(() -> start(BlogApplication.class));
		assertThat(failure).rootCause()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContaining("R2DBC ConnectionFactory")
			.hasMessageContaining("@Bean(defaultCandidate = false) @IdsDataSource DataSource");
		assertThat(output).contains("APPLICATION FAILED TO START").contains("Spring Boot creates none if");
	}

	@Test
	void inMemoryStoreNeedsNoSecondConnection() {
		this.database.execute(BlogApplication.CREATE_TABLES);
		try (ConfigurableApplicationContext context = start(BlogApplication.class, "--ids.store=memory")) {
			assertThat(context.getBean(IdGenerator.class).nextString()).hasSize(6);
		}
	}

	/**
	 * If the DataSource were a default candidate, Spring Boot would create a second
	 * transaction manager for it, and {@code @Transactional} would be ambiguous.
	 */
	@Test
	void secondConnectionIsUsedForIdsOnly() {
		this.database.execute(BlogApplication.CREATE_TABLES);
		try (ConfigurableApplicationContext context = start(IdsConnection.class)) {
			assertThat(context.getBeansOfType(TransactionManager.class)).hasSize(1);
			assertThat(context.getBeansOfType(JdbcTemplate.class)).isEmpty();
			assertThat(context.getBeansOfType(JdbcKeySpaceStore.class)).hasSize(1);
		}
	}

	@Test
	void schemaIsInitializedThroughTheSecondConnection() {
		this.database.execute(BlogApplication.CREATE_TABLES);
		try (ConfigurableApplicationContext context = start(IdsConnection.class)) {
			// by default, tables are created in embedded databases such as H2 in memory
			assertThat(context.getBeansOfType(JdbcSchemaInitializer.class)).hasSize(1);
			assertThat(context.getBean(IdGenerator.class).nextLong()).isZero();
		}
		Throwable failure = catchThrowable(() -> {
			TestDatabase empty = TestDatabase.h2();
			BlogContext
				.start(empty, new Class<?>[] { BlogApplication.class, IdsConnection.class },
						"--ids.jdbc.initialize-schema=never")
				.close();
		});
		assertThat(failure).hasStackTraceContaining(IdSetupException.class.getName())
			.hasStackTraceContaining("ids.jdbc.initialize-schema");
	}

	@Test
	void schemaIsInitializedOnPostgresqlIfConfigured() {
		TestDatabase postgresql = TestDatabase.postgresql();
		Class<?>[] sources = { BlogApplication.class, IdsConnection.class };
		Throwable failure = catchThrowable(() -> BlogContext.start(postgresql, sources).close());
		assertThat(failure).hasStackTraceContaining(IdSetupException.class.getName())
			.hasStackTraceContaining("ids.jdbc.initialize-schema");
		try (ConfigurableApplicationContext context = BlogContext.start(postgresql, sources,
				"--ids.jdbc.initialize-schema=always")) {
			assertThat(context.getBean(IdGenerator.class).nextLong()).isZero();
		}
	}

	@Test
	void secondConnectionCanBelongToAnotherDatabase() {
		this.database.execute(BlogApplication.CREATE_TABLES);
		TestDatabase other = TestDatabase.h2();
		try (ConfigurableApplicationContext context = BlogContext.start(this.database, other,
				new Class<?>[] { BlogApplication.class, IdsConnection.class })) {
			assertThat(context.getBean(Posts.class).save(new Post("ada", "title")).block().id()).isPositive();
			try (HikariDataSource pool = other.pool(1)) {
				assertThat(JdbcClient.create(pool).sql("select name from ids_key_space").query(String.class).list())
					.containsExactly("codes", "default");
			}
		}
	}

	private ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
		return BlogContext.start(this.database, new Class<?>[] { BlogApplication.class, configuration }, properties);
	}

}
