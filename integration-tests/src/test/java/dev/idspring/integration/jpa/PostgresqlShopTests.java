package dev.idspring.integration.jpa;

import dev.idspring.testsupport.TestDatabase;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

class PostgresqlShopTests extends AbstractShopTests {

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		use(TestDatabase.postgresql(), properties);
	}

}
