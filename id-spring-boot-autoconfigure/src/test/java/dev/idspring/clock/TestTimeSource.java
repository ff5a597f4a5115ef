package dev.idspring.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A time source that stands still until told otherwise.
 */
public final class TestTimeSource implements TimeSource {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final AtomicLong nanos = new AtomicLong();

	@Override
	public long nanoTime() {
		return this.nanos.get();
	}

	@Override
	public Instant instant() {
		return START.plusNanos(this.nanos.get());
	}

	public void advance(Duration duration) {
		this.nanos.addAndGet(duration.toNanos());
	}

}
