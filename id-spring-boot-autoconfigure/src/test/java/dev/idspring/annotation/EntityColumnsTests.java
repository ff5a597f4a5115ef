package dev.idspring.annotation;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedIds.IdProperty;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataJdbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsDataR2dbcAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdsHibernateAutoConfiguration;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;
import org.hibernate.annotations.NaturalId;
import org.hibernate.tool.schema.spi.SchemaManagementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.H2Dialect;
import org.springframework.data.r2dbc.dialect.PostgresDialect;
import org.springframework.data.r2dbc.dialect.R2dbcDialect;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests how the columns of entities are verified when an application starts.
 */
@ExtendWith(OutputCaptureExtension.class)
class EntityColumnsTests {

	private static final String ROWS = LongStream.rangeClosed(1, 13)
		.mapToObj((id) -> "(" + id + ")")
		.collect(Collectors.joining(", "));

	private static ApplicationContextRunner runner(TestDatabase database, Class<?> entity) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					HibernateJpaAutoConfiguration.class, IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class,
					IdsHibernateAutoConfiguration.class))
			.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(entity.getName()))
			.withPropertyValues("spring.datasource.url=" + database.url(),
					"spring.datasource.username=" + database.username(),
					"spring.datasource.password=" + database.password(), "spring.jpa.hibernate.ddl-auto=none",
					"ids.jdbc.initialize-schema=always", "ids.strategy=sequential", "ids.sequential.end=2147483647");
	}

	private static void assertStartupFails(ApplicationContextRunner runner, String... messageParts) {
		runner.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.isInstanceOf(IdSetupException.class)
			.hasMessageContainingAll(messageParts));
	}

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
			for (int draw = 0; draw < 2; draw++) {
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
	void remedyCanBeFollowedIfTheColumnCannotBeVerified(String strategy, String remedy) {
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
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void columnNarrowerThanTheKeySpaceIsRejected(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table pets (id integer primary key)");
		assertStartupFails(
				runner(database, Pet.class).withPropertyValues("ids.generators.pets.sequential.end=2147483648"),
				"pets.id (" + Pet.class.getName() + ".id) is ", "can hold 2147483647 at most",
				"the last id of generator 'pets' is 2147483648", "ids.generators.pets.sequential.end");
		runner(database, Pet.class).withPropertyValues("ids.generators.pets.sequential.end=2147483647")
			.run((context) -> assertThat(context).hasNotFailed());
		assertStartupFails(
				runner(database, Pet.class).withPropertyValues("ids.generators.pets.strategy=snowflake",
						"ids.generators.pets.key-space=times"),
				"can hold 2147483647 at most", "set ids.generators.pets.strategy to sequential");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"integer | strategy=coprime | strategy=sequential,sequential.end=2147483647,key-space=other",
			"integer | strategy=recycled | recycled.capacity=2147483647",
			"smallint | strategy=recycled | recycled.capacity=32767,recycled.series-size=32767,key-space=other" })
	void suggestedSettingsFitIntoANarrowColumn(String type, String configured, String suggested) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table pets (id " + type + " primary key)");
		ApplicationContextRunner runner = runner(database, Pet.class)
			.withPropertyValues("ids.generators.pets." + configured);
		String[] settings = Arrays.stream(suggested.split(","))
			.map((setting) -> "ids.generators.pets." + setting)
			.toArray(String[]::new);
		assertStartupFails(runner,
				Arrays.stream(settings).map((setting) -> setting.split("=")[0]).toArray(String[]::new));
		runner.withPropertyValues(settings).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void suggestedMaximumLengthComesWithALengthThatIsNoLonger() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table vouchers (id bigint primary key, code varchar(5) unique)");
		ApplicationContextRunner runner = runner(database, Voucher.class).withPropertyValues(
				"ids.generators.vouchers.strategy=coprime", "ids.generators.vouchers.coprime.max-length=8");
		assertStartupFails(runner, "coprime.max-length=5 and ids.generators.vouchers.coprime.length=5, which leaves");
		runner
			.withPropertyValues("ids.generators.vouchers.coprime.max-length=5",
					"ids.generators.vouchers.coprime.length=5", "ids.generators.vouchers.key-space=other")
			.run((context) -> assertThat(context).hasNotFailed());
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
	@CsvSource({ "integer, false", "bigint, true" })
	void hibernateValidationFailsOnlyWhenAColumnIsNarrowerThanItsProperty(String type, boolean startupSucceeds) {
		TestDatabase database = TestDatabase.h2();
		database.execute("create table pets (id " + type + " primary key)");
		runner(database, Pet.class)
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=validate", "ids.generators.pets.strategy=sequential")
			.run((context) -> {
				if (startupSucceeds) {
					assertThat(context).hasNotFailed();
				}
				else {
					assertThat(context).hasFailed()
						.getFailure()
						.rootCause()
						.isInstanceOf(SchemaManagementException.class);
				}
			});
	}

	@Test
	void hibernateCreatesTheColumnWithoutIdentity() {
		TestDatabase database = TestDatabase.h2();
		runner(database, Pet.class)
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=create", "ids.generators.pets.strategy=sequential")
			.run((context) -> {
				JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
				assertThatExceptionOfType(DataIntegrityViolationException.class)
					.isThrownBy(() -> jdbc.update("insert into pets values (default)"));
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids.strategy=coprime", "ids.strategy=decimal-uid ids.decimal-uid.signed=false" })
	void intPropertyNarrowerThanTheKeySpaceIsRejectedEvenIfTheTableIsMissing(String properties) {
		assertStartupFails(runner(TestDatabase.h2(), Owner.class).withPropertyValues(properties.split(" ")),
				Owner.class.getName() + ".id is an int and can hold 2147483647 at most");
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void verifiesStringColumns(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table vouchers (id bigint primary key, code varchar(5) unique)");
		ApplicationContextRunner runner = runner(database, Voucher.class)
			.withPropertyValues("ids.generators.vouchers.strategy=coprime");
		assertStartupFails(runner, "vouchers.code (" + Voucher.class.getName() + ".code) is ", "(5)",
				"can hold 5 characters at most", "ZZZZZZ", "@Column(length = 6). Alternatively, set",
				"coprime.length=5, which leaves 916132832 ids, and set ids.generators.vouchers.key-space to another"
						+ " name");
		database.execute("drop table vouchers", "create table vouchers (id bigint primary key, code varchar(6) unique)",
				"insert into vouchers values (1, '00000A'), (2, 'free')");
		assertStartupFails(runner, "already contains 00000A", "a separate column");
		database.execute("delete from vouchers where id = 1");
		runner.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			POSTGRESQL, "", varchar(8) collate blind not null default 'none'
			POSTGRESQL, "", text collate blind not null default 'none'
			POSTGRESQL, "", citext not null default 'none'
			MARIADB, "", "varchar(8) not null default 'none' comment 'a `code` collate x, as text'"
			MARIADB, "", "char(8) character set utf8mb4 not null default 'none' comment 'not null,'"
			MARIADB, "", varchar(8) collate latin1_general_ci not null default 'none' comment 'it''s'
			H2, "", varchar_ignorecase(8) default 'none' not null
			H2, ;IGNORECASE=TRUE, varchar(8) default 'none' not null
			""")
	@FewInvocations(2)
	void caseInsensitiveColumnIsRejectedIfEmptyAndCausesAWarningOtherwise(Kind kind, String options, String type,
			CapturedOutput output) {
		TestDatabase database = kind.create().withUrlSuffix(options);
		if (kind == Kind.POSTGRESQL) {
			database.execute("create extension citext",
					"create collation blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
		}
		database.execute("create table vouchers (id bigint primary key, code " + type + " unique)");
		ApplicationContextRunner runner = runner(database, Voucher.class)
			.withPropertyValues("ids.generators.vouchers.strategy=coprime");
		assertStartupFails(runner,
				"vouchers.code (" + Voucher.class.getName() + ".code) does not tell upper and lower case apart",
				"id generator 'vouchers'", "Run: ", "alter table vouchers ", "base36",
				"ids.generators.vouchers.text.alphabet");
		database.execute("insert into vouchers (id) values (1)");
		for (int start = 1; start <= 2; start++) {
			runner.run((context) -> assertThat(context).hasNotFailed());
			assertThat(
					output.toString().split("IdColumn - vouchers\\.code .* does not tell upper and lower case apart"))
				.hasSize(start + 1);
		}
		String[] ddl = output.toString().split("Run: ");
		database.execute(ddl[ddl.length - 1].split(";\\R")[0]);
		runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.toString().split("Run: ")).hasSameSizeAs(ddl);
		database.execute("insert into vouchers values (2, 'zcDK0x')", "insert into vouchers values (3, 'ZCDK0X')");
		try (HikariDataSource pool = database.pool(1)) {
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			assertThat(jdbc.queryForList("select code from vouchers where code = ?", String.class, "zcDK0x"))
				.containsExactly("zcDK0x");
			jdbc.update("delete from vouchers where id = 1");
			jdbc.update("insert into vouchers (id) values (4)");
			assertThat(jdbc.queryForObject("select code from vouchers where id = 4", String.class)).isEqualTo("none");
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> jdbc.update("insert into vouchers values (5, null)"));
			if (type.contains("(8)")) {
				assertThatExceptionOfType(DataIntegrityViolationException.class)
					.isThrownBy(() -> jdbc.update("insert into vouchers values (6, 'ninechars')"));
			}
			if (type.contains("comment")) {
				assertThat(jdbc.queryForObject("select column_comment from information_schema.columns"
						+ " where table_schema = database() and table_name = 'vouchers' and column_name = 'code'",
						String.class))
					.isEqualTo(type.replaceAll(".* comment '(.*)'", "$1").replace("''", "'"));
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "H2, ;COLLATION=ENGLISH STRENGTH PRIMARY, varchar(6), set collation off;",
			"H2, ;COLLATION=ENGLISH STRENGTH SECONDARY, varchar(6), a new database with a URL without COLLATION",
			"HSQLDB, '', varchar_ignorecase(6), Give the column a collation",
			"DERBY, ;territory=en_US;collation=TERRITORY_BASED:SECONDARY, varchar(6), Give the column a collation",
			"SQLITE, '', varchar(6) collate nocase, Give the column a collation" })
	@FewInvocations(2)
	void caseInsensitiveDatabaseIsRejected(Kind kind, String options, String type, String remedy) {
		TestDatabase database = kind.create().withUrlSuffix(options);
		database.execute("create table vouchers (id bigint primary key, code " + type + ")");
		// by default, Spring Boot connects to embedded databases as another user, and
		// Derby would use the schema of that user
		assertStartupFails(
				runner(database, Voucher.class).withPropertyValues(
						"spring.datasource.username=" + ((kind == Kind.DERBY) ? "APP" : database.username()),
						"ids.generators.vouchers.strategy=coprime",
						"spring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false",
						"spring.jpa.database-platform=org.hibernate.dialect.H2Dialect"),
				"does not tell upper and lower case apart", remedy);
	}

	@ParameterizedTest
	@CsvSource({ "coprime, ids.generators.vouchers.coprime.alphabet=base36",
			"coprime, ids.generators.vouchers.text.alphabet=base32",
			"sequential, ids.generators.vouchers.text.prefix=Nr-" })
	@FewInvocations(1)
	void caseInsensitiveColumnIsAcceptedForSingleCaseIds(String strategy, String property, CapturedOutput output) {
		TestDatabase database = TestDatabase.mariadb();
		database.execute("create table vouchers (id bigint primary key, code varchar(30) unique)");
		runner(database, Voucher.class).withPropertyValues("ids.generators.vouchers.strategy=" + strategy, property)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("upper and lower case");
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	@FewInvocations(1)
	void startupFailsWhenAUuidIsAheadOfTheKeySpace(Kind kind) {
		TestDatabase database = kind.create();
		database.execute("create table badges (id uuid primary key)");
		ApplicationContextRunner runner = runner(database, Badge.class);
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			database.execute("insert into badges values ('" + context.getBean(IdGenerator.class).nextUuid() + "')");
		});
		runner.run((context) -> assertThat(context).hasNotFailed());
		database.execute("delete from ids_key_space");
		assertStartupFails(runner, "badges.id (" + Badge.class.getName() + ".id) already contains ",
				"its key space 'default' is new");
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
		assertStartupFails(new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsAutoConfiguration.class, IdsDataJdbcAutoConfiguration.class))
			.withBean(JdbcMappingContext.class, () -> {
				JdbcMappingContext mappings = new JdbcMappingContext();
				mappings.getRequiredPersistentEntity(Clinic.class);
				return mappings;
			})
			.withPropertyValues("spring.datasource.url=" + database.url(),
					"spring.datasource.username=" + database.username(),
					"spring.datasource.password=" + database.password(), "ids.jdbc.initialize-schema=always",
					"ids.strategy=sequential", "ids.sequential.end=2147483647"),
				"clinic.id (" + Clinic.class.getName() + ".id) already contains 13");
	}

	@Test
	void mixedCaseIdsOfSpringDataNeedACaseSensitiveColumn() {
		TestDatabase database = TestDatabase.mariadb();
		database.execute("create table ticket (id bigint primary key, code varchar(11) character set utf8mb4)");
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsAutoConfiguration.class, IdsDataJdbcAutoConfiguration.class))
			.withBean(JdbcMappingContext.class, () -> {
				JdbcMappingContext mappings = new JdbcMappingContext();
				mappings.getRequiredPersistentEntity(Ticket.class);
				return mappings;
			})
			.withPropertyValues("spring.datasource.url=" + database.url(),
					"spring.datasource.username=" + database.username(),
					"spring.datasource.password=" + database.password(), "ids.jdbc.initialize-schema=always");
		assertStartupFails(runner,
				"ticket.code (" + Ticket.class.getName() + ".code) does not tell upper and lower case apart",
				"Run: alter table ticket modify code varchar(11) character set utf8mb4 collate utf8mb4_bin DEFAULT NULL;");
		// time-based ids also need a case-sensitive column, even with
		// ids.verify-column=none
		assertStartupFails(runner.withPropertyValues("ids.strategy=snowflake", "ids.snowflake.format=base62",
				"ids.key-space=times", "ids.verify-column=none"), "does not tell upper and lower case apart");
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
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsAutoConfiguration.class, IdsDataR2dbcAutoConfiguration.class))
			.withBean(R2dbcMappingContext.class, () -> {
				R2dbcMappingContext mappings = R2dbcMappingContext.forQuotedIdentifiers();
				mappings.getRequiredPersistentEntity(Article.class);
				return mappings;
			})
			.withBean(R2dbcEntityTemplate.class, () -> new R2dbcEntityTemplate(mock(DatabaseClient.class), dialect))
			.withPropertyValues("spring.datasource.url=" + database.url(),
					"spring.datasource.username=" + database.username(),
					"spring.datasource.password=" + database.password(), "ids.jdbc.initialize-schema=always",
					"ids.strategy=sequential", "ids.generators.codes.strategy=coprime");
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
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsAutoConfiguration.class, IdsDataJdbcAutoConfiguration.class))
			.withBean(JdbcMappingContext.class)
			.withPropertyValues("spring.datasource.url=" + database.url(), "ids.strategy=sequential",
					"ids.sequential.end=2147483647")
			.run((context) -> {
				Clinic clinic = new Clinic(null);
				BeforeConvertCallback<Object> callback = context.getBean(BeforeConvertCallback.class);
				assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> callback.onBeforeConvert(clinic))
					.withMessageContaining("already contains 13");
				database.execute("delete from clinic");
				assertThat(callback.onBeforeConvert(clinic)).isEqualTo(new Clinic(1));
			});
	}

	@Entity(name = "VerifiedOwner")
	@Table(name = "owners")
	static class Owner {

		@Id
		@GeneratedId
		Integer id;

	}

	@Entity(name = "VerifiedItem")
	@Table(name = "`order items`")
	static class Item {

		@Id
		@GeneratedId
		Long id;

	}

	@Entity(name = "VerifiedPet")
	@Table(name = "pets")
	static class Pet {

		@Id
		@GeneratedId("pets")
		Long id;

	}

	@Entity(name = "VerifiedBadge")
	@Table(name = "badges")
	static class Badge {

		@Id
		@GeneratedId
		UUID id;

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

	@Entity(name = "VerifiedVoucher")
	@Table(name = "vouchers")
	static class Voucher {

		@Id
		Long id;

		@GeneratedId("vouchers")
		@Column(unique = true)
		String code;

	}

	record Ticket(@org.springframework.data.annotation.Id Long id, @GeneratedId String code) {

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
