package dev.idspring.gapless;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import dev.idspring.gapless.ScopedSequence.Drawn;
import dev.idspring.text.IdScope;
import org.jspecify.annotations.Nullable;

/**
 * Draws from several scopes, in the order of their names: so no two transactions that
 * draw this way wait for each other.
 */
final class SeveralScopes {

	private final ScopedGaplessIdGenerator generator;

	private final Map<String, List<String>> ordered = new TreeMap<>();

	private final Map<List<String>, Integer> counts;

	SeveralScopes(ScopedGaplessIdGenerator generator, Map<List<String>, Integer> counts) {
		this.generator = generator;
		this.counts = counts;
		counts.forEach((scope, count) -> {
			if (scope.isEmpty()) {
				throw new IllegalArgumentException("The scope has no parts.");
			}
			generator.verify(scope);
			ScopedGaplessIdGenerator.verifyCount(count);
			this.ordered.put(new IdScope(scope, "-").name(), scope);
		});
	}

	/**
	 * Draw.
	 * @param date a day of the period, or {@code null} for that of the first draw
	 */
	Map<List<String>, long[]> draw(@Nullable LocalDate date) {
		Map<List<String>, long[]> drawn = new LinkedHashMap<>();
		LocalDate day = date;
		IdScope begun = null;
		try {
			for (List<String> scope : this.ordered.values()) {
				int count = Objects.requireNonNull(this.counts.get(scope));
				long[] numbers = new long[count];
				if (count > 0) {
					Drawn draw = this.generator.draw(scope, day, count);
					day = draw.day();
					begun = this.generator.clock().scope(scope, day);
					this.generator.fill(draw.first(), numbers);
				}
				drawn.put(scope, numbers);
			}
		}
		catch (RuntimeException ex) {
			if (begun != null) {
				this.generator.refuseCommit(begun, ex);
			}
			throw ex;
		}
		return drawn;
	}

}
