package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.Databases;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QualifiedName}.
 */
@Tag("mysql")
class QualifiedNameTests {

	@ParameterizedTest
	@Databases
	void exactNameTakesPrecedenceOverNamesThatDifferInCase(Kind kind) throws SQLException {
		try (HikariDataSource pool = kind.create().pool(1)) {
			boolean caseSensitive = kind != Kind.SQLITE;
			String quote = (kind == Kind.MARIADB || kind == Kind.MYSQL_DRIVER) ? "`" : "\"";
			TestDatabase.execute(pool, "create table " + quote + "Item" + quote + " (id int primary key)",
					"create table usual (id int primary key)");
			if (caseSensitive) {
				TestDatabase.execute(pool, "create table " + quote + "item" + quote + " (id int primary key)");
			}
			try (Connection connection = pool.getConnection()) {
				assertThat(QualifiedName.find(connection, "nope")).isEmpty();
				assertThat(names(connection, "Usual")).hasSize(1)
					.allSatisfy((name) -> assertThat(name.toLowerCase(Locale.ROOT)).isEqualTo("usual"));
				assertThat(names(connection, "Item")).containsExactly("Item");
				if (caseSensitive) {
					assertThat(names(connection, "item")).containsExactly("item");
					assertThat(names(connection, "ITEM")).containsExactlyInAnyOrder("Item", "item");
				}
				// a table is also found by its name as printed in messages
				String printed = QualifiedName.find(connection, "Item").get(0).toString();
				assertThat(QualifiedName.find(connection, printed)).singleElement().hasToString(printed);
			}
		}
	}

	@ParameterizedTest
	@Databases({ Kind.H2, Kind.HSQLDB, Kind.DERBY, Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER })
	void tableOfAnotherSchemaIsFoundBySchemaAndName(Kind kind) throws SQLException {
		try (HikariDataSource pool = kind.create().pool(1)) {
			boolean mysql = kind == Kind.MARIADB || kind == Kind.MYSQL_DRIVER;
			String otherSchema = "Other_" + pool.getJdbcUrl().replaceAll(".*[:/](t\\w+).*", "$1");
			String quoted = mysql ? "`" + otherSchema + "`" : "\"" + otherSchema + "\"";
			TestDatabase.execute(pool, "create schema " + quoted, "create table items (id int primary key)",
					"create table " + quoted + ".items (id int primary key)");
			try (Connection connection = pool.getConnection()) {
				QualifiedName inDefaultSchema = QualifiedName.find(connection, "items").get(0);
				assertThat(inDefaultSchema.schema()).isNotEqualTo(otherSchema);
				assertThat(QualifiedName.find(connection, otherSchema.toUpperCase(Locale.ROOT) + ".Items"))
					.singleElement()
					.isEqualTo(new QualifiedName(otherSchema, inDefaultSchema.name()));
			}
			finally {
				TestDatabase.execute(pool, "drop table " + quoted + ".items",
						"drop schema " + quoted + (kind == Kind.DERBY ? " restrict" : ""));
			}
		}
	}

	@Test
	void nameWithADotMatchesAllTablesThatItCanDenote() throws SQLException {
		try (HikariDataSource pool = Kind.H2.create().pool(1)) {
			TestDatabase.execute(pool, "create schema \"a\"", "create table \"a\".\"b\" (id int primary key)");
			try (Connection connection = pool.getConnection()) {
				assertThat(QualifiedName.find(connection, "a.b")).containsExactly(new QualifiedName("a", "b"));
				connection.createStatement().execute("create table \"a.b\" (id int primary key)");
				assertThat(QualifiedName.find(connection, "a.b")).containsExactlyInAnyOrder(new QualifiedName("a", "b"),
						new QualifiedName("PUBLIC", "a.b"));
			}
		}
	}

	private static List<String> names(Connection connection, String name) throws SQLException {
		return QualifiedName.find(connection, name).stream().map(QualifiedName::name).toList();
	}

}
