package dev.idspring.annotation;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedIds.IdProperty;
import dev.idspring.autoconfigure.persistence.IdsDataJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataR2dbcAutoConfiguration;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;
import org.hibernate.annotations.NaturalId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.H2Dialect;
import org.springframework.data.r2dbc.dialect.PostgresDialect;
import org.springframework.data.r2dbc.dialect.R2dbcDialect;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests that startup fails if a column of an entity already contains ids that its
 * generator has not issued yet.
 */
@ExtendWith(OutputCaptureExtension.class)
class EntityColumnsTests extends AbstractEntityColumnsTests {

	private static final String ROWS = LongStream.rangeClosed(1, 13)
		.mapToObj((id) -> "(" + id + ")")
		.collect(Collectors.joining(", "));

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void everyStartupFailsWhenRowsAreOlderThanTheKeySpace(Kind kind, CapturedOutput output) {
		TestDatabase database = kind.create();
		database.execute("create table owners (id integer primary key)", "insert into owners values " + ROWS);
		ApplicationContextRunner runner = runner(database, Owner.class);
		for (int start = 0; start < 2; start++) {
			assertStartupFails(runner, "owners.id (" + Owner.class.getName() + ".id) already contains 13",
					"its key space 'default' is new",
					"If another key space has filled the column, set ids.key-space to its name",
					"ids.sequential.start=1000", "ids.key-space", "ids.verify-column=none");
		}
		runner.withPropertyValues("ids.sequential.start=1000", "ids.key-space=owners").run((context) -> {
			Owner owner = new Owner();
			context.getBean(EntityManagerFactory.class).runInTransaction((entities) -> entities.persist(owner));
			assertThat(owner.id).isEqualTo(1000);
			assertThat(output).containsOnlyOnce(" <- id generator 'default'")
				.containsPattern("owners\\.id \\(.*Owner\\.id\\) <- id generator 'default' \\(sequential\\),"
						+ " from 1000 to 2147483647");
		});
		runner.withPropertyValues("ids.verify-column=none").run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(classes = { NaturalBadge.class, ConstrainedBadge.class, IndexedBadge.class })
	void everyUniqueColumnIsSearched(Class<?> entity) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table badges (id bigint primary key, code bigint)",
				"insert into badges values (100, 7)");
		assertStartupFails(runner(database, entity), "badges.code (" + entity.getName() + ".code) already contains 7");
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void startupSucceedsWhenAllRowsHaveIdsOfTheKeySpace(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table owners (id integer primary key)");
		ApplicationContextRunner runner = runner(database, Owner.class);
		for (int start = 0; start < 2; start++) {
			runner.run((first) -> {
				insert(first.getBean(IdGenerator.class), 1_500, database);
				runner.run((second) -> insert(second.getBean(IdGenerator.class), 10, database));
			});
		}
	}

