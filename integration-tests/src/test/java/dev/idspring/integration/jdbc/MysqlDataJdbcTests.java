package dev.idspring.integration.jdbc;

import dev.idspring.testsupport.GivenServer;
import dev.idspring.testsupport.RealServers;
import dev.idspring.testsupport.TestDatabase;

/**
 * Runs {@link AbstractDataJdbcTests} on MySQL.
 */
@RealServers(GivenServer.MYSQL)
class MysqlDataJdbcTests extends AbstractDataJdbcTests {

	MysqlDataJdbcTests() {
		super(TestDatabase.mysql().withBinaryCollation());
	}

}
