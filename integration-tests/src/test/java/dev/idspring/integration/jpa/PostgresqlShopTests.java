package dev.idspring.integration.jpa;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@Tag("wide")
class PostgresqlShopTests extends AbstractShopTests {

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		configure(TestDatabase.postgresql(), properties);
	}

}
