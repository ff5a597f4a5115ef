package dev.idspring.integration.shutdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that entities get ids when a bean saves them during its own destruction.
 */
class LastSaveTests {

	/**
	 * The names of saves that are not registered with {@link LastSaves#onDestruction}.
	 */
	private static final List<String> UNREGISTERED_NAMES = List.of("provider", "generatorsProvider", "scopesProvider",
			"lazyIds", "lifecycle");

	/** The names of saves that only draw an id. */
	private static final List<String> NAMES_WITHOUT_ROW = List.of("injected", "lookedUp", "scoped", "provider",
			"generatorsProvider", "scopesProvider", "lazyIds");

	private final TestDatabase database = TestDatabase.h2();

	private final LastSaves saves = new LastSaves();

	@BeforeEach
	void createTables() {
		this.database.execute(LateSavingShop.CREATE_TABLES);
	}

	@ParameterizedTest
	@EnumSource
	@FewInvocations(1)
	void beansOfAClosingContextCanSave(Connection connection) {
		start(LateSavingShop.class, "--ids.jdbc.connection=" + connection).close();
		assertAllSaved();
	}

	@Test
	@Tag("wide")
	void lazyBeansOfAClosingContextCanSave() {
		ConfigurableApplicationContext context = start(LateSavingShop.class, "--spring.main.lazy-initialization=true");
		context.getBeansOfType(DisposableBean.class);
		context.getBean(LateSavingShop.Providers.class);
		context.close();
		assertAllSaved();
	}

	@Test
	@Tag("wide")
	void beansOfAContextThatFailsToStartCanSave() {
		assertThatException()
			.isThrownBy(() -> start(null, new Class<?>[] { LateSavingShop.class, FailingStartup.class }))
			.withMessageContaining("This is a test");
		List<String> names = new ArrayList<>(this.saves.registeredNames());
		names.addAll(UNREGISTERED_NAMES);
		names.remove("lifecycle");
		assertSaved(names);
	}

	@ParameterizedTest
	@EnumSource
	@FewInvocations(1)
	void entitiesInASecondDatabaseGetIdsUntilItsPoolCloses(Connection connection) {
		start(TwoDatabaseShop.class, "--ids.jdbc.connection=" + connection).close();
		assertSaved(List.of("jpaNoteRepository"));
	}

	@Test
	void r2dbcEntitiesGetIdsUntilThePoolCloses() {
		String name = this.database.url().substring("jdbc:h2:mem:".length()).replaceFirst(";.*", "");
		start(LateSavingBlog.class, "--spring.r2dbc.url=r2dbc:h2:mem:///" + name, "--spring.r2dbc.username=sa").close();
		assertSaved(List.of("r2dbcRepository", "r2dbcTemplate"));
	}

	/**
	 * Uses the default generator of the parent context, or one of the child context that
	 * uses the database of the parent.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@FewInvocations(1)
	void beansOfAClosingChildContextCanSave(boolean parentHasGenerators) {
		try (ConfigurableApplicationContext parent = start(Parent.class, "--ids.enabled=" + parentHasGenerators)) {
			start(parent, new Class<?>[] { LateSavingShop.class }).close();
		}
		assertAllSaved();
	}

	private ConfigurableApplicationContext start(Class<?> application, String... properties) {
		return start(null, new Class<?>[] { application }, properties);
	}

	private ConfigurableApplicationContext start(@Nullable ConfigurableApplicationContext parent, Class<?>[] sources,
			String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--spring.datasource.url=" + this.database.url(),
				"--spring.datasource.username=" + this.database.username()));
		arguments.addAll(List.of(LateSavingShop.ARGUMENTS));
		if (sources[0] != LateSavingBlog.class) {
			arguments.addAll(List.of(LateSavingShop.GAPLESS_ARGUMENTS));
		}
		arguments.addAll(List.of(properties));
		SpringApplicationBuilder builder = new SpringApplicationBuilder(sources).web(WebApplicationType.NONE)
			.initializers((context) -> context.getBeanFactory().registerSingleton("lastSaves", this.saves));
		if (parent != null) {
			builder.parent(parent);
		}
		return builder.run(arguments.toArray(String[]::new));
	}

	private void assertAllSaved() {
		List<String> all = new ArrayList<>(this.saves.registeredNames());
		all.addAll(UNREGISTERED_NAMES);
		assertSaved(all);
	}

	private void assertSaved(List<String> names) {
		assertThat(this.saves.results()).containsOnlyKeys(names.toArray(String[]::new));
		assertThat(this.saves.results().values()).hasOnlyElementsOfType(Long.class);
		try (HikariDataSource pool = this.database.pool(1)) {
			JdbcClient client = JdbcClient.create(pool);
			List<Long> ids = client
				.sql("select id from note union all select id from bill union all select id from memo"
						+ " union all select id from letter union all select id from client_row")
				.query(Long.class)
				.list();
			assertThat(ids).hasSize((int) names.stream().filter((name) -> !NAMES_WITHOUT_ROW.contains(name)).count())
				.doesNotHaveDuplicates();
			long next = client.sql("select next_ordinal from ids_key_space where name = 'default'")
				.query(Long.class)
				.single();
			long last = this.saves.results()
				.entrySet()
				.stream()
				.filter((save) -> !save.getKey().toLowerCase(Locale.ROOT).contains("scope"))
				.mapToLong((save) -> (Long) save.getValue())
				.max()
				.orElseThrow();
			assertThat(next).as("unused ids were given back").isEqualTo(last);
		}
	}

	enum Connection {

		DEDICATED, SHARED

	}

	/**
	 * A parent context with a database, and with generators unless they are disabled.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
			IdsAutoConfiguration.class })
	static class Parent {

	}

	@Configuration(proxyBeanMethods = false)
	static class FailingStartup {

		@Bean
		static SmartInitializingSingleton failure() {
			return () -> {
				throw new IllegalStateException("This is a test");
			};
		}

	}

}
