package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcGaplessStore;
import dev.idspring.jdbc.JdbcSchema;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RoutedGaplessStore}.
 */
class RoutedGaplessStoreTests {

	private static final Duration LONG_TIMEOUT = Duration.ofMinutes(1);

	@Test
	void oneThreadOpensADatabaseWhileOthersWaitUntilTheirDeadline() {
		try (HikariDataSource pool = TestDatabase.h2().pool(3)) {
			new JdbcSchema(pool, "ids_").create();
			TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
			ScopedGaplessStore target = open(pool);
			AtomicInteger openAttempts = new AtomicInteger();
			AtomicReference<RoutedGaplessStore> store = new AtomicReference<>();
			store.set(new RoutedGaplessStore(pool, target, false, () -> Deadline.in(LONG_TIMEOUT), (deadline) -> {
				if (openAttempts.incrementAndGet() == 1) {
					throw new IllegalStateException("not yet");
				}
				CompletableFuture<Long> draw = CompletableFuture
					.supplyAsync(() -> draw(transaction, store.get(), Duration.ofMillis(1)));
				assertThatExceptionOfType(CompletionException.class).isThrownBy(draw::join)
					.withCauseInstanceOf(IdStoreUnavailableException.class)
					.withMessageContaining("Another thread is still opening");
				return target;
			}));
			store.get().create("invoices", 1, Deadline.in(LONG_TIMEOUT));
			assertThatIllegalStateException().isThrownBy(() -> draw(transaction, store.get(), LONG_TIMEOUT));
			assertThat(draw(transaction, store.get(), LONG_TIMEOUT)).isEqualTo(1);
			assertThat(draw(transaction, store.get(), LONG_TIMEOUT)).isEqualTo(2);
			assertThat(openAttempts).hasValue(2);
		}
	}

	private static ScopedGaplessStore open(HikariDataSource pool) {
		JdbcSettings settings = new JdbcSettings("ids_", null, 0, Duration.ofSeconds(10), null, false, false);
		JdbcGaplessStore store = new JdbcGaplessStore(pool,
				JdbcDatabase.openForGapless(pool, settings, Deadline.in(LONG_TIMEOUT)));
		store.open(Deadline.in(LONG_TIMEOUT));
		return store;
	}

	private static Long draw(TransactionTemplate transaction, RoutedGaplessStore store, Duration timeout) {
		return transaction.execute((status) -> store.draw("invoices", 1, 1_000, Deadline.in(timeout)).first());
	}

}
