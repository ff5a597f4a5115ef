package dev.idspring.block;

import dev.idspring.keyspace.KeySpace;

/**
 * A key space, and how it is reserved for one generator.
 *
 * @param name the name of the key space in its store
 * @param keySpace the key space
 * @param reservations how its ordinals are reserved
 * @param forecast how fast that goes, and when it ends
 */
record ReservedKeySpace(String name, KeySpace keySpace, Reservations reservations, ReservationForecast forecast) {

}
