package dev.idspring.autoconfigure.actuate;

import java.util.Collection;
import java.util.List;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import org.jspecify.annotations.Nullable;

/**
 * The store of the key spaces.
 *
 * @param type the kind of store
 * @param database the product behind it, or {@code null} if there is none
 * @param status {@code UP} if it answered, {@code DOWN} if it did not
 * @param warnings what could lose reservations and cannot be mended by the application
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record StoreDescriptor(String type, @Nullable String database, String status, List<String> warnings) {

	private static final String NOTHING_IS_REMEMBERED = "There is no store: ids repeat if two instances have the same"
			+ " node number, or after a restart with a clock that was set back.";

	static StoreDescriptor of(@Nullable KeySpaceStore store, Collection<GeneratorSnapshot> generators) {
		StoreDescription description = (store != null) ? store.describe()
				: new StoreDescription("none", null, generators.isEmpty() ? List.of() : List.of(NOTHING_IS_REMEMBERED));
		boolean failing = generators.stream().map(GeneratorSnapshot::storeFailure).anyMatch(Objects::nonNull);
		return new StoreDescriptor(description.type(), description.database(), failing ? "DOWN" : "UP",
				description.warnings());
	}

}
