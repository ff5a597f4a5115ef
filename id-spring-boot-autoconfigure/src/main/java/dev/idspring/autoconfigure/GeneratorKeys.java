package dev.idspring.autoconfigure;

import java.util.List;
import java.util.function.Function;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.time.TimeLayout;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The range of a generator's ids, and a reader for the ids that have not been issued yet.
 *
 * @param keySpaceName the name of the key space
 * @param keySpace the key space, or {@code null} for time-based ids
 * @param caseSensitive whether two strings may differ only in case
 * @param unissued reads which ordinals have not been issued yet, or {@code null} for
 * time-based ids
 */
record GeneratorKeys(GeneratorProperties properties, String keySpaceName, KeySpace keySpace, long least, long greatest,
		String firstText, String lastText, boolean caseSensitive,
		@Nullable Function<Deadline, List<OrdinalRange>> unissued) {

	static GeneratorKeys of(GeneratorProperties properties, String keySpaceName, KeySpace keySpace,
			Function<Deadline, List<OrdinalRange>> unissued) {
		boolean scattered = properties.strategy() == Strategy.COPRIME;
		// the least key of the preset is 1
		long shift = (properties.coprime().preset() != null) ? 1 : 0;
		long least = scattered ? shift : keySpace.key(0);
		long greatest = scattered ? keySpace.capacity() - 1 + shift : keySpace.key(keySpace.capacity() - 1);
		return new GeneratorKeys(properties, keySpaceName, keySpace, least, greatest, keySpace.format(least),
				keySpace.format(greatest), keySpace.text().isCaseSensitive(), unissued);
	}

	@SuppressWarnings("NullAway")
	static GeneratorKeys ofTime(GeneratorProperties properties, String keySpaceName, TimeScheme scheme) {
		TimeLayout layout = scheme.layout();
		long least = layout.id(0, 0, 0, 0);
		long greatest = layout.id(layout.prefixes() - 1, layout.ticks() - 1, layout.nodes() - 1, layout.tails() - 1);
		return new GeneratorKeys(properties, keySpaceName, null, least, greatest, scheme.format(least),
				scheme.format(greatest), scheme.text().form().isCaseSensitive(), null);
	}

}
