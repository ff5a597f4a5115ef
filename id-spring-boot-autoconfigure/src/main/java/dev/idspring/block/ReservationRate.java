package dev.idspring.block;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How fast the counter of a key space rises, all instances taken together, as seen by
 * this instance. Measured from a mark that is replaced now and then, so that the rate
 * follows changes.
 * <p>
 * Not thread-safe: guarded by the lock of the server it belongs to.
 */
final class ReservationRate {

	private static final long TOO_EARLY = Duration.ofMinutes(1).toNanos();

	private static final long NEXT_MARK = Duration.ofMinutes(30).toNanos();

	private @Nullable Observation mark;

	private @Nullable Observation nextMark;

	private @Nullable Observation last;

	void observe(long nextOrdinal, long nanos) {
		Observation observation = new Observation(nextOrdinal, nanos);
		if (this.mark == null || nextOrdinal < this.mark.nextOrdinal) {
			// the first one, or what was reserved has been given back
			this.mark = observation;
			this.nextMark = observation;
		}
		else if (this.nextMark != null && nanos - this.nextMark.nanos >= NEXT_MARK) {
			this.mark = this.nextMark;
			this.nextMark = observation;
		}
		this.last = observation;
	}

	/**
	 * Return the rate.
	 * @return ordinals reserved per second, or {@code null} if it is too early to tell
	 */
	@Nullable Double perSecond() {
		if (this.mark == null || this.last == null || this.last.nanos - this.mark.nanos < TOO_EARLY) {
			return null;
		}
		return (this.last.nextOrdinal - this.mark.nextOrdinal) / ((this.last.nanos - this.mark.nanos) / 1e9);
	}

	private record Observation(long nextOrdinal, long nanos) {

	}

}
