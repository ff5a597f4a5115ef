package dev.idspring.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

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

}
