package dev.idspring.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;

/**
 * A process that reserves ids, and halts immediately after the last reservation has been
 * confirmed. All data that the database has not written by then is lost.
 */
final class HaltedProcess {

	private HaltedProcess() {
	}

	public static void main(String[] arguments) {
		HikariDataSource dataSource = new TestDatabase(arguments[0], "sa", "", arguments[1]).pool(1);
		JdbcKeySpaceStore store = TestStores.keySpaces(dataSource);
		Deadline deadline = TestStores.deadline();
		store.create("test", "definition", 1_000_000, deadline);
		for (int i = 0; i < 20; i++) {
			System.out.println("CONFIRMED " + store.reserve("test", 100, 1_000_000, deadline).end());
		}
		System.out.flush();
		Runtime.getRuntime().halt(0);
	}

}
