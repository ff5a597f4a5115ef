package dev.idspring.block;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.IdGeneratorListener.Attempt;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.Reservations;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Accesses the store for a {@link BlockEngine}. All accesses run on the engine's
 * executor. This class also notifies listeners, and creates the exceptions that callers
 * get. It does not know the blocks in memory.
 */
final class BlockSupply {

	private final String generator;

	private final ReservedKeySpace reservedKeySpace;

	private final BlockSource source;

	private final BlockSettings settings;

	private final TimeSource timeSource;

	private final Listeners listeners;

	private final Consumer<KeySpaceRegressionException> onRegression;

	private final CoalescedRead reads;

	/**
	 * Why the last read or renewal failed, or {@code null} if it succeeded.
	 */
	private volatile @Nullable Throwable readFailure;

	BlockSupply(String generator, ReservedKeySpace reservedKeySpace, BlockSource source, BlockSettings settings,
			TimeSource timeSource, StoreExecutor executor, Listeners listeners,
			Consumer<KeySpaceRegressionException> onRegression) {
		this.generator = generator;
		this.reservedKeySpace = reservedKeySpace;
		this.source = source;
		this.settings = settings;
		this.timeSource = timeSource;
		this.listeners = listeners;
		this.onRegression = onRegression;
		this.reads = new CoalescedRead(executor, this::read);
	}

	Deadline deadlineAfter(Duration time) {
		return Deadline.after(this.timeSource, time);
	}

	/**
	 * Return the deadline of a wait that begins now.
	 */
	Deadline deadline() {
		return deadlineAfter(this.settings.waitTimeout());
	}

	/**
	 * Reserve ordinals, and report the attempt to the listeners.
	 */
	OrdinalRange reserve(long count, Deadline deadline) {
		Attempt attempt = this.listeners.reserving();
		OrdinalRange range = null;
		try {
			range = this.source.reserve(count, deadline);
			attempt.end(range.isEmpty() ? ReservationOutcome.EXHAUSTED : ReservationOutcome.SUCCESS, null);
			return range;
		}
		catch (Throwable ex) {
			attempt.end(ReservationOutcome.of(ex), ex);
			if (range != null) {
				// only the report failed, and this instance owns the range
				return range;
			}
			throw ex;
		}
	}

	/**
	 * Update the forecast of when the key space will be used up. Add a sample to the
	 * usage history if one is due.
	 */
	void updateForecast() {
		ReservationForecast forecast = this.reservedKeySpace.forecast();
		Reservations reservations = this.reservedKeySpace.reservations();
		forecast.observe(reservations.reserved());
		if (!forecast.isSampleDue()) {
			return;
		}
		Deadline deadline = deadline();
		try {
			// the sample must include the reservations of other instances
			reservations.refresh(deadline);
			forecast.addSample(reservations.reserved(), deadline);
		}
		catch (Throwable ex) {
			// a regression (a store that has lost reservations) stops the engine. Any
			// other failure is at most logged, because callers do not depend on the
			// forecast
			reportRegression(ex);
			this.listeners.logUnexpected("reading the history has failed", ex);
		}
	}

	/**
	 * Renew the lease of the source, if the source has one.
	 */
	void renew() {
		try {
			this.source.renew(deadline());
			this.readFailure = null;
		}
		catch (Throwable ex) {
			// a regression stops the engine. Any other failure is at most logged, because
			// a later call detects whether another instance has taken over the lease
			this.readFailure = ex;
			reportRegression(ex);
			this.listeners.logUnexpected("renewing a lease has failed", ex);
		}
	}

	private void read(Deadline deadline) {
		try {
			this.reservedKeySpace.reservations().refresh(deadline);
			this.reservedKeySpace.forecast().readHistory(this.reservedKeySpace.reservations().reserved(), deadline);
		}
		catch (Throwable ex) {
			reportRegression(ex);
			this.listeners.logUnexpected("reading the store has failed", ex);
			throw ex;
		}
	}

	private void reportRegression(Throwable failure) {
		if (failure instanceof KeySpaceRegressionException regression) {
			this.onRegression.accept(regression);
		}
	}

