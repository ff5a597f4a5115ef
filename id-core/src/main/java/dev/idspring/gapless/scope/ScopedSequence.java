package dev.idspring.gapless.scope;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalLong;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.store.ScopedGaplessStore.Draws;
import dev.idspring.store.ScopedGaplessStore.Interval;
import dev.idspring.store.ScopedGaplessStore.ScopedDraw;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.text.IdScope;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Draws the numbers of all scopes of one generator from the store.
 *
 * @param keySpaceName the name of the key space, which is also the name of the sequence
 * in its store
 * @param settings the settings of the key space
 * @param store stores the next numbers
 * @param clock estimates the current period
 * @param maxScopes the maximum number of scopes per period
 * @param waitTimeout the longest time that a caller waits for other transactions
 * @param timeSource measures how long a caller waits
 */
record ScopedSequence(String keySpaceName, ScopedSettings settings, ScopedGaplessStore store, ScopeClock clock,
		long maxScopes, Duration waitTimeout, TimeSource timeSource) {

	/**
	 * Draw consecutive numbers.
	 * @param date a day of the period, or {@code null} for the current period
	 */
	Drawn draw(List<String> scope, @Nullable LocalDate date, int count) {
		Deadline deadline = deadline();
		if (date != null) {
			this.settings.pattern().verify(date);
			return Drawn.of(this.store.draw(draws(count, null), this.clock.scope(scope, date), deadline), date);
		}
		LocalDate day = this.clock.today();
		while (true) {
			this.settings.pattern().verify(day);
			ScopedDraw draw = this.store.draw(draws(count, this.clock.interval(day)), this.clock.scope(scope, day),
					deadline);
			Instant now = draw.otherTime();
			if (now == null) {
				return Drawn.of(draw, day);
			}
			if (deadline.hasPassed()) {
				throw new IdStoreUnavailableException(
						"At each attempt to draw, the clock of the store was outside the period that this instance"
								+ " expected.");
			}
			day = this.clock.synchronize(now);
		}
	}

	/**
	 * Set the first number of a scope, unless the scope has already begun.
	 * @return the next number of the scope, which differs from {@code first} only if the
	 * scope has already begun
	 */
	long start(IdScope scope, long first) {
		return this.store.start(draws(1, null), scope, first, deadline());
	}

	/**
	 * Return the next number of a scope, or empty if the scope has not begun.
	 */
	OptionalLong next(IdScope scope) {
		return this.store.next(this.keySpaceName, scope, deadline());
	}

	private Draws draws(int count, @Nullable Interval during) {
		return new Draws(this.keySpaceName, count, this.settings.start(), this.settings.end(), this.maxScopes, during);
	}

	private Deadline deadline() {
		return Deadline.after(this.timeSource, this.waitTimeout);
	}

	/**
	 * The result of a draw.
	 *
	 * @param granted whether enough numbers were left
	 * @param first the first number that was drawn, or the next number of the scope if
	 * too few numbers were left
	 * @param day a day of the period for which the numbers were drawn
	 */
	record Drawn(boolean granted, long first, LocalDate day) {

		static Drawn of(ScopedDraw draw, LocalDate day) {
			return new Drawn(draw.granted(), draw.first(), day);
		}

	}

}
