package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;

import dev.idspring.block.SlotListener;
import dev.idspring.monitor.KeySpaceSnapshot;

/**
 * Is told what happens to the node of a generator. Called on the thread that talks to the
 * store; must not throw.
 *
 * @since 0.1.0
 */
public interface NodeListener extends SlotListener {

	/**
	 * The node's window was moved, so ids flow until then.
	 * @param generator the name of the generator
	 * @param number the number of the node
	 * @param windowEnd up to when times are reserved, exclusive
	 */
	default void reserved(String generator, long number, Instant windowEnd) {
	}

	/**
	 * No node could be claimed, or its window could not be moved. It will be tried again.
	 * @param generator the name of the generator
	 * @param failure what went wrong
	 * @param left for how long ids flow all the same
	 */
	default void failed(String generator, RuntimeException failure, Duration left) {
	}

	/**
	 * The last instant that ids can carry is near. Told once a day, after a renewal.
	 * @param generator the name of the generator
	 * @param keySpace what is left, and until when
	 */
	default void low(String generator, KeySpaceSnapshot keySpace) {
	}

	/**
	 * The generator will hand out no more ids.
	 * @param generator the name of the generator
	 * @param reason why
	 */
	default void stopped(String generator, RuntimeException reason) {
	}

}
