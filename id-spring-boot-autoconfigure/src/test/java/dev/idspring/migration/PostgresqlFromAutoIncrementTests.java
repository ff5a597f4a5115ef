package dev.idspring.migration;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;

/**
 * {@link FromAutoIncrementTests} on PostgreSQL.
 */
@Tag("wide")
class PostgresqlFromAutoIncrementTests extends FromAutoIncrementTests {

	PostgresqlFromAutoIncrementTests() {
		super(Kind.POSTGRESQL);
	}

}
