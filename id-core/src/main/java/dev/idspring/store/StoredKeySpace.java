package dev.idspring.store;

/**
 * What a store remembers of a key space.
 *
 * @param name the name of the key space, its key in the store
 * @param definition the definition under which it was created
 * @param capacity the highest upper bound any instance has asked for
 * @param nextOrdinal the first ordinal that is not reserved yet, which is also how many
 * are reserved
 * @since 0.1.0
 */
public record StoredKeySpace(String name, String definition, long capacity, long nextOrdinal) {

}
