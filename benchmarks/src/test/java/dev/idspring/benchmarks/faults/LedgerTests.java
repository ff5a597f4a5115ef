package dev.idspring.benchmarks.faults;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import dev.idspring.benchmarks.faults.FaultResults.Measured;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ledger}.
 */
class LedgerTests {

	private static final long SECOND = 1_000_000_000;

	private static final int PROCESS = 3;

	@TempDir
	private Path directory;

	private final long begin = System.nanoTime();

	@Test
	void countsIdsAndMissingNumbersOfAllInstances() throws Exception {
		write(1, 11, 12, 13);
		write(2, 13, 17);
		Measured measured = measure(Ledger.Life.RUNNING, this.begin + SECOND, true);
		assertThat(measured.drawn()).isEqualTo(5);
		assertThat(measured.twice()).isEqualTo(1);
		assertThat(measured.lost()).isEqualTo(3);
		assertThat(measure(Ledger.Life.RUNNING, this.begin + SECOND, false).lost()).isNull();
	}

	@Test
	void distinguishesIdsThatDifferOnlyInTheUpperHalf() throws Exception {
		try (Ledger.Writer writer = Ledger.writer(this.directory, Peer.UUID7, PROCESS, 1)) {
			writer.begin();
			writer.recordDrawn(this.begin, new UUID(1, 1));
			writer.recordDrawn(this.begin, new UUID(2, 1));
		}
		assertThat(measure(Ledger.Life.RUNNING, this.begin, false).twice()).isZero();
	}

	@Test
	void waitBeginsWithTheFirstRequestAndEachFailureIsListedOnce() throws Exception {
		try (Ledger.Writer writer = Ledger.writer(this.directory, Peer.UUID7, PROCESS, 1)) {
			writer.begin();
			writer.recordDrawn(System.nanoTime() - 7 * SECOND, new UUID(0, 1));
			writer.recordFailure(new IllegalStateException("1 s"));
			writer.recordFailure(new IllegalStateException("2 s"));
			writer.recordFailure(new IllegalStateException("other"));
			writer.end();
		}
		Measured measured = Ledger.read(this.directory, Peer.UUID7)
			.measure(this.begin - 60 * SECOND, this.begin + 60 * SECOND, Map.of(PROCESS, Ledger.Life.RUNNING), 0,
					false);
		assertThat(measured.longestMillis()).isBetween(7_000L, 8_000L);
		assertThat(measured.failures())
			.isEqualTo("java.lang.IllegalStateException: 1 s\njava.lang.IllegalStateException: other");
	}

	@Test
	void countsTheWaitUntilTheMeasurementEndsWhenNoFurtherIdArrives() throws Exception {
		write(1, 1);
		assertThat(measure(Ledger.Life.RUNNING, this.begin + 60 * SECOND, false).longestMillis()).isBetween(59_000L,
				60_000L);
	}

	@Test
	void countsTheWaitForTheFirstIdUntilRequestsEnd() throws Exception {
		try (Ledger.Writer writer = Ledger.writer(this.directory, Peer.UUID7, PROCESS, 1)) {
			writer.begin();
			LockSupport.parkNanos(20_000_000);
			writer.end();
		}
		assertThat(measure(Ledger.Life.RUNNING, this.begin + 60 * SECOND, false).longestMillis()).isBetween(10L,
				10_000L);
	}

	@Test
	void doesNotCountAWaitAfterTheProcessWasKilled() throws Exception {
		write(1, 1);
		assertThat(measure(new Ledger.Life(this.begin + 2 * SECOND, 0, 0), this.begin + 60 * SECOND, false)
			.longestMillis()).isBetween(1_000L, 2_000L);
	}

	@Test
	void doesNotCountAWaitWhileTheProcessIsFrozen() throws Exception {
		write(1, 1);
		Ledger.Life frozen = new Ledger.Life(Long.MAX_VALUE, this.begin + 10 * SECOND, this.begin + 50 * SECOND);
		assertThat(measure(frozen, this.begin + 60 * SECOND, false).longestMillis()).isBetween(19_000L, 20_000L);
	}

	private void write(int instance, long... ids) throws Exception {
		try (Ledger.Writer writer = Ledger.writer(this.directory, Peer.UUID7, PROCESS, instance)) {
			writer.begin();
			for (long id : ids) {
				writer.recordDrawn(System.nanoTime(), new UUID(0, id));
			}
		}
	}

	private Measured measure(Ledger.Life life, long to, boolean isCounter) throws Exception {
		return Ledger.read(this.directory, Peer.UUID7).measure(this.begin, to, Map.of(PROCESS, life), 0, isCounter);
	}

}
