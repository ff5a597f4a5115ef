package dev.idspring.annotation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataR2dbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.RequiresSpringBoot;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.PostgresDialect;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mockito.Mockito.mock;

/**
 * Tests that startup fails if only the database can fill a column. The error must suggest
 * statements that make the column accept ids.
 */
class GeneratedColumnsTests {

	private static final Pattern STATEMENTS = Pattern.compile("Run: (.*;) Alternatively, remove @GeneratedId");

	private static ApplicationContextRunner runner(TestDatabase database) {
		// by default, Spring Boot connects to embedded databases as another user, and
		// Derby would use the schema of that user
		String username = database.username().isEmpty() ? "APP" : database.username();
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + database.url(), "spring.datasource.username=" + username,
					"spring.datasource.password=" + database.password(), "ids.jdbc.initialize-schema=always",
					"ids.strategy=sequential", "ids.sequential.end=2147483647",
					"ids.generators.codes.strategy=sequential", "ids.verify-column=none");
	}

	private static ApplicationContextRunner dataJdbc(TestDatabase database, Class<?> entity) {
		return runner(database).withConfiguration(AutoConfigurations.of(IdsDataJdbcAutoConfiguration.class))
			.withBean(JdbcMappingContext.class, () -> {
				JdbcMappingContext mappings = new JdbcMappingContext();
				mappings.getRequiredPersistentEntity(entity);
				return mappings;
			});
	}

	private static ApplicationContextRunner jpa(TestDatabase database) {
		return runner(database)
			.withConfiguration(
					AutoConfigurations.of(HibernateJpaAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
			.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(Owner.class.getName()))
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=none");
	}

	/**
	 * Execute the statements that the startup failure suggests, and verify that the
	 * application then starts.
	 */
	private static void assertSuggestionWorks(TestDatabase database, ApplicationContextRunner runner,
			String... messageParts) {
		runner.run((context) -> {
			assertThat(context).hasFailed()
				.getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContainingAll(messageParts);
			Matcher statements = STATEMENTS.matcher(context.getStartupFailure().getMessage());
			assertThat(statements.find()).as(context.getStartupFailure().getMessage()).isTrue();
			for (String statement : statements.group(1).split("; ?")) {
				database.execute(statement);
			}
		});
		runner.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "H2, bigint", "POSTGRESQL, integer", "H2, integer", "POSTGRESQL, bigint", "HSQLDB, bigint",
			"HSQLDB, integer", "HSQLDB, decimal(18)", "DERBY, bigint" })
	@FewInvocations(1)
	void identityColumnAcceptsIdsAfterTheSuggestedStatement(Kind kind, String type) {
		TestDatabase database = kind.create();
		database.execute("create table clinic (id " + type + " generated always as identity primary key, name int)",
				"insert into clinic (name) values (1)");
		assertSuggestionWorks(database, dataJdbc(database, Clinic.class),
				"clinic.id (" + Clinic.class.getName() + ".id) is GENERATED ALWAYS AS IDENTITY",
				"does not store the ids of generator 'default'", "Run: alter table clinic alter column id ");
		database.execute("insert into clinic (id, name) values (77, 1)", "insert into clinic (name) values (2)");
		assertThatIllegalStateException()
			.isThrownBy(() -> database.execute("insert into clinic (id, name) values (77, 1)"));
	}

	@Test
	void identityColumnIsRejectedIfH2KeepsTheCaseOfNames() {
		TestDatabase database = TestDatabase.h2().withUrlSuffix(";DATABASE_TO_UPPER=false");
		database.execute("create table clinic (id bigint generated always as identity primary key)");
		assertSuggestionWorks(database, dataJdbc(database, Clinic.class), "is GENERATED ALWAYS AS IDENTITY");
	}

	@ParameterizedTest
	@CsvSource({ "H2, generated by default as identity", "POSTGRESQL, default 7", "MARIADB, auto_increment",
			"POSTGRESQL, generated by default as identity", "HSQLDB, generated by default as identity",
			"DERBY, generated by default as identity", "DERBY, default 7", "MYSQL_DRIVER, auto_increment",
			"SQLITE, default 7" })
	@FewInvocations(1)
	void startupSucceedsWhenAColumnHasADefault(Kind kind, String clause) {
		TestDatabase database = kind.create();
		database.execute("create table clinic (id bigint " + clause + " not null primary key)");
		dataJdbc(database, Clinic.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "H2, bigint, ''", "POSTGRESQL, bigint, stored", "MARIADB, bigint, virtual",
			"POSTGRESQL, bigint, virtual", "MARIADB, bigint, stored", "MYSQL_DRIVER, bigint, stored",
			"HSQLDB, bigint, ''", "DERBY, bigint, ''", "SQLITE, bigint, virtual", "SQLITE, bigint, stored" })
	@FewInvocations(1)
	void computedColumnAcceptsIdsAfterTheSuggestedStatement(Kind kind, String type, String storage) {
		TestDatabase database = kind.create();
		assumeVirtualColumnsAreSupported(database, storage);
		database.execute("create table ticket (id bigint not null primary key, code " + type
				+ " generated always as (id + 1) " + storage + ")", "insert into ticket (id) values (1)");
		assertSuggestionWorks(database, dataJdbc(database, Ticket.class),
				"ticket.code (" + Ticket.class.getName() + ".code) is GENERATED ALWAYS:",
				"does not store the ids of generator 'codes'");
		database.execute("insert into ticket (id, code) values (2, 77)");
		try (HikariDataSource pool = database.pool(1)) {
			assertThat(new JdbcTemplate(pool).queryForObject("select code from ticket where id = 2", Long.class))
				.isEqualTo(77);
		}
	}

	private static void assumeVirtualColumnsAreSupported(TestDatabase database, String storage) {
		if (database.platform().equals("postgresql") && storage.equals("virtual")) {
			try (HikariDataSource pool = database.pool(1)) {
				assumeTrue(new JdbcTemplate(pool).queryForObject("show server_version_num", Integer.class) >= 180_000,
						"PostgreSQL supports virtual columns since version 18");
			}
		}
	}

	@Test
	void suggestedStatementKeepsTheCollationOfAComputedTextColumn() {
		TestDatabase database = TestDatabase.mariadb();
		database.execute("create table voucher (id bigint not null primary key, code varchar(20) character set ascii"
				+ " collate ascii_bin generated always as (concat('no ', id, ' GENERATED ALWAYS AS (')) stored)");
		assertSuggestionWorks(database, dataJdbc(database, Voucher.class),
				"Run: alter table voucher modify code varchar(20)" + " CHARACTER SET ascii COLLATE ascii_bin;");
	}

	@RequiresSpringBoot(version = "4.0", because = "Spring Boot 3.5's naming strategy changes quoted names, too")
	@ParameterizedTest
	@FewInvocations(1)
	@Databases({ Kind.H2, Kind.HSQLDB, Kind.POSTGRESQL })
	void hibernateInsertsEntitiesAfterTheSuggestedStatement(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create schema \"My shop\"",
				"create table \"My shop\".\"Owners\" (\"Key\" integer generated always as identity primary key)");
		assertSuggestionWorks(database, jpa(database),
				"\"My shop\".\"Owners\".\"Key\" (" + Owner.class.getName() + ".id) is GENERATED ALWAYS AS IDENTITY");
		jpa(database).run((context) -> {
			Owner owner = new Owner();
			context.getBean(EntityManagerFactory.class).runInTransaction((entities) -> entities.persist(owner));
			assertThat(owner.id).isEqualTo(1);
		});
	}

	@Test
	void verifiesEntitiesOfSpringDataR2dbc() {
		TestDatabase database = TestDatabase.postgresql();
		database.execute("create table \"clinic\" (\"id\" bigint generated always as identity primary key)");
		assertSuggestionWorks(database,
				runner(database).withConfiguration(AutoConfigurations.of(IdsDataR2dbcAutoConfiguration.class))
					.withBean(R2dbcMappingContext.class, () -> {
						R2dbcMappingContext mappings = R2dbcMappingContext.forQuotedIdentifiers();
						mappings.getRequiredPersistentEntity(Clinic.class);
						return mappings;
					})
					.withBean(R2dbcEntityTemplate.class,
							() -> new R2dbcEntityTemplate(mock(DatabaseClient.class), PostgresDialect.INSTANCE)),
				"is GENERATED ALWAYS AS IDENTITY");
	}

	@Entity(name = "NumberedOwner")
	@Table(name = "`Owners`", schema = "`My shop`")
	static class Owner {

		@Id
		@GeneratedId
		@jakarta.persistence.Column(name = "`Key`")
		Integer id;

	}

	record Clinic(@org.springframework.data.annotation.Id @GeneratedId Integer id) {

	}

	record Ticket(@org.springframework.data.annotation.Id Long id, @GeneratedId("codes") Long code) {

	}

	record Voucher(@org.springframework.data.annotation.Id Long id, @GeneratedId("codes") String code) {

	}

}
