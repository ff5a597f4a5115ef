package dev.idspring.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A time source that changes only when a test changes it.
 */
public final class TestTimeSource implements TimeSource {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final AtomicLong nanos = new AtomicLong();

	private final AtomicLong wallClockOffset = new AtomicLong();

	@Override
	public long nanoTime() {
		return this.nanos.get();
	}

	@Override
	public Instant instant() {
		return START.plusNanos(this.nanos.get()).plusMillis(this.wallClockOffset.get());
	}

	/**
	 * Set the wall clock ahead or back, without any effect on {@link #nanoTime()}.
	 */
	public void jump(Duration duration) {
		this.wallClockOffset.addAndGet(duration.toMillis());
	}

	public void advance(Duration duration) {
		this.nanos.addAndGet(duration.toNanos());
	}

}
