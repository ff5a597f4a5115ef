package dev.idspring.gapless.scope;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.idspring.InvalidSettingException;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.gapless.scope.ScopedSequence.Drawn;
import dev.idspring.text.IdScope;
import org.jspecify.annotations.Nullable;

/**
 * Draws numbers from several scopes. It draws from the scopes in the order of their
 * names, so that transactions that draw all of their numbers in a single call cannot
 * deadlock with each other.
 */
final class MultiScopeDraw {

	private final ScopedGaplessIdGenerator generator;

	private final Map<String, ScopeRequest> requests = new TreeMap<>();

	MultiScopeDraw(ScopedGaplessIdGenerator generator, Map<List<String>, Integer> counts) {
		this.generator = generator;
		InvalidSettingException.requireGiven(ScopedIdGenerator.class, "counts", counts).forEach((scopeParts, count) -> {
			List<String> scope = ScopedGaplessIdGenerator.parts("counts", scopeParts);
			if (scope.isEmpty()) {
				throw new IllegalArgumentException("The scope has no parts.");
			}
			generator.verify(scope);
			InvalidSettingException.requireRange(ScopedIdGenerator.class, "counts", count, 0, Integer.MAX_VALUE);
			this.requests.put(new IdScope(scope, "-").name(), new ScopeRequest(scope, new long[count]));
		});
	}

	/**
	 * Draw the numbers of all scopes.
	 * @param date a day of the period, or {@code null} for the period in which the first
	 * number is drawn
	 */
	Map<List<String>, long[]> draw(@Nullable LocalDate date) {
		this.generator.verifyOpen();
		Map<List<String>, long[]> numbersByScope = new LinkedHashMap<>();
		LocalDate day = date;
		IdScope drawnScope = null;
		try {
			for (ScopeRequest request : this.requests.values()) {
				if (request.numbers.length > 0) {
					Drawn draw = this.generator.draw(request.scope, day, request.numbers.length);
					day = draw.day();
					drawnScope = this.generator.clock().scope(request.scope, day);
					this.generator.fill(draw.first(), request.numbers);
				}
				numbersByScope.put(request.scope, request.numbers);
			}
		}
		catch (RuntimeException | Error ex) {
			// a commit would leave a gap in the scopes that numbers were drawn from
			if (drawnScope != null) {
				this.generator.refuseCommit(drawnScope, ex);
			}
			throw ex;
		}
		return numbersByScope;
	}

	/**
	 * The numbers to draw from a scope.
	 *
	 * @param scope a copy of the parts of the scope, which the caller cannot change
	 * @param numbers receives the numbers; the array is created before the first draw, so
	 * that a lack of memory for it cannot cause a gap
	 */
	private record ScopeRequest(List<String> scope, long[] numbers) {

	}

}
