package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

import dev.idspring.ClockException;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TimeIdGenerator} during bursts. In a burst, a generator issues ids
 * without reading the clock until the next tick of its {@link ClockTicker}.
 */
class TimeIdGeneratorBurstTests extends AbstractTimeIdGeneratorTests {

	/**
	 * Draw 10,000 ids, for most of which the clock is not read.
	 */
	private static long burst(TimeIdGenerator ids, RunningTime time) {
		long before = time.readings();
		long last = 0;
		for (int i = 0; i < 10_000; i++) {
			last = ids.nextLong();
		}
		assertThat(time.readings() - before).isLessThan(1_000);
		assertThat(ids.snapshot().issued() % 10_000).isZero();
		return last;
	}

	@Test
	void idsHaveTheCurrentTimeAfterABurstAndAPause() {
		RunningTime running = new RunningTime(this.time);
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker()));
		for (int i = 0; i < 10; i++) {
			burst(ids, running);
			running.ticker().tick();
			this.time.advance(Duration.ofSeconds(10));
			assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(this.time.instant());
			ids.nextLongs(9_999);
		}
	}

	@Test
	void processThatWasFrozenInABurstIssuesFewIdsWithAPastTime() {
		RunningTime running = new RunningTime(this.time);
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker()));
		burst(ids, running);
		this.time.advance(Duration.ofSeconds(10));
		int late = 0;
		while (ids.describe(ids.nextLong()).time().isBefore(this.time.instant())) {
			late++;
		}
		assertThat(late).isBetween(1, TimeSequence.USUAL_COUNT);
	}

	@Test
	void clockJumpInABurstIsDetectedWithTheNextTick() {
		TestTimeSource instanceTime = new TestTimeSource();
		RunningTime running = new RunningTime(instanceTime);
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker()));
		burst(ids, running);
		instanceTime.jump(Duration.ofDays(365));
		running.ticker().tick();
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong);
		assertThat(ids.snapshot().clock().jumps()).isEqualTo(1);
	}

	@Test
	void clockJumpInABurstIsDetectedWithoutATick() {
		TestTimeSource instanceTime = new TestTimeSource();
		RunningTime running = new RunningTime(instanceTime);
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker()));
		burst(ids, running);
		instanceTime.jump(Duration.ofDays(365));
		assertThatExceptionOfType(ClockException.class).isThrownBy(() -> {
			for (int i = 0; i <= TimeSequence.USUAL_COUNT; i++) {
				ids.nextLong();
			}
		});
	}

	@Test
	void closeEndsABurst() {
		RunningTime running = new RunningTime(this.time);
		TimeIdGenerator stored = open(builder(STANDARD).timeSource(running).ticker(running.ticker()));
		TimeIdGenerator withoutStore = open(TimeIdGenerator.builder("alone", STANDARD)
			.node(new NodeSettings("fixed", 9L, LEASE))
			.timeSource(running)
			.ticker(running.ticker()));
		for (TimeIdGenerator ids : List.of(stored, withoutStore)) {
			burst(ids, running);
			ids.close();
			assertThatIllegalStateException().isThrownBy(ids::nextLong);
			assertThat(ids.snapshot().issued()).isEqualTo(10_000);
		}
	}

	@Test
	void lostNodeEndsABurst() {
		RunningTime running = new RunningTime(this.time);
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).timeSource(running).ticker(running.ticker()), executor);
		long last = burst(ids, running);
		this.time.advance(LEASE.plusSeconds(5));
		open(builder(STANDARD));
		executor.runDelayed();
		assertThat(this.events).contains("lost 0");
		long next = ids.nextLong();
		assertThat(next).isGreaterThan(last);
		assertThat(ids.describe(next).node()).isEqualTo(1);
		assertThat(ids.snapshot().issued()).as("ids of both nodes").isEqualTo(10_001);
	}

	/**
	 * Uses the clocks of the machine.
	 */
	@Test
	void generatorsShareATickerWhoseThreadEndsByItself() throws InterruptedException {
		BlockingQueue<Thread> started = new LinkedBlockingQueue<>();
		ClockTicker ticker = new ClockTicker((task) -> {
			Thread thread = new Thread(task);
			started.add(thread);
			thread.start();
		});
		List<TimeIdGenerator> generators = IntStream.range(0, 3)
			.mapToObj((node) -> open(TimeIdGenerator.builder("test", STANDARD)
				.node(new NodeSettings("fixed", (long) node, LEASE))
				.clock(new ClockSettings(Duration.ofMillis(5), Duration.ofMinutes(1)))
				.ticker(ticker)))
			.toList();
		for (int i = 0; i < 20_000; i++) {
			generators.forEach(TimeIdGenerator::nextLong);
		}
		assertThat(started).isNotEmpty();
		while (!started.isEmpty()) {
			Thread thread = started.remove();
			thread.join();
		}
		TimeSource system = TimeSource.system();
		for (TimeIdGenerator ids : generators) {
			Instant timeInId = ids.describe(ids.nextLong()).time();
			while (!system.instant().isAfter(timeInId.plusMillis(1))) {
				Thread.onSpinWait();
			}
			Instant before = system.instant().truncatedTo(ChronoUnit.MILLIS);
			assertThat(ids.describe(ids.nextLong()).time()).isAfterOrEqualTo(before);
		}
		assertThat(started).isEmpty();
	}

}
