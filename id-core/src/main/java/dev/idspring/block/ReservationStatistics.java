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
 * How the reservations of a server went. Guarded by the server, except what says
 * otherwise.
 */
final class ReservationStatistics {

	/** How long callers have waited, in nanoseconds. Not guarded. */
	final LongAdder waited = new LongAdder();

	private long reservations;

	/** How many callers found nothing in memory. */
	long exhaustions;

	private long failures;

	private @Nullable Instant lastReservedAt;

	@Nullable Duration lastReservationTook;

	/** Why the last reservation failed. Read by any thread. */
	volatile @Nullable RuntimeException lastFailure;

	/** Why the store could not be read, or the claim not be renewed. Not guarded. */
	volatile @Nullable Throwable readFailure;

	void reserved(Instant at, Duration took) {
		this.reservations++;
		this.lastReservedAt = at;
		this.lastReservationTook = took;
	}

	void failed(RuntimeException failure) {
		this.failures++;
		this.lastFailure = failure;
	}

	/**
	 * Return why the store could not be asked, {@code null} if it answered. A read that
	 * waited for a reservation in vain knows less than the reservation before.
	 */
	@Nullable String storeFailure() {
		Throwable failure = this.readFailure;
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
	 * Return the snapshot of a server.
	 * @param size how many ordinals the next reservation asks for
	 * @param queue what is in memory
	 */
	BlockSnapshot snapshot(long size, BlockQueue queue) {
		Stripes stripes = queue.stripes;
		long owned = stripes.leftToOwners();
		long remaining = queue.current().remaining() + stripes.leftToOthers() + owned;
		return new BlockSnapshot(size, remaining, owned, queue.inBlocksAhead(), queue.held(), this.reservations,
				this.exhaustions, Duration.ofNanos(this.waited.sum()), this.failures, this.lastReservedAt,
				this.lastReservationTook, (this.lastFailure != null) ? this.lastFailure.getMessage() : null);
	}

}
