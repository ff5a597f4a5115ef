package dev.idspring.sample.overview;

import java.util.List;

import dev.idspring.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What has been drawn from a generator for show.
 *
 * @param name the name of the generator
 * @param drawn how many ids, since the start
 * @param ids the last ones in their numeric form, in the order in which they came; texts,
 * as JavaScript cannot hold all longs
 * @param lowest the text form of the lowest of them, or {@code null} if there is none
 * @param highest the text form of the highest
 * @param last the text form of the last
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
