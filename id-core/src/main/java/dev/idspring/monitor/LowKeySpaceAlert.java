package dev.idspring.monitor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Sees to it that somebody is told once a day that a key space is low.
 *
 * @since 0.1.0
 */
public final class LowKeySpaceAlert {

	private static final long A_DAY = Duration.ofDays(1).toNanos();

	private final AtomicLong next;

	/**
	 * Create a warning that has not been given yet.
	 * @param nanos a reading of a clock that never goes backwards
	 */
	public LowKeySpaceAlert(long nanos) {
		this.next = new AtomicLong(nanos);
	}

	/**
	 * Return what to warn of.
	 * @param nanos a reading of the same clock
	 * @param low looks at the key space, and returns {@code null} if it is not low: is
	 * asked with each reservation until there was a warning, and so must not take long
	 * @return the key space if it is low and that has not been said today, else
	 * {@code null}
	 */
	public @Nullable KeySpaceSnapshot of(long nanos, Supplier<@Nullable KeySpaceSnapshot> low) {
		long due = this.next.get();
		if (nanos - due < 0) {
			return null;
		}
		KeySpaceSnapshot found = low.get();
		return (found != null && this.next.compareAndSet(due, nanos + A_DAY)) ? found : null;
	}

}
