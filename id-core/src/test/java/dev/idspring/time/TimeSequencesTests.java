package dev.idspring.time;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.time.TimeScheme.Tail;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the number of issued ids that {@link TimeSequences} returns.
 */
class TimeSequencesTests extends AbstractFreshnessTests {

	@Test
	void issuedCountNeverDecreasesAndIsExactAtTheEnd() {
		TimeSequences sequences = new TimeSequences(layout(10, Tail.ROLLING), Tail.ROLLING, 1, this.ticker);
		AtomicLong clock = new AtomicLong(1_000);
		AtomicLong handedOutIds = new AtomicLong();
		AtomicBoolean finished = new AtomicBoolean();
		CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
			long last = 0;
			while (!finished.get()) {
				long issued = sequences.issued();
				assertThat(issued).isGreaterThanOrEqualTo(last);
				last = issued;
			}
		}, (task) -> new Thread(task).start());
		for (int node = 0; node < 5; node++) {
			TimeSequence sequence = sequences.begin(0, clock.incrementAndGet());
			List<CompletableFuture<Void>> callers = startThreads(3, (thread) -> {
				Random random = new Random(thread);
				for (int i = 0; i < 30_000; i++) {
					if (random.nextInt(100) == 0) {
						clock.incrementAndGet();
						this.ticker.tick();
					}
					if (random.nextInt(50) == 0) {
						long[] bulk = new long[40];
						boolean fails = random.nextBoolean();
						sequences.addPending(bulk.length);
						int takenCount = sequence.next(clock.get(), NO_LIMIT, bulk, 0);
						boolean succeeded = takenCount == bulk.length && !fails;
						sequences.addPending(succeeded ? -takenCount : takenCount - bulk.length);
						handedOutIds.addAndGet(succeeded ? takenCount : 0);
					}
					else {
						long id = sequence.next();
						if (id == TimeSequence.NONE) {
							sequence.next(clock.get(), NO_LIMIT);
						}
						handedOutIds.incrementAndGet();
					}
				}
				return null;
			});
			callers.forEach(CompletableFuture::join);
			assertThat(sequences.issued()).isEqualTo(handedOutIds.get());
			clock.set(sequence.seal());
			assertThat(sequences.issued()).isEqualTo(handedOutIds.get());
		}
		finished.set(true);
		reader.join();
	}

	@Test
	void issuedCountDoesNotDecreaseWhenABulkCallBegins() {
		TimeSequences sequences = new TimeSequences(layout(10, Tail.ROLLING), Tail.ROLLING, 1, this.ticker);
		TimeSequence sequence = sequences.begin(0, 1);
		for (int i = 0; i < 5; i++) {
			sequence.next(1, NO_LIMIT);
		}
		assertThat(sequences.issued()).isEqualTo(5);
		sequences.addPending(10);
		assertThat(sequences.issued()).isEqualTo(5);
		long[] bulk = new long[10];
		assertThat(sequence.next(1, NO_LIMIT, bulk, 0)).isEqualTo(10);
		assertThat(sequences.issued()).isEqualTo(5);
		sequences.addPending(-10);
		assertThat(sequences.issued()).isEqualTo(15);
	}

	/**
	 * The ids of each bulk call remain pending, as if each call had failed after taking
	 * them.
	 */
	@Test
	void issuedCountExcludesIdsOfFailedBulkCalls() {
		TimeSequences sequences = new TimeSequences(layout(20, Tail.ROLLING), Tail.ROLLING, 1, this.ticker);
		TimeSequence sequence = sequences.begin(0, 1);
		AtomicBoolean finished = new AtomicBoolean();
		CompletableFuture<Void> bulkCaller = CompletableFuture.runAsync(() -> {
			long[] bulk = new long[7];
			while (!finished.get()) {
				sequences.addPending(bulk.length);
				sequences.addPending(sequence.next(1, NO_LIMIT, bulk, 0) - bulk.length);
			}
		}, (task) -> new Thread(task).start());
		while (sequence.issued() < 2_100_000) {
			assertThat(sequences.issued()).isZero();
		}
		finished.set(true);
		bulkCaller.join();
		assertThat(sequences.issued()).isZero();
	}

}
