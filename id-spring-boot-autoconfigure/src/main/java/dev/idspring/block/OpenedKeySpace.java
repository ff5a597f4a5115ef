package dev.idspring.block;

import dev.idspring.keyspace.KeySpace;

/**
 * A key space that agrees with what its store remembers.
 *
 * @param name the name of the key space in its store
 * @param keySpace the key space
 * @param reservations how its ordinals are reserved
 */
record OpenedKeySpace(String name, KeySpace keySpace, Reservations reservations) {

}
