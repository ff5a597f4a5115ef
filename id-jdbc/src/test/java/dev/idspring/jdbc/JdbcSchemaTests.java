package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdSetupException;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JdbcSchemaTests {

	@Test
	void tablesAreCreatedOnceWithoutSpringBoot() {
		try (HikariDataSource pool = Kind.H2.create().pool(1)) {
			JdbcSchema schema = new JdbcSchema(pool, "my_");
			assertThat(schema.create()).isTrue();
			assertThat(schema.create()).isFalse();
			assertThat(new JdbcKeySpaceStore(TestStores.database(pool, "my_")).describe().database()).isEqualTo("H2");
		}
	}

	@Test
	void createsAndCommitsTheTablesOnAConnectionWithoutAutoCommit() throws SQLException {
		try (HikariDataSource pool = Kind.POSTGRESQL.create().pool(1); Connection connection = pool.getConnection()) {
			// unlike a pool, this DataSource does not roll back a returned connection
			SingleConnectionDataSource dataSource = new SingleConnectionDataSource(connection, true);
			connection.setAutoCommit(false);
			assertThat(new JdbcSchema(dataSource, "ids_").create()).isTrue();
			connection.rollback();
			assertThat(new JdbcSchema(dataSource, "ids_").exists()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRESQL", "MARIADB" })
	void schemaWhoseNameIsAReservedWordIsReportedWithARemedy(Kind kind) {
		try (HikariDataSource pool = kind.create().pool(1)) {
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> TestStores.database(pool, "order.ids_"))
				.withMessageContaining("Table order.ids_key_space is missing or cannot be read")
				.withMessageContaining(
						"If 'order' is a reserved word, remove it from ids.jdbc.table-prefix, and make it"
								+ " the current schema of the connections");
		}
	}

	@ParameterizedTest
	@CsvSource({ "HSQLDB,true", "DERBY,true", "POSTGRESQL,true", "POSTGRESQL,false", "MARIADB,true", "MARIADB,false" })
	void createsTheTablesThroughAReadOnlyPool(Kind kind, boolean autoCommit) throws SQLException {
		try (HikariDataSource pool = kind.create().pool(1)) {
			pool.setReadOnly(true);
			pool.setAutoCommit(autoCommit);
			assertThat(new JdbcSchema(pool, "ids_").create()).isTrue();
			assertThat(new JdbcSchema(pool, "ids_").exists()).isTrue();
			try (Connection connection = pool.getConnection()) {
				assertThat(connection.isReadOnly()).isTrue();
			}
		}
	}

}
