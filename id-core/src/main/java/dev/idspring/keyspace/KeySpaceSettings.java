package dev.idspring.keyspace;

import org.jspecify.annotations.Nullable;

/**
 * What a user has said about a key space. Some of it may be left open; what is open is
 * decided when the key space is first created, and read back from its stored definition
 * ever after.
 *
 * @since 0.1.0
 */
public interface KeySpaceSettings {

	/**
	 * Build the key space.
	 * @param storedDefinition the {@link KeySpace#definition() definition} under which
	 * the key space was created, from which everything left open is taken, or
	 * {@code null} if it does not exist yet. Nothing that was said is ever overridden by
	 * it: the caller must compare the definitions
	 * @return the key space
	 */
	KeySpace resolve(@Nullable String storedDefinition);

}
