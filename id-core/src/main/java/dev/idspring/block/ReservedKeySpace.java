package dev.idspring.block;

import java.util.List;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.Reservations;

/**
 * An open key space, together with what one generator needs to reserve keys in it.
 *
 * @param opened the key space, verified against its store
 * @param reservations reserves the ordinals of the key space
 * @param forecast estimates when the key space will be exhausted
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
	 * Return the warnings of the store, for the exception with which a generator stops.
	 * If the store fails, return its failure as a warning, so that the failure does not
	 * replace that exception.
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
