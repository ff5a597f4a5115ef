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
 * A {@link GaplessStore} whose sequences have separate numbers for each scope and period,
 * for example for each tenant and year. The methods without a scope use the numbers of
 * {@link IdScope#NONE}.
 * <ol>
 * <li>The numbers of each scope and period have the guarantees of a sequence of a
 * {@link GaplessStore}. Draws from different scopes do not wait for each other, unless
 * the database allows only one writer at a time.</li>
 * <li>The first draw from a scope creates the scope. If the database allows concurrent
 * writers, the store creates the scope outside the caller's transaction. Concurrent
 * transactions that need the same new scope therefore do not fail.</li>
 * <li>If {@link Draws#during} is given, the statement that draws a number also checks
 * that the store's clock is within this interval.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public interface ScopedGaplessStore extends GaplessStore {

	/**
	 * Draw numbers of a scope in the transaction of the calling thread.
	 * @param draws the numbers to draw
	 * @param scope the scope and period
	 * @param deadline when to stop waiting for other transactions to end
	 * @return the result
	 * @throws IdGenerationException if the calling thread has no suitable transaction, or
	 * if the scope is new and the period already has {@link Draws#maxScopes} scopes
	 * @throws IdStoreUnavailableException if another transaction did not end in time, or
	 * if the database failed
	 * @throws KeySpaceRegressionException if the scope no longer exists
	 * @throws RuntimeException if the transaction conflicts with another one; a store in
	 * a database throws Spring's {@code ConcurrencyFailureException}
	 */
	ScopedDraw draw(Draws draws, IdScope scope, Deadline deadline);

	/**
	 * Prevent the transaction of the calling thread from committing. A generator calls
	 * this method if it has drawn from one scope, and then failed to draw from another. A
	 * commit would lose the numbers of the first scope.
	 * @param name the name of the sequence
	 * @param scope a scope that the transaction has drawn from
	 * @param failure the exception of the failed draw
	 */
	void refuseCommit(String name, IdScope scope, RuntimeException failure);

	/**
	 * Set the number with which a scope begins. This has no effect if the next number of
	 * the scope is no longer {@link Draws#first}. This method does not run in the
	 * transaction of the calling thread.
	 * @param draws how to create the scope if it does not exist
	 * @param scope the scope and period
	 * @param start the number to begin with, from {@link Draws#first} to
	 * {@link Draws#last}
	 * @param deadline the time by which the operation must end
	 * @return the next number of the scope
	 * @throws IdGenerationException if the scope is new and the period already has
	 * {@link Draws#maxScopes} scopes, or if a transaction of the calling thread has drawn
	 * from the scope
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	long start(Draws draws, IdScope scope, long start, Deadline deadline);

	/**
	 * Read the next number of a scope. This method does not run in the transaction of the
	 * calling thread, and does not wait for other transactions.
	 * @param name the name of the sequence
	 * @param scope the scope and period
	 * @param deadline the time by which the operation must end
	 * @return the number, or empty if the scope does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	OptionalLong next(String name, IdScope scope, Deadline deadline);

	/**
	 * Read how many scopes a period has. This is fast, because the store maintains a
	 * count.
	 * @param name the name of the sequence
	 * @param period the name of the period
	 * @param deadline the time by which the operation must end
	 * @return the number of scopes, and the time of the store's clock
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Scopes scopes(String name, String period, Deadline deadline);

	/**
	 * List scopes of a period. This may be slow, because it may read all scopes of the
	 * period.
	 * @param name the name of the sequence
	 * @param period the name of the period
	 * @param after the scope key after which the list begins, in the order of keys;
	 * {@code null} to list the scopes with the highest numbers first
	 * @param count the maximum number of scopes to return, at least 1
	 * @param deadline the time by which the operation must end
	 * @return the scopes
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	List<ScopeState> list(String name, String period, @Nullable String after, int count, Deadline deadline);

	/**
	 * Describes which numbers to draw.
	 *
	 * @param name the name of the sequence
	 * @param count how many consecutive numbers to draw, at least 1
	 * @param first the number that a new scope begins with
	 * @param last the highest number that may be drawn
	 * @param maxScopes how many scopes a period may have
	 * @param during the interval in which the store's clock must be, or {@code null} for
	 * any time
	 */
	record Draws(String name, int count, long first, long last, long maxScopes, @Nullable Interval during) {

		/**
		 * Create a description.
		 * @throws IllegalArgumentException if a value is out of range
		 */
		public Draws {
			InvalidSettingException.requireGiven(Draws.class, "name", name);
			StoreArguments.requireAtLeast(Draws.class, "count", count, 1);
			InvalidSettingException.requireRange(Draws.class, "first", first, 0L, Long.MAX_VALUE - 1);
			InvalidSettingException.requireRange(Draws.class, "last", last, first, Long.MAX_VALUE - 1);
			StoreArguments.requireAtLeast(Draws.class, "maxScopes", maxScopes, 1);
		}

	}

	/**
	 * An interval of time.
	 *
	 * @param start the first instant
	 * @param end the first instant after the interval
	 */
	record Interval(Instant start, Instant end) {

		/**
		 * Create an interval.
		 * @throws IllegalArgumentException if the end is not after the start
		 */
		public Interval {
			InvalidSettingException.requireGiven(Interval.class, "start", start);
			InvalidSettingException.requireGiven(Interval.class, "end", end);
			InvalidSettingException.require(end.isAfter(start), Interval.class, "end", end,
					"must be after %s (" + start + ")", "start");
		}

	}

	/**
	 * The result of a draw.
	 *
	 * @param granted whether numbers were drawn
	 * @param first the first number that was drawn or, if too few were left, the next
	 * number
	 * @param otherTime the time of the store's clock if it was outside the interval, so
	 * that nothing was drawn; otherwise {@code null}
	 */
	record ScopedDraw(boolean granted, long first, @Nullable Instant otherTime) {

	}

	/**
	 * The number of scopes of a period.
	 *
	 * @param count the number of scopes
	 * @param now the time of the store's clock
	 */
	record Scopes(long count, Instant now) {

		/**
		 * Create a result.
		 * @throws IllegalArgumentException if the time is missing
		 */
		public Scopes {
			InvalidSettingException.requireGiven(Scopes.class, "now", now);
		}

	}

}
