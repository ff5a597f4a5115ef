package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;

import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.time.NodeClock.Reading;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;

/**
 * The objects and settings that the parts of a time-based generator share.
 *
 * @param generator the name of the generator
 * @param keySpaceName the name of the key space
 * @param layout the layout of the ids
 * @param sequences the sequences that issue the ids
 * @param clock the clock that computes the time for new ids
 * @param maxAhead how many milliseconds the times of ids may be ahead of the clock
 * @param waitTimeout how long a caller may wait, and how long a request to the store may
 * take
 * @param timeSource the clocks of the machine
 * @param sleeper the sleeper that suspends threads
 * @param listeners the listeners of the generator
 * @param renewalSeed the seed for the random intervals of renewals
 */
record TimeContext(String generator, String keySpaceName, TimeLayout layout, TimeSequences sequences, NodeClock clock,
		long maxAhead, Duration waitTimeout, TimeSource timeSource, Sleeper sleeper, Listeners listeners,
		long renewalSeed) {

	/**
	 * Convert a reading of the clock to milliseconds since the epoch of the layout.
	 */
	long time(Reading reading) {
		return reading.millis() - this.layout.epoch().toEpochMilli();
	}

	/**
	 * Convert a time of the store's clock to milliseconds since the epoch of the layout.
	 */
	long time(Instant storeTime) {
		return storeTime.toEpochMilli() - this.layout.epoch().toEpochMilli();
	}

	/**
	 * Return the deadline for a wait, or for a request to the store, that begins now.
	 */
	Deadline deadline() {
		return Deadline.after(this.timeSource, this.waitTimeout);
	}

	/**
	 * Return the current time for new ids, in milliseconds since the epoch of the layout.
	 */
	long now() {
		return time(this.clock.read());
	}

	String message(String problem) {
		return "Id generator '" + this.generator + "' " + problem;
	}

	KeySpaceExhaustedException exhausted() {
		return new KeySpaceExhaustedException(
				message("cannot create more ids: the last instant that they can contain is " + this.layout.lastInstant()
						+ ". Give the generator a new key space with a later epoch."));
	}

}
