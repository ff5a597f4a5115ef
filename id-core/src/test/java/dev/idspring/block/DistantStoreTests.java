package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.testsupport.FewInvocations;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BlockEngine} with a store that answers slowly or grants less than was
 * requested.
 */
class DistantStoreTests extends AbstractEngineTests {

	private static final int IDS_PER_MILLISECOND = 1_000;

	@ParameterizedTest
	@CsvSource({ "50, 9000000000", "50, 60000", "200, 220000", "5, 9000000000", "200, 9000000000", "1000, 9000000000" })
	@FewInvocations(3)
	void issuesAMillionIdsASecondWithoutWaitingOnceBlocksHaveGrown(long reservationMillis, long largestGrant) {
		Callers callers = new Callers(engine(12, BlockSettings.defaults()), Duration.ofMillis(reservationMillis));
		this.store.largestGrant = largestGrant;
		callers.draw(Duration.ofSeconds(15), IDS_PER_MILLISECOND);
		assertThat(callers.waits).as("waits while blocks grow").isPositive();
		callers.waits = 0;
		callers.draw(Duration.ofSeconds(10), IDS_PER_MILLISECOND);
		assertThat(callers.waits).isZero();
	}

	@Test
	void blocksShrinkWhenTheRateFalls() {
		BlockEngine engine = engine(12, BlockSettings.defaults());
		Callers callers = new Callers(engine, Duration.ofMillis(50));
		callers.draw(Duration.ofSeconds(2), IDS_PER_MILLISECOND);
		assertThat(engine.snapshot().block().size()).isGreaterThanOrEqualTo(1_000_000);
		callers.draw(Duration.ofMinutes(5), 10);
		assertThat(engine.snapshot().block().size()).isLessThanOrEqualTo(300_000);
	}

	@Test
	void burstLeavesNoMoreThanTwoBlocksInMemory() {
		BlockEngine engine = engine(12, settings());
		engine.start();
		this.executor.run();
		this.store.beforeReserve = () -> this.time.advance(Duration.ofMillis(200));
		take(engine, 600);
		this.time.advance(Duration.ofNanos(1_000));
		this.executor.run();
		take(engine, 1_500);
		this.executor.run();
		BlockSnapshot block = engine.snapshot().block();
		assertThat(block.size()).isEqualTo(4_000);
		assertThat(block.remaining() + block.ahead()).isLessThanOrEqualTo(2 * block.size());
	}

	@Test
	void issuesEveryKeyWhenTheStoreGrantsOneAtATime() {
		BlockEngine engine = engine(2, settings());
		this.executor.runImmediately();
		this.store.largestGrant = 1;
		assertThat(take(engine, 100)).isEqualTo(ordinals(0, 100));
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(engine::take);
	}

	@Test
	void bulkCallCombinesSeveralGrants() {
		BlockEngine engine = engine(6, settings());
		this.executor.runImmediately();
		this.store.largestGrant = 100;
		assertThat(size(engine.take(950, null))).isEqualTo(950);
		assertThat(engine.snapshot().block().exhaustions()).isOne();
	}

	@Test
	void grantsOfABulkCallThatTimedOutAreUsedByOtherCallers() {
		BlockEngine engine = engine(6, settings());
		this.executor.runImmediately();
		this.store.largestGrant = 100;
		this.store.beforeReserve = () -> this.time.advance(Duration.ofSeconds(1));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> engine.take(950, null))
			.withMessageContaining("granted less");
		assertThat(this.store.reservedSizes()).as("one reservation a second until the timeout of five seconds")
			.containsExactly(100L, 100L, 100L, 100L, 100L);
		assertThat(size(engine.take(500, null))).isEqualTo(500);
	}

	@Test
	void waitingCallersAreServedBySuccessiveGrants() {
		BlockEngine engine = engine(6, settings(Duration.ofMinutes(1)));
		this.store.largestGrant = 1;
		List<CompletableFuture<Long>> callers = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			callers.add(CompletableFuture.supplyAsync(engine::take, (task) -> new Thread(task).start()));
		}
		Awaitility.await().until(() -> engine.snapshot().block().exhaustions() == 16);
		Awaitility.await().until(() -> {
			this.executor.run();
			return callers.stream().allMatch(CompletableFuture::isDone);
		});
		assertThat(callers.stream().map(CompletableFuture::join)).containsExactlyInAnyOrderElementsOf(ordinals(0, 16));
		assertThat(engine.snapshot().block().exhaustions()).as("each caller is counted once").isEqualTo(16);
	}

	private BlockEngine engine(int digits, BlockSettings settings) {
		KeySpace keySpace = digits(digits);
		return engine(keySpace, settings, Stripes.of(keySpace));
	}

	private static BlockSettings settings() {
		return settings(Duration.ofSeconds(5));
	}

	private static BlockSettings settings(Duration waitTimeout) {
		return new BlockSettings(1_000, 100_000, waitTimeout, Duration.ZERO);
	}

	private static List<Long> take(BlockEngine engine, int count) {
		return LongStream.range(0, count).map((i) -> engine.take()).boxed().toList();
	}

	private static long size(List<OrdinalRange> ranges) {
		return ranges.stream().mapToLong(OrdinalRange::size).sum();
	}

	/**
	 * Callers that request ids every millisecond, even while a reservation is running.
	 * Callers that find no ids are served later.
	 */
	private final class Callers {

		private final BlockEngine engine;

		private final Duration reservationTime;

		private int idsPerMillisecond;

		private long idsDue;

		private long waits;

		Callers(BlockEngine engine, Duration reservationTime) {
			this.engine = engine;
			this.reservationTime = reservationTime;
			DistantStoreTests.this.store.beforeReserve = this::drawDuringReservation;
			engine.start();
			DistantStoreTests.this.executor.run();
		}

		void draw(Duration duration, int idsPerMillisecond) {
			this.idsPerMillisecond = idsPerMillisecond;
			long end = DistantStoreTests.this.time.nanoTime() + duration.toNanos();
			while (DistantStoreTests.this.time.nanoTime() < end) {
				draw();
				DistantStoreTests.this.executor.run();
			}
		}

		private void drawDuringReservation() {
			for (int i = 0; i < this.reservationTime.toMillis(); i++) {
				draw();
			}
		}

		private void draw() {
			DistantStoreTests.this.time.advance(Duration.ofMillis(1));
			this.idsDue += this.idsPerMillisecond;
			BlockSnapshot block = this.engine.snapshot().block();
			long available = block.remaining() + block.ahead();
			this.waits += (available < this.idsDue) ? 1 : 0;
			for (long i = Math.min(available, this.idsDue); i > 0; i--) {
				this.engine.take();
				this.idsDue--;
			}
		}

	}

}
