package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;

import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.time.NodeClock.Reading;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;

/**
 * What the parts of a time-based generator share.
 *
 * @param generator the name of the generator
 * @param keySpaceName the name of the key space
 * @param layout the layout, which limits times
 * @param sequences the sequences of its nodes
 * @param clock the clock
 * @param maxAhead how many milliseconds ids may be ahead of the clock
 * @param waitTimeout how long a request to the store may take
 * @param timeSource the source of time
 * @param pause lets threads wait
 * @param listeners are notified of events
 * @param key makes the times of renewals differ from those of other instances
 */
record TimeContext(String generator, String keySpaceName, TimeLayout layout, TimeSequences sequences, NodeClock clock,
		long maxAhead, Duration waitTimeout, TimeSource timeSource, Sleeper pause, Listeners listeners, long key) {

	/**
	 * Return the time of a reading of the clock, in milliseconds since the epoch of the
	 * layout.
	 */
	long time(Reading reading) {
		return reading.millis() - this.layout.epoch().toEpochMilli();
	}

	/**
	 * Return what the store's clock shows, in milliseconds since the epoch of the layout.
	 */
	long time(Instant store) {
		return store.toEpochMilli() - this.layout.epoch().toEpochMilli();
	}

	/**
	 * Return the deadline of a request to the store that begins now.
	 */
	Deadline deadline() {
		return Deadline.after(this.timeSource, this.waitTimeout);
	}

	/**
	 * Return the time that ids carry now, in milliseconds since the epoch of the layout.
	 */
	long now() {
		return time(this.clock.read());
	}

	String named(String problem) {
		return "Id generator '" + this.generator + "' " + problem;
	}

	KeySpaceExhaustedException exhausted() {
		return new KeySpaceExhaustedException(named("can make no more ids: the last instant they can carry is "
				+ this.layout.lastInstant() + ". Give it a new key space with a later epoch."));
	}

}
