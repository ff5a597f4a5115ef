package dev.idspring.block;

import dev.idspring.keyspace.KeySpace;

/**
 * A key space, and how it is reserved for one generator.
 *
 * @param opened the key space
 * @param reservations how its ordinals are reserved
 * @param forecast how fast that goes, and when it ends
 */
record ReservedKeySpace(OpenedKeySpace opened, Reservations reservations, ReservationForecast forecast) {

	String name() {
		return this.opened.stored().name();
	}

	KeySpace keySpace() {
		return this.opened.keySpace();
	}

}
