package dev.idspring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.GaplessStore.Draw;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the sequences of {@link JdbcGaplessStore}, with a subclass for each database.
 * The numbers of a sequence are consecutive, even after rollbacks. The superclasses
 * contain the tests for transactions and conflicts.
 */
abstract class JdbcGaplessStoreTests extends JdbcGaplessStoreConflictTests {

	JdbcGaplessStoreTests(Kind kind) {
		super(kind);
	}

	@Test
	void drawFromAClosedSequenceIsRejected() {
		JdbcTemplate jdbc = new JdbcTemplate(this.pool);
		transaction(this.pool).executeWithoutResult((status) -> draw());
		jdbc.update("update ids_gapless set scope_count = -1 where name = ?", NAME);
		assertThatExceptionOfType(KeySpaceMismatchException.class)
			.isThrownBy(() -> transaction(this.pool).execute((status) -> draw()))
			.withMessageContaining("was closed by the script that the command 'leave' printed");
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void numbersAreConsecutive() {
		for (long number = 1; number < 5; number++) {
			long expected = number;
			transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(expected));
		}
		assertThat(next()).isEqualTo(5);
	}

	@Test
	void createDoesNotChangeAnExistingSequence() {
		transaction(this.pool).execute((status) -> draw());
		open(this.pool).create(NAME, 1, TestStores.deadline());
		assertThat(next()).isEqualTo(2);
	}

	@Test
	void sequenceIsCreatedOnceWhenManyInstancesStartTogether() {
		List<CompletableFuture<Void>> starts = IntStream.range(0, 8).mapToObj((i) -> CompletableFuture.runAsync(() -> {
			JdbcGaplessStore other = open(this.pool);
			other.create("together", 7, TestStores.deadline());
			assertThat(other.next("together", TestStores.deadline())).isEqualTo(7);
		}, (task) -> new Thread(task).start())).toList();
		starts.forEach(CompletableFuture::join);
	}

	@Test
	void rollbackReturnsTheNumbers() {
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(draw()).isEqualTo(1);
			assertThat(draw()).isEqualTo(2);
			status.setRollbackOnly();
		});
		transaction(this.pool).executeWithoutResult((status) -> assertThat(draw()).isEqualTo(1));
	}

	@Test
	void bulkDrawsAreConsecutiveAndAllOrNothing() {
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(this.store.draw(NAME, 10, 15, longDeadline())).isEqualTo(new Draw(true, 1));
			assertThat(this.store.draw(NAME, 6, 15, longDeadline())).isEqualTo(new Draw(false, 11));
			assertThat(this.store.draw(NAME, 20, 15, longDeadline())).isEqualTo(new Draw(false, 11));
			assertThat(this.store.draw(NAME, 5, 15, longDeadline())).isEqualTo(new Draw(true, 11));
			assertThat(this.store.draw(NAME, 1, 15, longDeadline())).isEqualTo(new Draw(false, 16));
		});
		assertThat(next()).isEqualTo(16);
	}

	@Test
	void largestPossibleNumberIsDrawn() {
		this.store.create("far", Long.MAX_VALUE - 2, TestStores.deadline());
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(this.store.draw("far", 2, Long.MAX_VALUE - 1, longDeadline()))
				.isEqualTo(new Draw(true, Long.MAX_VALUE - 2));
			assertThat(this.store.draw("far", 1, Long.MAX_VALUE - 1, longDeadline()))
				.isEqualTo(new Draw(false, Long.MAX_VALUE));
		});
	}

	@Test
	void drawFailsIfTheSequenceHasVanished() {
		TestDatabase.execute(this.pool, "delete from ids_gapless");
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> transaction(this.pool).execute((status) -> draw()))
			.withMessageContaining("'invoices' has vanished");
	}

	@Test
	void sixteenThreadsWithRollbacksAndLostConnectionsLeaveNoGap() {
		insertInParallel(List.of(this.store), List.of(this.pool), 16, true);
	}

	@Test
	void twoInstancesLeaveNoGap() {
		HikariDataSource otherPool = otherPool(8);
		// no rollbacks on H2, because H2 2.4.240 sometimes loses an update when another
		// transaction is rolled back
		boolean rollsBack = this.kind != Kind.H2 && this.kind != Kind.H2_FILE;
		insertInParallel(List.of(this.store, open(otherPool)), List.of(this.pool, otherPool), 8, rollsBack);
	}

	private void insertInParallel(List<JdbcGaplessStore> stores, List<HikariDataSource> pools, int threads,
			boolean rollsBack) {
		List<CompletableFuture<Integer>> writers = new ArrayList<>();
		for (int instance = 0; instance < stores.size(); instance++) {
			for (int i = 0; i < threads; i++) {
				JdbcGaplessStore store = stores.get(instance);
				HikariDataSource dataSource = pools.get(instance);
				Random random = new Random(100 * instance + i);
				writers.add(CompletableFuture.supplyAsync(() -> insert(store, dataSource, random, rollsBack),
						(task) -> new Thread(task).start()));
			}
		}
		int committed = writers.stream().mapToInt(CompletableFuture::join).sum();
		List<Long> numbers = new JdbcTemplate(this.pool).queryForList("select id from invoice order by id", Long.class);
		assertThat(committed).isGreaterThan(50);
		assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, committed).boxed().toList());
		assertThat(next()).isEqualTo(committed + 1);
	}

	/**
	 * Insert rows in transactions.
	 * @param rollsBack whether some transactions are rolled back, and some lose their
	 * connection
	 * @return the number of committed rows
	 */
	private static int insert(JdbcGaplessStore store, HikariDataSource dataSource, Random random, boolean rollsBack) {
		int committed = 0;
		for (int i = 0; i < 20; i++) {
			int count = 1 + random.nextInt(3);
			int outcome = rollsBack ? random.nextInt(10) : Integer.MAX_VALUE;
			Supplier<Integer> rows = () -> transaction(dataSource).execute((status) -> {
				long first = store.draw(NAME, count, LAST, longDeadline()).first();
				for (long number = first; number < first + count; number++) {
					new JdbcTemplate(dataSource).update("insert into invoice (id) values (?)", number);
				}
				if (outcome == 0) {
					loseConnection(dataSource);
				}
				if (outcome <= 3) {
					throw new SimulatedException();
				}
				return count;
			});
			try {
				committed += rows.get();
			}
			catch (SimulatedException ex) {
				// rolled back
			}
			catch (RuntimeException ex) {
				// expected if the connection was lost, or on H2, which waits only 2 s for
				// a lock
				if (outcome != 0 && (rollsBack || !(ex instanceof ConcurrencyFailureException))) {
					throw ex;
				}
			}
		}
		return committed;
	}

	private static void loseConnection(DataSource dataSource) {
		try {
			DataSourceUtils.getConnection(dataSource).unwrap(Connection.class).abort(Runnable::run);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static final class SimulatedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
