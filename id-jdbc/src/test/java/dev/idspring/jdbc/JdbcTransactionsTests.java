package dev.idspring.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.JdbcTransactions.Work;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.CannotCreateTransactionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JdbcTransactions}.
 */
class JdbcTransactionsTests {

	@Test
	void programmingErrorIsNotReportedAsAnUnavailableStore() {
		assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> run((connection, timeout) -> {
			throw new NullPointerException("injected");
		}));
	}

	@Test
	void springFailureIsReportedAsAnUnavailableStore() {
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> run((connection, timeout) -> {
			throw new DataAccessResourceFailureException("injected");
		}));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> run((connection, timeout) -> {
			throw new CannotCreateTransactionException("injected");
		}));
	}

	private static void run(Work<Boolean> work) {
		TestDatabase database = TestDatabase.h2();
		try (HikariDataSource pool = database.pool(1)) {
			TestStores.initialize(pool, database, "ids_");
			JdbcTransactions transactions = TestStores.database(pool, "ids_").transactions();
			try {
				transactions.repeat("test", work, TestStores.deadline());
			}
			finally {
				boolean open = transactions.repeat("test", (connection, timeout) -> !connection.isClosed(),
						TestStores.deadline());
				assertThat(open).as("the connection was given back").isTrue();
			}
		}
	}

}
