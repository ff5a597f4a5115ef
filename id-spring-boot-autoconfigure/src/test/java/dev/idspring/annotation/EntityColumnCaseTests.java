package dev.idspring.annotation;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a column must be case-sensitive if two of its ids may differ only in case.
 */
@ExtendWith(OutputCaptureExtension.class)
class EntityColumnCaseTests extends AbstractEntityColumnsTests {

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
			"HSQLDB, '', varchar_ignorecase(6), Give the column a case-sensitive",
			"DERBY, ;territory=en_US;collation=TERRITORY_BASED:SECONDARY, varchar(6), Give the column a case-sensitive",
			"SQLITE, '', varchar(6) collate nocase, Give the column a case-sensitive" })
	@FewInvocations(2)
	void caseInsensitiveColumnIsRejectedWithARemedyForItsDatabase(Kind kind, String options, String type,
			String remedy) {
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
	void caseInsensitiveColumnIsAcceptedIfNoIdsDifferOnlyInCase(String strategy, String property,
			CapturedOutput output) {
		TestDatabase database = TestDatabase.mariadb();
		database.execute("create table vouchers (id bigint primary key, code varchar(30) unique)");
		runner(database, Voucher.class).withPropertyValues("ids.generators.vouchers.strategy=" + strategy, property)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("upper and lower case");
	}

	@Test
	void mixedCaseIdsOfSpringDataNeedACaseSensitiveColumn() {
		TestDatabase database = TestDatabase.mariadb();
		database.execute("create table ticket (id bigint primary key, code varchar(11) character set utf8mb4)");
		ApplicationContextRunner runner = dataJdbc(database, Ticket.class).withPropertyValues("ids.strategy=coprime");
		assertStartupFails(runner,
				"ticket.code (" + Ticket.class.getName() + ".code) does not tell upper and lower case apart",
				"Run: alter table ticket modify code varchar(11) character set utf8mb4 collate utf8mb4_bin DEFAULT NULL;");
		// time-based ids also need a case-sensitive column, even with
		// ids.verify-column=none
		assertStartupFails(runner.withPropertyValues("ids.strategy=snowflake", "ids.snowflake.format=base62",
				"ids.key-space=times", "ids.verify-column=none"), "does not tell upper and lower case apart");
	}

	record Ticket(@org.springframework.data.annotation.Id Long id, @GeneratedId String code) {

	}

}
