package dev.idspring.block;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

import dev.idspring.monitor.BlockSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * How the reservations of a server went. Guarded by the server, except what says
 * otherwise.
 */
final class ReservationStatistics {

	/** How long callers have waited, in nanoseconds. Not guarded. */
	private final LongAdder waited = new LongAdder();

	private long reservations;

	private long exhaustions;

	private long failures;

	private @Nullable Instant lastReservedAt;

	private @Nullable Duration lastReservationTook;

	private volatile @Nullable RuntimeException lastFailure;

	/** Why the store could not be read, or the claim not be renewed. */
	private volatile @Nullable Throwable readFailure;

	void reserved(Instant at, Duration took) {
		this.reservations++;
		this.lastReservedAt = at;
		this.lastReservationTook = took;
	}

	void failed(RuntimeException failure) {
		this.failures++;
		this.lastFailure = failure;
	}

	void succeeded() {
		this.lastFailure = null;
	}

	/**
	 * Count a caller that found nothing in memory.
	 */
	void exhausted() {
		this.exhaustions++;
	}

	/**
	 * Count how long a caller waited. Not guarded.
	 */
	void waited(long nanos) {
		this.waited.add(nanos);
	}

	/**
	 * Remember how the last read of the store went. Not guarded.
	 */
	void read(@Nullable Throwable failure) {
		this.readFailure = failure;
	}

	@Nullable Duration lastReservationTook() {
		return this.lastReservationTook;
	}

	/**
	 * Return why the last reservation failed. Not guarded.
	 */
	@Nullable RuntimeException lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Return why the store could not be asked, {@code null} if it answered.
	 */
	@Nullable String storeFailure() {
		Throwable failure = (this.readFailure != null) ? this.readFailure : this.lastFailure;
		if (failure instanceof TimeoutException || failure instanceof CancellationException) {
			return "The store did not answer in time.";
		}
		return (failure != null) ? String.valueOf(failure.getMessage()) : null;
	}

	/**
	 * Return the snapshot of a server.
	 * @param size how many ordinals the next reservation asks for
	 * @param queue what is in memory
	 */
	BlockSnapshot snapshot(long size, BlockQueue queue) {
		Stripes stripes = queue.stripes();
		long owned = stripes.leftToOwners();
		long remaining = queue.current().remaining() + stripes.leftToOthers() + owned;
		return new BlockSnapshot(size, remaining, owned, queue.inBlocksAhead(), queue.held(), this.reservations,
				this.exhaustions, Duration.ofNanos(this.waited.sum()), this.failures, this.lastReservedAt,
				this.lastReservationTook, (this.lastFailure != null) ? this.lastFailure.getMessage() : null);
	}

}
