package dev.idspring.time;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;

/**
 * The clocks of a test, which claim to advance by themselves. The ticker ticks only when
 * the test calls it.
 */
final class RunningTime implements TimeSource {

	private final AtomicLong readings = new AtomicLong();

	private final ClockTicker ticker = new ClockTicker((task) -> {
	});

	private final TestTimeSource source;

	RunningTime(TestTimeSource source) {
		this.source = source;
	}

	ClockTicker ticker() {
		return this.ticker;
	}

	/**
	 * Return how often the wall clock has been read.
	 */
	long readings() {
		return this.readings.get();
	}

	@Override
	public long nanoTime() {
		return this.source.nanoTime();
	}

	@Override
	public Instant instant() {
		this.readings.incrementAndGet();
		return this.source.instant();
	}

	@Override
	public boolean advancesByItself() {
		return true;
	}

}
