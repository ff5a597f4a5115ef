package dev.idspring.integration.jpa;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@Tag("wide")
class MariadbShopTests extends AbstractShopTests {

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		configure(TestDatabase.mariadb().withBinaryCollation(), properties);
	}

}