	@Test
	void columnIsVerifiedAgainAfterItsVerificationFailed() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table owners (id bigint primary key)", "insert into owners values " + ROWS);
		runner(database, Pet.class).withPropertyValues("ids.generators.pets.strategy=sequential").run((context) -> {
			IdProperty property = new IdProperty("Owner.id", Long.class, true, context.getBean(DataSource.class),
					List.of(new IdProperty.Column("owners", "id", true)));
			for (int attempt = 0; attempt < 2; attempt++) {
				assertThatExceptionOfType(IdSetupException.class)
					.isThrownBy(() -> context.getBean(GeneratedIds.Check.class)
						.verify(context.getBean(IdGenerator.class), property))
					.withMessageContaining("already contains 13");
			}
		});
	}

	private static void insert(IdGenerator ids, int count, TestDatabase database) {
		database.execute("insert into owners values " + Arrays.stream(ids.nextLongs(count))
			.mapToObj((id) -> "(" + id + ")")
			.collect(Collectors.joining(", ")));
	}

	@Test
	void startupFailsWhenTheStoreWentBackwards() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table owners (id integer primary key)");
		ApplicationContextRunner runner = runner(database, Owner.class);
		runner.run((context) -> insert(context.getBean(IdGenerator.class), 3_000, database));
		database.execute("update ids_key_space set next_ordinal = 2000");
		assertStartupFails(runner, "already contains 3000", "If a backup was restored or",
				"ids.verify-column=owners.id");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "sequential | run java -jar <application>.jar --ids.command=skip-ahead",
			"gapless | stop all instances, and set next_value to 3001 where name is 'default'" })
	void remedySkipsIdsIfVerifyColumnCannotNameTheColumn(String strategy, String remedy) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table \"order items\" (id bigint primary key)");
		ApplicationContextRunner runner = runner(database, Item.class).withPropertyValues("ids.strategy=" + strategy);
		runner.run((context) -> assertThat(context).hasNotFailed());
		database.execute("update ids_key_space set next_ordinal = 2000", "update ids_gapless set next_value = 2000",
				"insert into \"order items\" select x from system_range(1, 3000)");
		assertStartupFails(runner, "\"order items\".id (" + Item.class.getName() + ".id) already contains 3000",
				"If a backup was restored or a lagging replica was promoted, " + remedy,
				"With ids.verify-column=none, the column is not verified");
	}

	@ParameterizedTest
	@CsvSource({ "1500000000, 2147483647, ', such as ids.sequential.start=1500000001, and set'",
			"1800000000000000000, 9223372036854775806, ', such as ids.sequential.start=1800000000000000001, and set'",
			"2147483647, 2147483647, 'set a start above all rows, and set'" })
	void suggestedStartIsAboveAllRowsAndNotBeyondTheEnd(long key, long end, String expected) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table badges (id bigint primary key)", "insert into badges values (" + key + ")");
		assertStartupFails(runner(database, LongBadge.class).withPropertyValues("ids.sequential.end=" + end), expected);
	}

	@ParameterizedTest
	@CsvSource({ "MARIADB, binary(16)", "H2, uuid", "H2, binary(16)", "HSQLDB, uuid", "POSTGRESQL, uuid",
			"MARIADB, uuid", "MARIADB, char(36)", "MARIADB, varbinary(16)" })
	@FewInvocations(2)
	void startupFailsWhenAUuidIsAheadOfTheKeySpace(Kind kind, String type) {
		TestDatabase database = kind.create();
		database.execute("create table badges (id " + type + " primary key)");
		ApplicationContextRunner runner = runner(database, Badge.class);
		AtomicReference<String> drawn = new AtomicReference<>();
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			String uuid = context.getBean(IdGenerator.class).nextUuid().toString();
			drawn.set(uuid);
			database.execute("insert into badges values ("
					+ (type.contains("binary") ? "x'" + uuid.replace("-", "") : "'" + uuid) + "')");
		});
		runner.run((context) -> assertThat(context).hasNotFailed());
		database.execute("delete from ids_key_space");
		assertStartupFails(runner, "badges.id (" + Badge.class.getName() + ".id) already contains " + drawn.get() + ",",
				"its key space 'default' is new");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void startupFailsWhenNumericPropertiesWouldMissTheFirstNumberOfAGaplessGenerator(boolean scoped) {
		String[] properties = { "ids.generators.invoices.strategy=gapless",
				"ids.generators.invoices.scoped=" + scoped };
		runner(TestDatabase.h2(), Invoice.class).withPropertyValues(properties)
			.run((context) -> assertThat(context).hasNotFailed());
		assertStartupFails(
				runner(TestDatabase.h2(), Invoice.class).withPropertyValues(properties)
					.withPropertyValues("ids.generators.invoices.gapless.start=0"),
				"ids.generators.invoices.gapless.start is 0", Invoice.class.getName() + ".number",
				"Set ids.generators.invoices.gapless.start to 1 and ids.generators.invoices.key-space to another name");
	}

	@Test
	void startupSucceedsWithoutTheTable() {
		runner(TestDatabase.h2(), Owner.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void verifiesEntitiesOfSpringData(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table clinic (id integer primary key)", "insert into clinic values " + ROWS);
		assertStartupFails(dataJdbc(database, Clinic.class).withPropertyValues("ids.sequential.end=2147483647"),
				"clinic.id (" + Clinic.class.getName() + ".id) already contains 13");
	}

	/**
	 * Entities use R2DBC, but their columns are verified over JDBC.
	 */
	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL" })
	@FewInvocations(1)
	void verifiesEntitiesOfSpringDataR2dbc(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create schema \"Shop\"", "create table \"Shop\".\"Article\" (\"Id\" bigint primary key)",
				"insert into \"Shop\".\"Article\" values " + ROWS);
		R2dbcDialect dialect = (kind == Kind.H2) ? H2Dialect.INSTANCE : PostgresDialect.INSTANCE;
		ApplicationContextRunner runner = jdbc(database)
			.withConfiguration(AutoConfigurations.of(IdsDataR2dbcAutoConfiguration.class))
			.withBean(R2dbcMappingContext.class, () -> {
				R2dbcMappingContext mappings = R2dbcMappingContext.forQuotedIdentifiers();
				mappings.getRequiredPersistentEntity(Article.class);
				return mappings;
			})
			.withBean(R2dbcEntityTemplate.class, () -> new R2dbcEntityTemplate(mock(DatabaseClient.class), dialect))
			.withPropertyValues("ids.generators.codes.strategy=coprime");
		assertStartupFails(runner,
				"\"Shop\".\"Article\".\"Id\" (" + Article.class.getName() + ".id) already contains 13");
		runner.withPropertyValues("ids.sequential.start=1000", "ids.key-space=articles")
			.run((context) -> assertThat(context).hasNotFailed());
		if (kind == Kind.H2) {
			database.execute("alter table \"Shop\".\"Article\" add \"Code\" varchar_ignorecase(6)",
					"delete from \"Shop\".\"Article\"");
			assertStartupFails(runner.withPropertyValues("ids.key-space=other"),
					"Run: alter table \"Shop\".\"Article\" alter column \"Code\" set data type varchar(6);");
		}
	}

	@Test
	void verifiesTheColumnBeforeTheFirstIdIsDrawn() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table owners (id integer primary key)", "insert into owners values (13)");
		runner(database, Owner.class).withUserConfiguration(SavingConfiguration.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining("already contains 13"));
		try (HikariDataSource pool = database.pool(1)) {
			assertThat(new JdbcTemplate(pool).queryForList("select id from owners", Integer.class)).containsExactly(13);
		}
	}

	@Test
	void verifiesAnEntityAddedLaterBeforeItsFirstId() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table clinic (id integer primary key)", "insert into clinic values (13)");
		jdbc(database).withConfiguration(AutoConfigurations.of(IdsDataJdbcAutoConfiguration.class))
			.withBean(JdbcMappingContext.class)
			.withPropertyValues("ids.sequential.end=2147483647")
			.run((context) -> {
				Clinic clinic = new Clinic(null);
				BeforeConvertCallback<Object> callback = context.getBean(BeforeConvertCallback.class);
				assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> callback.onBeforeConvert(clinic))
					.withMessageContaining("already contains 13");
				database.execute("delete from clinic");
				assertThat(callback.onBeforeConvert(clinic)).isEqualTo(new Clinic(1));
			});
	}

	@Entity(name = "VerifiedItem")
	@Table(name = "`order items`")
	static class Item {

		@Id
		@GeneratedId
		Long id;

	}

	@Entity(name = "VerifiedBadge")
	@Table(name = "badges")
	static class Badge {

		@Id
		@GeneratedId
		UUID id;

	}

	@Entity(name = "VerifiedInvoice")
	@Table(name = "invoices")
	static class Invoice {

		@Id
		@GeneratedId
		Long id;

		@GeneratedId("invoices")
		Long number;

	}

	@Entity(name = "VerifiedLongBadge")
	@Table(name = "badges")
	static class LongBadge {

		@Id
		@GeneratedId
		Long id;

	}

	@Entity(name = "VerifiedNaturalBadge")
	@Table(name = "badges")
	static class NaturalBadge {

		@Id
		Long id;

		@GeneratedId
		@NaturalId
		Long code;

	}

	@Entity(name = "VerifiedConstrainedBadge")
	@Table(name = "badges", uniqueConstraints = @UniqueConstraint(columnNames = "code"))
	static class ConstrainedBadge {

		@Id
		Long id;

		@GeneratedId
		Long code;

	}

	@Entity(name = "VerifiedIndexedBadge")
	@Table(name = "badges", indexes = @Index(columnList = "code", unique = true))
	static class IndexedBadge {

		@Id
		Long id;

		@GeneratedId
		Long code;

	}

	record Clinic(@org.springframework.data.annotation.Id @GeneratedId Integer id) {

	}

	@org.springframework.data.relational.core.mapping.Table(schema = "Shop", value = "Article")
	record Article(
			@org.springframework.data.annotation.Id @GeneratedId @org.springframework.data.relational.core.mapping.Column("Id") Long id,
			@GeneratedId("codes") @org.springframework.data.relational.core.mapping.Column("Code") String code) {

	}

	@Configuration(proxyBeanMethods = false)
	static class SavingConfiguration {

		@Bean
		Owner savedOwner(EntityManagerFactory factory) {
			Owner owner = new Owner();
			factory.runInTransaction((entities) -> entities.persist(owner));
			return owner;
		}

	}

}