	/**
	 * Read the store for monitoring.
	 */
	CompletableFuture<Boolean> refresh(Deadline deadline) {
		return recorded(this.reads.readWithTimeout(deadline));
	}

	/**
	 * Read the store, and wait for the result.
	 */
	void awaitRead(Deadline deadline) {
		StoreAwait
			.await(recorded(this.reads.read(deadline)), deadline, (problem, cause) -> new IdStoreUnavailableException(
					"Id generator '" + this.generator + "' cannot determine which ids are reserved: " + problem + ".",
					cause));
	}

	/**
	 * Return a future that completes only after the outcome of a read is recorded in
	 * {@link #readFailure}. Cancelling the returned future cancels the read.
	 */
	private CompletableFuture<Boolean> recorded(CompletableFuture<Boolean> read) {
		CompletableFuture<Boolean> recorded = read.whenComplete((done, failure) -> {
			if (!(failure instanceof CancellationException)) {
				this.readFailure = failure;
			}
		});
		recorded.whenComplete((done, failure) -> read.cancel(false));
		return recorded;
	}

	@Nullable Throwable readFailure() {
		return this.readFailure;
	}

	/**
	 * Give back the unused ordinals that the source can give back safely. Then notify
	 * listeners that the engine is closed.
	 */
	void giveBack(List<OrdinalRange> unused) {
		long givenBackCount = 0;
		try {
			givenBackCount = this.source.giveBack(unused, deadline());
		}
		catch (RuntimeException ex) {
			this.listeners.notifyListeners((listener, name) -> listener.notGivenBack(name, ex));
		}
		finally {
			long givenBack = givenBackCount;
			long abandoned = BlockQueue.size(unused) - givenBack;
			this.listeners.notifyListeners((listener, name) -> listener.closed(name, givenBack, abandoned));
		}
	}

	/**
	 * Create the exception that callers get when the store supplied too few ordinals.
	 * @param problem why too few were supplied, without a period at the end
	 */
	IdStoreUnavailableException unavailableException(String problem, @Nullable Throwable cause) {
		return new IdStoreUnavailableException("Id generator '" + this.generator + "' cannot reserve enough ids: "
				+ problem + ". Check the store of key space '" + this.reservedKeySpace.name()
				+ "'; the generator recovers by itself as soon as the store answers. "
				+ "Consider setting ids.block.outage-reserve, so that the ids in memory last through an outage.",
				cause);
	}

	/**
	 * Create the exception that callers get when too few ordinals are left.
	 * @param count how many ids the caller requested
	 * @param inMemory how many ordinals are in memory
	 */
	KeySpaceExhaustedException exhaustedException(int count, long inMemory) {
		// a counter is exhausted only if fewer than count are left, but series that other
		// instances lease may contain more
		long unreserved = this.source.remaining();
		return new KeySpaceExhaustedException("Id generator '" + this.generator + "' was asked for " + count
				+ ((count == 1) ? " more id" : " more ids") + ": of the " + this.reservedKeySpace.keySpace().capacity()
				+ " keys of key space '" + this.reservedKeySpace.name() + "', " + unreserved
				+ " are not reserved, and this instance has " + inMemory + " unused. "
				+ ((unreserved < count) ? ""
						: "Other instances hold the series of the unreserved keys until they stop or lose their leases. ")
				+ RecoveryInstructions.raiseBound(this.generator, this.reservedKeySpace.keySpace()));
	}

	/**
	 * Create the exception that callers get after the store returned to an earlier state.
	 */
	RuntimeException stoppedException(KeySpaceRegressionException reason) {
		List<String> warnings = this.reservedKeySpace.storeWarnings();
		String hint = warnings.isEmpty() ? ""
				: " If no backup was restored and no replica was promoted, the cause may be one of the store's"
						+ " warnings: " + String.join("; ", warnings);
		return new KeySpaceRegressionException(
				"Id generator '" + this.generator + "' has stopped: " + reason.getMessage() + hint, reason);
	}

	/**
	 * Create the exception that callers get after the engine was closed.
	 */
	RuntimeException closedException() {
		return new StoreAwait.ClosedException(this.generator);
	}

}
