package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.LongSupplier;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for gapless numbers that are drawn in sessions with different schemas, for
 * example one for each tenant.
 */
class GaplessSchemaTests {

	@ParameterizedTest
	@EnumSource(names = { "H2", "HSQLDB", "DERBY", "POSTGRESQL", "MARIADB", "MYSQL_DRIVER" })
	@FewInvocations(4)
	void failureNamesTheSchemaOfTheTableWhenTheSessionSchemaHasNoTable(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(3)) {
			String storeSchema = schema(pool);
			String tenant = createSchema(kind, pool);
			GaplessIdGenerator numbers = open(pool, "ids_");
			// PostgreSQL answers no query in a failed transaction, so the message does
			// not name the session's schema
			assertThatExceptionOfType(IdGenerationException.class)
				.isThrownBy(() -> draw(pool, tenant, numbers::nextLong))
				.withMessageContaining("ids_gapless is in schema " + storeSchema + ", but this session is in "
						+ ((kind == Kind.POSTGRESQL) ? "another one" : tenant) + ".")
				.withMessageContaining("Set ids.jdbc.table-prefix=" + storeSchema + ".ids_.")
				.withMessageNotContaining("restart the application");
			assertThat(draw(pool, storeSchema, numbers::nextLong)).isEqualTo(1);
			assertThat(draw(pool, tenant, open(pool, storeSchema + ".ids_")::nextLong)).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "HSQLDB", "DERBY", "POSTGRESQL", "MARIADB", "MYSQL_DRIVER" })
	void failureNamesTheSchemaOfTheStoreWhenTheSessionSchemaHasATable(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(3)) {
			String storeSchema = schema(pool);
			String tenant = createSchema(kind, pool);
			GaplessIdGenerator numbers = open(pool, "ids_");
			new JdbcSchema(pool, tenant + ".ids_").create();
			assertThatExceptionOfType(IdGenerationException.class)
				.isThrownBy(() -> draw(pool, tenant, numbers::nextLong))
				.withMessageContaining(
						"ids_gapless is in schema " + storeSchema + ", but this session is in " + tenant + ".")
				.withMessageContaining("Set ids.jdbc.table-prefix=" + storeSchema + ".ids_.")
				.withMessageNotContaining("restart the application");
		}
	}

	@Test
	void failureDoesNotRecommendAPrefixThatWouldBeRefused() {
		TestDatabase database = TestDatabase.h2();
		database.execute("create schema \"my-shop\"", "create schema T1");
		try (HikariDataSource pool = database.pool(3)) {
			pool.setConnectionInitSql("set schema \"my-shop\"");
			GaplessIdGenerator numbers = open(pool, "ids_");
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> draw(pool, "T1", numbers::nextLong))
				.withMessageContaining("ids_gapless is in schema my-shop")
				.withMessageContaining("Move the tables to a schema")
				.withMessageNotContaining("table-prefix=my-shop");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	void tenantsDrawSeparateNumbersFromOneTable(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(3)) {
			String storeSchema = schema(pool);
			String tenant = createSchema(kind, pool);
			new JdbcSchema(pool, storeSchema + ".ids_").create();
			JdbcDatabase database = TestStores.database(pool, storeSchema + ".ids_");
			ScopedGaplessIdGenerator invoices = ScopedGaplessIdGenerator
				.builder("invoices", new ScopedSettings(1, 1_000, ScopePeriod.NONE, ScopePattern.number()),
						new JdbcKeySpaceStore(database), new JdbcGaplessStore(pool, database))
				.open();
			for (String session : new String[] { tenant, storeSchema }) {
				assertThat(draw(pool, session, () -> invoices.in(session).nextLong())).isEqualTo(1);
				assertThat(draw(pool, session, () -> invoices.in(session).nextLong())).isEqualTo(2);
			}
		}
	}

	private static GaplessIdGenerator open(HikariDataSource pool, String prefix) {
		new JdbcSchema(pool, prefix).create();
		JdbcDatabase database = TestStores.database(pool, prefix);
		return GaplessIdGenerator
			.builder("invoices", new GaplessSettings(1, 1_000), new JdbcKeySpaceStore(database),
					new JdbcGaplessStore(pool, database))
			.open();
	}

	private static String createSchema(Kind kind, HikariDataSource pool) {
		String tenant = kind.isServer() ? "t" + System.nanoTime() : "T1";
		boolean database = kind == Kind.MARIADB || kind == Kind.MYSQL_DRIVER;
		TestDatabase.execute(pool, (database ? "create database " : "create schema ") + tenant);
		return tenant;
	}

	/**
	 * Draw in a transaction whose session is switched to a schema, as applications do for
	 * the tenant of a request.
	 */
	private static long draw(HikariDataSource pool, String schema, LongSupplier numbers) {
		try {
			return new TransactionTemplate(new JdbcTransactionManager(pool)).execute((status) -> {
				setSchema(DataSourceUtils.getConnection(pool), schema);
				return numbers.getAsLong();
			});
		}
		finally {
			// new sessions of the pool have the schema of the store again
			pool.getHikariPoolMXBean().softEvictConnections();
		}
	}

	private static void setSchema(Connection connection, String schema) {
		try {
			if (connection.getSchema() == null) {
				connection.setCatalog(schema);
			}
			else {
				connection.setSchema(schema);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String schema(HikariDataSource pool) {
		try (Connection connection = pool.getConnection()) {
			return (connection.getSchema() != null) ? connection.getSchema() : connection.getCatalog();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
