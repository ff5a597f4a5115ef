package dev.idspring.block;

import java.time.Duration;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.KeySpaceSnapshot;
import dev.idspring.store.OrdinalRange;

/**
 * Is told what happens between a generator and its store. Called on the thread that talks
 * to the store, with no lock held; what it throws is ignored.
 *
 * @since 0.1.0
 */
public interface ReservationListener {

	/**
	 * The key space was opened; nothing has been reserved by this generator yet. Called
	 * on the thread that opens the generator.
	 * @param generator the name of the generator
	 * @param keySpaceName the name of the key space
	 * @param keySpace the key space
	 * @param remaining how many keys were not reserved then
	 */
	default void opened(String generator, String keySpaceName, KeySpace keySpace, long remaining) {
	}

	/**
	 * The key space was opened with fewer keys than somebody asked for before. Told right
	 * after {@link #opened}.
	 * @param generator the name of the generator
	 * @param keySpaceName the name of the key space
	 * @param capacity how many keys this generator uses at most
	 * @param stored how many keys the store remembers
	 */
	default void lowered(String generator, String keySpaceName, long capacity, long stored) {
	}

	/**
	 * A range was reserved.
	 * @param generator the name of the generator
	 * @param range the range, empty if the key space is used up
	 * @param took how long the store took
	 */
	default void reserved(String generator, OrdinalRange range, Duration took) {
	}

	/**
	 * An attempt to reserve failed. It will be repeated.
	 * @param generator the name of the generator
	 * @param failure what went wrong
	 * @param inMemory how many ids are left in memory
	 */
	default void failed(String generator, RuntimeException failure, long inMemory) {
	}

	/**
	 * Not much is left of the key space. Told once a day, after a reservation.
	 * @param generator the name of the generator
	 * @param keySpace what is left, and until when
	 */
	default void low(String generator, KeySpaceSnapshot keySpace) {
	}

	/**
	 * The generator stopped for good, because going on could repeat ids.
	 * @param generator the name of the generator
	 * @param reason why
	 */
	default void stopped(String generator, RuntimeException reason) {
	}

	/**
	 * The generator was closed.
	 * @param generator the name of the generator
	 * @param givenBack how many ids went back to the store
	 * @param abandoned how many reserved ordinals will never be used
	 */
	default void closed(String generator, long givenBack, long abandoned) {
	}

}
