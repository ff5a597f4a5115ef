package dev.idspring.monitor;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * How fast a key space is reserved, all instances taken together, as seen by this
 * instance. Measured from a mark that is replaced now and then, so that the rate follows
 * changes.
 */
public final class ReservationRate {

	private static final long TOO_EARLY = Duration.ofMinutes(1).toNanos();

	private static final long NEXT_MARK = Duration.ofMinutes(30).toNanos();

	private final Lock lock = new ReentrantLock();

	private @Nullable Observation mark;

	private @Nullable Observation nextMark;

	private @Nullable Observation last;

	/**
	 * Take note of how much is reserved.
	 * @param reserved how many ids are reserved
	 * @param nanos when that was seen, as a reading of a clock that never goes backwards
	 */
	public void observe(long reserved, long nanos) {
		this.lock.lock();
		try {
			add(new Observation(reserved, nanos));
		}
		finally {
			this.lock.unlock();
		}
	}

	private void add(Observation observation) {
		if (this.mark == null || observation.reserved < this.mark.reserved) {
			// the first one, or what was reserved has been given back
			this.mark = observation;
			this.nextMark = observation;
		}
		else if (this.nextMark != null && observation.nanos - this.nextMark.nanos >= NEXT_MARK) {
			this.mark = this.nextMark;
			this.nextMark = observation;
		}
		this.last = observation;
	}

	/**
	 * Return the rate.
	 * @return ordinals reserved per second, or {@code null} if it is too early to tell
	 */
	public @Nullable Double perSecond() {
		this.lock.lock();
		try {
			if (this.mark == null || this.last == null || this.last.nanos - this.mark.nanos < TOO_EARLY) {
				return null;
			}
			return (this.last.reserved - this.mark.reserved) / ((this.last.nanos - this.mark.nanos) / 1e9);
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Observation(long reserved, long nanos) {

	}

}
