package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Disabled;

/**
 * A shop on MySQL.
 */
@RealServers(GivenServer.MYSQL)
class MysqlDataJdbcTests extends AbstractDataJdbcTests {

	MysqlDataJdbcTests() {
		super(TestDatabase.mysql());
	}

	@Override
	@Disabled("MySQL has no type for UUIDs, and its driver writes none without a converter")
	void typedIdsAndUuidsAreAssignedStoredAndFound() {
	}

}
