package dev.idspring.integration.jpa;

import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@RealServers(GivenServer.MYSQL)
class MysqlShopTests extends AbstractShopTests {

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		configure(TestDatabase.mysql().withBinaryCollation(), properties);
	}

}
