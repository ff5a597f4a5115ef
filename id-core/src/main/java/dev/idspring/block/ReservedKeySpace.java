package dev.idspring.block;

import java.util.List;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.Reservations;

/**
 * A key space, and its reservations for one generator.
 *
 * @param opened the key space
 * @param reservations how its ordinals are reserved
 * @param forecast how fast it is reserved, and when it will be exhausted
 * @param store the store of the key space
 */
record ReservedKeySpace(OpenedKeySpace opened, Reservations reservations, ReservationForecast forecast,
		KeySpaceStore store) {

	String name() {
		return this.opened.stored().name();
	}

	KeySpace keySpace() {
		return this.opened.keySpace();
	}

	/**
	 * Return the warnings of the store. An exception of the store must not prevent the
	 * generator from stopping.
	 */
	List<String> storeWarnings() {
		try {
			return this.store.describe().warnings();
		}
		catch (RuntimeException ex) {
			return List.of("the store could not be described: " + ex);
		}
	}

}
