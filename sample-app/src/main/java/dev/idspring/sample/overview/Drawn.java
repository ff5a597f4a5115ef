package dev.idspring.sample.overview;

import java.util.List;

import dev.idspring.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The ids that were drawn from a generator for demonstration.
 *
 * @param name the name of the generator
 * @param drawn the number of ids drawn since the start of the application
 * @param ids the latest ids in numeric form, in the order in which they were drawn. They
 * are strings because JavaScript numbers cannot represent all {@code long} values
 * @param lowest the text form of the lowest of {@code ids}, or {@code null} if there are
 * none
 * @param highest the text form of the highest of {@code ids}, or {@code null} if there
 * are none
 * @param last the text form of the last of {@code ids}, or {@code null} if there are none
 */
record Drawn(String name, long drawn, List<String> ids, @Nullable String lowest, @Nullable String highest,
		@Nullable String last) {

	static Drawn of(IdGenerator generator, long drawn, List<Long> ids) {
		if (ids.isEmpty()) {
			return new Drawn(generator.name(), drawn, List.of(), null, null, null);
		}
		return new Drawn(generator.name(), drawn, ids.stream().map(Long::toUnsignedString).toList(),
				generator.format(ids.stream().min(Long::compareUnsigned).orElseThrow()),
				generator.format(ids.stream().max(Long::compareUnsigned).orElseThrow()),
				generator.format(ids.get(ids.size() - 1)));
	}

}
