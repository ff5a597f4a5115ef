package dev.idspring.block;

import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySteps;

/**
 * Our lanes, as they would be if no chunk were ever used up: all that a generator does
 * for an id, but for the call that asks for more. What that call costs though it is
 * seldom made, compilers having to keep things safe from it, is the difference to a
 * generator.
 */
public final class EndlessLanes {

	private static final KeySpace KEY_SPACE = new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0).resolve(null);

	private final KeySteps steps;

	private final Lane[] lanes = new Lanes(64, 64).owned();

	/**
	 * Create lanes.
	 */
	public EndlessLanes() {
		KeySteps steps = KEY_SPACE.steps(0);
		if (steps == null) {
			throw new IllegalStateException("The key space has no steps");
		}
		this.steps = steps;
	}

	/**
	 * Fill the lane of the calling thread with as many ordinals as will last for seconds.
	 */
	public void fill() {
		Thread thread = Thread.currentThread();
		Lane lane = Lane.of(thread, this.lanes);
		if (lane.owner != null && lane.owner != thread) {
			throw new IllegalStateException("Two threads have one lane");
		}
		lane.owner = thread;
		lane.fill(0, Integer.MAX_VALUE, KEY_SPACE.key(0), this.steps);
	}

	/**
	 * Return the next key, as a generator does.
	 * @throws IllegalStateException if the lane has not been filled
	 */
	public long nextLong() {
		Thread thread = Thread.currentThread();
		Lane lane = Lane.of(thread, this.lanes);
		if (!lane.isReadyFor(thread)) {
			throw new IllegalStateException("The lane is empty");
		}
		return lane.next();
	}

}
