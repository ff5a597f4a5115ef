package dev.idspring.block;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * How the reservations of an engine went. Guarded by the engine, except what says
 * otherwise.
 */
final class ReservationStatistics {

	/** How long callers have waited, in nanoseconds. Not guarded. */
	private final LongAdder waited = new LongAdder();

	private long reservations;

	/** How many callers found nothing in memory. */
	private long exhaustions;

	private long failures;

	private @Nullable Instant lastReservedAt;

	private @Nullable Duration lastReservationTook;

	/** Why the last reservation failed. Read by any thread. */
	private volatile @Nullable RuntimeException lastFailure;

	/**
	 * Note how long a caller has waited, in nanoseconds.
	 */
	void waited(long nanos) {
		this.waited.add(nanos);
	}

	/**
	 * Note that a caller found nothing in memory.
	 */
	void foundNothing() {
		this.exhaustions++;
	}

	@Nullable Duration lastReservationTook() {
		return this.lastReservationTook;
	}

	@Nullable RuntimeException lastFailure() {
		return this.lastFailure;
	}

	void reserved(Instant at, Duration took) {
		this.reservations++;
		this.lastReservedAt = at;
		this.lastReservationTook = took;
		this.lastFailure = null;
	}

	void failed(RuntimeException failure) {
		this.failures++;
		this.lastFailure = failure;
	}

	/**
	 * Return why the store could not be asked, {@code null} if it answered. A read that
	 * waited for a reservation in vain knows less than the reservation before.
	 * @param readFailure why the store could not be read
	 */
	@Nullable String storeFailure(@Nullable Throwable readFailure) {
		Throwable failure = readFailure;
		if (failure == null || (isTimeout(failure) && this.lastFailure != null)) {
			failure = this.lastFailure;
		}
		if (isTimeout(failure)) {
			return "The store did not answer in time.";
		}
		return (failure != null) ? String.valueOf(failure.getMessage()) : null;
	}

	private static boolean isTimeout(@Nullable Throwable failure) {
		return failure instanceof TimeoutException || failure instanceof CancellationException;
	}

	/**
	 * Return the snapshot of an engine.
	 * @param size how many ordinals the next reservation asks for
	 * @param queue the blocks in memory
	 * @param stripes what was cut from them
	 */
	BlockSnapshot snapshot(long size, BlockQueue queue, Stripes stripes) {
		long owned = stripes.leftToOwners();
		long remaining = queue.current().remaining() + stripes.leftToOthers() + owned;
		return new BlockSnapshot(size, remaining, owned, queue.inBlocksAhead(), queue.held(), this.reservations,
				this.exhaustions, Duration.ofNanos(this.waited.sum()), this.failures, this.lastReservedAt,
				this.lastReservationTook, (this.lastFailure != null) ? this.lastFailure.getMessage() : null);
	}

}
