package dev.idspring.test.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.idspring.IdGenerationException;
import dev.idspring.store.ScopedGaplessStore.Draws;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.text.IdScope;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link InMemoryGaplessStore}. {@link AutoConfigureTestIdsTests} contains
 * further tests, from the viewpoint of applications.
 */
class InMemoryGaplessStoreTests {

	private static final int THREADS = 8;

	private static final int ROUNDS = 200;

	private static final int MAX_SCOPES = 2;

	private final InMemoryGaplessStore store = new InMemoryGaplessStore(TimeSource.system());

	@Test
	void concurrentCallersCreateNoMoreScopesThanAllowed() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			CyclicBarrier round = new CyclicBarrier(THREADS);
			List<Callable<Void>> callers = IntStream.range(0, THREADS).<Callable<Void>>mapToObj((caller) -> () -> {
				for (int i = 0; i < ROUNDS; i++) {
					round.await(1, TimeUnit.MINUTES);
					createScope("sequence-" + i, "scope-" + caller);
				}
				return null;
			}).toList();
			for (Future<Void> done : executor.invokeAll(callers)) {
				done.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		for (int i = 0; i < ROUNDS; i++) {
			assertThat(this.store.scopes("sequence-" + i, "2026", deadline()).count()).isEqualTo(MAX_SCOPES);
		}
	}

	@Test
	void startIsRejectedInATransactionThatHasDrawn() {
		Draws draws = new Draws("sequence", 1, 1, 10, MAX_SCOPES, null);
		IdScope scope = new IdScope(List.of("north"), "2026");
		TransactionTemplate transaction = new TransactionTemplate(
				new DataSourceTransactionManager(TestDatabase.h2().pool(2)));
		transaction.executeWithoutResult((status) -> {
			this.store.draw(draws, scope, deadline());
			assertThatExceptionOfType(IdGenerationException.class)
				.isThrownBy(() -> this.store.start(draws, scope, 5, deadline()))
				.withMessageContaining("a transaction of this thread has drawn a number");
		});
		assertThat(this.store.start(draws, scope, 5, deadline())).as("after the transaction").isEqualTo(2);
	}

	private void createScope(String sequence, String scope) {
		try {
			this.store.start(new Draws(sequence, 1, 1, 10, MAX_SCOPES, null), new IdScope(List.of(scope), "2026"), 5,
					deadline());
		}
		catch (IdGenerationException ex) {
			assertThat(ex).hasMessageContaining("as many as max-scopes allows");
		}
	}

	private static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofMinutes(1));
	}

}
