package dev.idspring.integration.jpa;

import dev.idspring.testsupport.TestDatabase;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

class H2ShopTests extends AbstractShopTests {

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		configure(TestDatabase.h2(), properties);
	}

}
