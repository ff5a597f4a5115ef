package dev.idspring.block;

import dev.idspring.keyspace.KeySpace;

/**
 * A key space that agrees with what its store remembers.
 *
 * @param keySpace the key space
 * @param nextOrdinal the first ordinal that was not reserved when it was opened
 */
record OpenedKeySpace(KeySpace keySpace, long nextOrdinal) {

}
