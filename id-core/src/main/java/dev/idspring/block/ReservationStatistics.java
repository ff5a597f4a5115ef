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
 * Statistics of the reservations of a {@link BlockEngine}, whose lock protects all fields
 * unless noted otherwise.
 */
final class ReservationStatistics {

	/**
	 * The total time that callers have waited, in nanoseconds. Not protected by the lock.
	 */
	private final LongAdder waited = new LongAdder();

	private long reservations;

	/** How often a caller found too few ordinals in memory. Not protected by the lock. */
	private final LongAdder exhaustions = new LongAdder();

	private long failures;

	private @Nullable Instant lastReservedAt;

	private @Nullable Duration lastReservationTook;

	/**
	 * Why the last reservation failed, or {@code null} if it succeeded. Read without the
	 * lock.
	 */
	private volatile @Nullable RuntimeException lastFailure;

	/**
	 * Whether a failed reservation will be retried. If not, {@link #storeFailure} ignores
	 * its failure.
	 */
	private boolean retrying;

	/**
	 * Record how many nanoseconds a caller has waited.
	 */
	void addWait(long nanos) {
		this.waited.add(nanos);
	}

	/**
	 * Record that a caller found too few ordinals in memory.
	 */
	void countShortage() {
		this.exhaustions.increment();
	}

	@Nullable Duration lastReservationTook() {
		return this.lastReservationTook;
	}

	/**
	 * Return whether the last reservation failed and will be retried.
	 */
	boolean isRetrying() {
		return this.retrying && this.lastFailure != null;
	}

	@Nullable RuntimeException lastFailure() {
		return this.lastFailure;
	}

	void recordReservation(Instant at, Duration took) {
		this.reservations++;
		this.lastReservedAt = at;
		this.lastReservationTook = took;
		this.lastFailure = null;
	}

	void recordFailure(RuntimeException failure) {
		this.failures++;
		this.lastFailure = failure;
		this.retrying = true;
	}

	/**
	 * Record that the failed reservation will not be retried until callers need ordinals.
	 */
	void recordNoRetry() {
		this.retrying = false;
	}

	/**
	 * Return why the store fails. A failed read or renewal takes precedence over a failed
	 * reservation that will be retried. If the read or renewal only timed out, the
	 * failure of the reservation takes precedence instead, because it is more
	 * informative.
	 * @param readFailure why the last read of the store or the last renewal of a lease
	 * failed, or {@code null} if it succeeded
	 * @return the reason, or {@code null} if there is no such failure
	 */
	@Nullable String storeFailure(@Nullable Throwable readFailure) {
		Throwable reservationFailure = isRetrying() ? this.lastFailure : null;
		Throwable failure = readFailure;
		if (failure == null || (isTimeout(failure) && reservationFailure != null)) {
			failure = reservationFailure;
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
	 * @param size how many ordinals the next reservation requests
	 * @param queue the blocks in memory
	 * @param stripes the stripes that hold chunks cut from the blocks
	 */
	BlockSnapshot snapshot(long size, BlockQueue queue, Stripes stripes) {
		long owned = stripes.remainingForOwners();
		long remaining = queue.current().remaining() + stripes.reclaimable() + owned;
		return new BlockSnapshot(size, remaining, owned, queue.inBlocksAhead(), queue.reservedSize(), this.reservations,
				this.exhaustions.sum(), Duration.ofNanos(this.waited.sum()), this.failures, this.lastReservedAt,
				this.lastReservationTook, (this.lastFailure != null) ? this.lastFailure.getMessage() : null);
	}

}
