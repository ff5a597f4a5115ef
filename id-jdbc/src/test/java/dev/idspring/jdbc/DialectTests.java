package dev.idspring.jdbc;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

import dev.idspring.InvalidSettingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Dialect} and {@link TableNames}.
 */
class DialectTests {

	@ParameterizedTest
	@CsvSource({ "H2,h2", "HSQL Database Engine,hsqldb", "Apache Derby,derby", "SQLite,sqlite", "PostgreSQL,postgresql",
			"MariaDB,mariadb", "MySQL,mysql", "Microsoft SQL Server,sqlserver", "Oracle,oracle", "DB2/LINUXX8664,db2" })
	void findsTheDialectOfAProduct(String product, String platform) {
		assertThat(Dialects.ofProduct(product))
			.hasValueSatisfying((dialect) -> assertThat(dialect).hasToString(platform));
	}

	@Test
	void unknownProductHasNoDialect() {
		assertThat(Dialects.ofProduct("Informix Dynamic Server")).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("dev.idspring.jdbc.Dialects#platforms")
	void everyDialectHasAScript(String platform) {
		assertThat(getClass().getResource("schema-" + platform + ".sql")).isNotNull();
		assertThat(Dialects.ofPlatform(platform))
			.hasValueSatisfying((dialect) -> assertThat(dialect.platform()).isEqualTo(platform));
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL,40001,0", "POSTGRESQL,40P01,0", "POSTGRESQL,55P03,0", "POSTGRESQL,57P01,0",
			"POSTGRESQL,08006,0", "POSTGRESQL,53300,0", "POSTGRESQL,25006,0", "MARIADB,25S03,0", "MARIADB,HY000,1290",
			"MYSQL,HY000,1290", "MARIADB,HY000,1205", "MARIADB,40001,1213", "MYSQL,HY000,1205", "SQLITE,,5",
			"SQLITE,,6", "H2,HYT00,50200", "H2,90131,90131", "DERBY,40XL1,30000", "DERBY,40XL2,30000" })
	void transientErrorsAreRepeatable(String platform, String state, int code) {
		assertThat(Dialects.ofPlatform(platform).orElseThrow().isRepeatable(state, code)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL,42P01,0", "POSTGRESQL,42501,1205", "POSTGRESQL,57014,0", "H2,42S02,5", "SQLITE,,1",
			"MARIADB,42S02,1146", "MARIADB,,5" })
	void otherErrorsAreNotRepeatable(String platform, String state, int code) {
		assertThat(Dialects.ofPlatform(platform).orElseThrow().isRepeatable(state, code)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "ids_,ids_key_space", "x,xkey_space", "app.ids_,app.ids_key_space" })
	void prefixAppliesToTableNames(String prefix, String table) {
		assertThat(new TableNames(prefix).keySpace()).isEqualTo(table);
		assertThat(new TableNames(prefix).replaceIn("create table ids_key_space (ids bigint)"))
			.isEqualTo("create table " + table + " (ids bigint)");
	}

	@ParameterizedTest
	@CsvSource({ "''", "1x", "a-b", "'a b'", "a;b", "a.b.c", "'\"a\"'", "abcdefghijklmnopqrstu" })
	void invalidPrefixIsRejected(String prefix) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> new TableNames(prefix))
			.withMessageContaining("tablePrefix is '" + prefix + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"my-app\".ids_", "`my-app`.ids_", "my-app.ids_", "\"order\".ids_" })
	void schemaThatNeedsQuotesIsRejectedWithARemedy(String prefix) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> new TableNames(prefix))
			.withMessageContaining("tablePrefix is '" + prefix + "'")
			.withMessageContaining("needs quotes, leave it out, and make it the current schema of the connections");
	}

	/**
	 * Derby returns the local time, which is ambiguous when summer time ends.
	 */
	@ParameterizedTest
	@CsvSource({ "2026-10-25T00:30:00Z,0", "2026-10-25T01:30:00Z,0", "2026-10-25T00:30:00Z,-40",
			"2026-10-25T01:30:00Z,40", "2026-10-25T02:30:00Z,5", "2026-07-01T12:00:00Z,-3000",
			"2026-03-29T00:59:59Z,3000" })
	void ambiguousLocalTimeResolvesToTheInstantNearerToTheLocalClock(Instant moment, long secondsAhead) {
		ZoneId zone = ZoneId.of("Europe/Berlin");
		assertThat(DerbyDialect.nearest(LocalDateTime.ofInstant(moment, zone), zone,
				moment.plusSeconds(secondsAhead).toEpochMilli()))
			.isEqualTo(moment.toEpochMilli());
	}

	@Test
	void localTimeInASummerTimeGapResolvesToTheTimeAfterTheGap() {
		assertThat(DerbyDialect.nearest(LocalDateTime.parse("2026-03-29T02:30:00"), ZoneId.of("Europe/Berlin"), 0))
			.isEqualTo(Instant.parse("2026-03-29T01:30:00Z").toEpochMilli());
	}

}
