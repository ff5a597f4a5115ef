package dev.idspring.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What operators should know about a store.
 *
 * @param type the kind of store, such as {@code jdbc} or {@code memory}
 * @param database the product behind it, or {@code null} if there is none
 * @param warnings what could lose reservations and cannot be mended from here, such as a
 * server that acknowledges commits before they are on disk
 * @since 0.1.0
 */
public record StoreDescription(String type, @Nullable String database, List<String> warnings) {

	/**
	 * Create a description.
	 */
	public StoreDescription {
		warnings = List.copyOf(warnings);
	}

}
