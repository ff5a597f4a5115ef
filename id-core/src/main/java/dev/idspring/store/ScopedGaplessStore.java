package dev.idspring.store;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.text.IdScope;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A {@link GaplessStore} in which one sequence has numbers for each scope and period. The
 * numbers that the other methods draw are those of {@link IdScope#NONE}.
 * <ol>
 * <li>The guarantees of {@link GaplessStore} for a sequence hold for each of its scopes
 * and periods. A draw from one does not make draws from others wait.</li>
 * <li>The first draw creates a scope. If the database has several writers, it does so
 * outside the caller's transaction. So the scope exists when that transaction needs it,
 * and a concurrent transaction that needs it does not fail.</li>
 * <li>The statement that draws also checks that the clock is within
 * {@link Draws#during}.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public interface ScopedGaplessStore extends GaplessStore {

	/**
	 * Draw numbers of a scope in the transaction of the calling thread.
	 * @param draws the numbers to draw
	 * @param scope the scope and period
	 * @param deadline how long to wait for other transactions to end
	 * @return the result
	 * @throws IdGenerationException if the calling thread is in no suitable transaction,
	 * or if there are too many scopes
	 * @throws IdStoreUnavailableException if another transaction did not end in time, or
	 * the database failed
	 * @throws KeySpaceRegressionException if the scope existed, but no longer does
	 * @throws RuntimeException if the transaction conflicted with another one: Spring's
	 * {@code ConcurrencyFailureException} from a store in a database
	 */
	ScopedDraw draw(Draws draws, IdScope scope, Deadline deadline);

	/**
	 * Prevent the transaction of the calling thread from committing: a call has drawn
	 * from one scope and failed to draw from another, so a commit would lose its numbers.
	 * @param name the name of the sequence
	 * @param scope a scope that the transaction has drawn from
	 * @param failure the cause
	 */
	void refuseCommit(String name, IdScope scope, RuntimeException failure);

	/**
	 * Let a scope begin with another number, unless it has already been used. Not in the
	 * transaction of the calling thread.
	 * @param draws how to create the scope if it does not exist
	 * @param scope the scope and period
	 * @param start the number to begin with, from the first to the last number there is
	 * @param deadline how long this may take
	 * @return the number that is now next
	 * @throws IdGenerationException if there are too many scopes
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	long start(Draws draws, IdScope scope, long start, Deadline deadline);

	/**
	 * Read the next number of a scope. Not in the transaction of the calling thread, and
	 * without waiting for others.
	 * @param name the name of the sequence
	 * @param scope the scope and period
	 * @param deadline how long this may take
	 * @return the number, empty if the scope does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	OptionalLong next(String name, IdScope scope, Deadline deadline);

	/**
	 * Read how many scopes a period has. Does not count them.
	 * @param name the name of the sequence
	 * @param period the name of the period
	 * @param deadline how long this may take
	 * @return how many, and the clock
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Scopes scopes(String name, String period, Deadline deadline);

	/**
	 * List scopes of a period. May read all of them.
	 * @param name the name of the sequence
	 * @param period the name of the period
	 * @param after lists those after this key, in the order of their keys; {@code null}
	 * lists those with the highest numbers, highest first
	 * @param count how many at most, at least 1
	 * @param deadline how long this may take
	 * @return the scopes
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	List<ScopeState> list(String name, String period, @Nullable String after, int count, Deadline deadline);

	/**
	 * The numbers to draw.
	 *
	 * @param name the name of the sequence
	 * @param count how many consecutive numbers, at least 1
	 * @param first the number that a new scope begins with
	 * @param last the highest possible number
	 * @param maxScopes how many scopes a period may have
	 * @param during the interval of the store's clock, or {@code null} for any time
	 */
	record Draws(String name, int count, long first, long last, long maxScopes, @Nullable Interval during) {

		/**
		 * Create a description of draws.
		 * @throws IllegalArgumentException if a value is out of range; the message names
		 * it
		 */
		public Draws {
			InvalidSettingException.requireGiven(Draws.class, "name", name);
			StoreArguments.least(Draws.class, "count", count, 1);
			InvalidSettingException.requireRange(Draws.class, "first", first, 0L, Long.MAX_VALUE - 1);
			InvalidSettingException.requireRange(Draws.class, "last", last, first, Long.MAX_VALUE - 1);
			StoreArguments.least(Draws.class, "maxScopes", maxScopes, 1);
		}

	}

	/**
	 * A period of time.
	 *
	 * @param start the first instant
	 * @param end the first instant after it
	 */
	record Interval(Instant start, Instant end) {

		/**
		 * Create an interval.
		 * @throws IllegalArgumentException if it does not end after its start
		 */
		public Interval {
			InvalidSettingException.requireGiven(Interval.class, "start", start);
			InvalidSettingException.requireGiven(Interval.class, "end", end);
			InvalidSettingException.require(end.isAfter(start), Interval.class, "end", end,
					"must be after %s, " + start, "start");
		}

	}

	/**
	 * The result of a draw.
	 *
	 * @param granted whether enough numbers were left
	 * @param first the first of them or, if too few are left, the next number
	 * @param otherTime the store's clock, if nothing was drawn because of it; else
	 * {@code null}
	 */
	record ScopedDraw(boolean granted, long first, @Nullable Instant otherTime) {

	}

	/**
	 * How many scopes a period has.
	 *
	 * @param count how many
	 * @param now the time of the store's clock
	 */
	record Scopes(long count, Instant now) {

		/**
		 * Create an answer.
		 * @throws IllegalArgumentException if the time is missing
		 */
		public Scopes {
			InvalidSettingException.requireGiven(Scopes.class, "now", now);
		}

	}

}
