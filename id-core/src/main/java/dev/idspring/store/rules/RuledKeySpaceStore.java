package dev.idspring.store.rules;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.IdGenerationException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.SystemRandom;
import dev.idspring.store.rules.KeySpaceAccess.Reserved;
import dev.idspring.store.rules.FenceRules.Usage;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The base class of key-space stores, with the rules that they share. A store has a
 * counter for each key space: the first ordinal that is not reserved. It also stores the
 * definition, which determines the id of each ordinal. No ordinal is reserved twice, for
 * these reasons:
 * <ol>
 * <li>A reservation is one atomic step that advances the counter and returns its new
 * value. The step requires that the stored definition is the one that this instance
 * knows. It therefore reserves nothing from a key space that has the same name but other
 * ids.</li>
 * <li>The range is returned only after the step is durable. If the outcome is unknown,
 * the ordinals are lost, and a retry reserves later ones.</li>
 * <li>A give-back is one atomic step that sets the counter back from the end of the range
 * to its start. The step requires that the stored token is that of this instance's last
 * reservation. Each reservation writes a different token: random text from the operating
 * system. After a later reservation, neither this instance nor a clone of its process can
 * give back the range, even if the later ordinals are given back.</li>
 * <li>If servers can fail over, both steps also require that the current server is the
 * last writer of the key space. A new server first takes over the key space and advances
 * its counter ({@link FenceRules}).</li>
 * </ol>
 *
 * @param <X> the exception of a failed read or write of the store
 * @since 0.1.0
 */
public abstract class RuledKeySpaceStore<X extends Exception> implements KeySpaceStore {

	/**
	 * The maximum number of ordinals in a reservation: more than any caller needs, and
	 * low enough that the computations of {@link FenceLine} do not overflow.
	 */
	private static final long MAX_RESERVATION = 1_000_000_000_000L;

	/**
	 * The number of retries without a pause. This number is enough to read the key space,
	 * take it over, and reserve fewer ordinals.
	 */
	private static final int ATTEMPTS_WITHOUT_PAUSE = 4;

	private final ConcurrentMap<String, KeySpaceKnowledge> knowledge = new ConcurrentHashMap<>();

	/**
	 * Return the rules that protect this store against the loss of reservations in a
	 * fail-over.
	 * @return the rules
	 */
	protected abstract FenceRules rules();

	/**
	 * Make an attempt, and retry it until it has a result or the deadline has passed.
	 * When the writes of an attempt are durable, run {@link Outcome#afterCommit}.
	 * @param what the operation, for failure messages
	 * @param name the name of the key space
	 * @param work the operations of an attempt. If {@code work} returns, all of its
	 * writes must be stored, even if the outcome is a retry. If it throws an exception,
	 * no write may be stored. If it is unknown whether the writes were stored, a retry is
	 * safe
	 * @param deadline when to stop retrying
	 * @param <T> the type of the result
	 * @return the result
	 */
	protected abstract <T> T attempt(String what, String name, Work<T, X> work, Deadline deadline);

	/**
	 * Attempt an operation other than a reservation, and retry it until it has a result
	 * or the deadline has passed. The default implementation calls {@link #attempt}.
	 * @param what the operation, for failure messages
	 * @param name the name of the key space
	 * @param work the operations of an attempt, as for {@link #attempt}
	 * @param deadline when to stop retrying
	 * @param <T> the type of the result
	 * @return the result
	 */
	protected <T> T change(String what, String name, Work<T, X> work, Deadline deadline) {
		return attempt(what, name, work, deadline);
	}

	/**
	 * Make an attempt whose outcome always has a result, and do not retry it if it fails.
	 * The default implementation calls {@link #attempt}. A store must override this
	 * method if its {@code attempt} retries failed attempts.
	 * @param what the operation, for failure messages
	 * @param name the name of the key space
	 * @param work the operations of the attempt
	 * @param deadline the time by which the attempt must end
	 * @param <T> the type of the result
	 * @return the result
	 */
	protected <T> T once(String what, String name, Work<T, X> work, Deadline deadline) {
		return attempt(what, name, work, deadline);
	}

	/**
	 * Create the exception for a key space that no longer exists.
	 * @param name the name of the key space
	 * @return the exception, whose message includes the remedy
	 */
	protected abstract KeySpaceRegressionException missingKeySpace(String name);

	/**
	 * Called with the state that a read or a reservation has read, but not with a state
	 * that was read only to change the rate. Subclasses can inspect the state.
	 * @param name the name of the key space
	 * @param view the state
	 */
	protected void onView(String name, KeySpaceView view) {
	}

	/**
	 * Called with each durable reservation. Subclasses can verify the reservation.
	 * @param name the name of the key space
	 * @param before the previous reservation of this instance, or {@code null}
	 * @param reserved the reservation
	 * @throws KeySpaceRegressionException if the reservation must not be used
	 */
	protected void onReserved(String name, @Nullable Reserved before, Reserved reserved) {
	}

	/**
	 * Remember the definition of a key space that a generator opens.
	 * @param stored the key space
	 * @return the same key space
	 */
	protected final StoredKeySpace remember(StoredKeySpace stored) {
		knowledge(stored.name()).definition = stored.definition();
		return stored;
	}

	/**
	 * Return whether a generator of this instance has opened a key space.
	 * @param name the name of the key space
	 * @return {@code true} if its definition is known
	 */
	protected final boolean isRemembered(String name) {
		return knowledge(name).definition != null;
	}

	/**
	 * Return the end of the ordinals of the last reservation of this instance. A read of
	 * the key space that returns a lower position is outdated, or the store has lost the
	 * reservation.
	 * @param name the name of the key space
	 * @return the end, or 0 if there is no reservation, or if it was given back
	 */
	protected final long reservedEnd(String name) {
		Reserved last = knowledge(name).lastReservation.get();
		return (last != null) ? last.range().end() : 0;
	}

	/**
	 * Return a key space as it will be after the take-over by the current server, if one
	 * is needed. After a fail-over, the take-over advances the counter.
	 * @param view the state that was read
	 * @return the key space
	 */
	protected final StoredKeySpace predicted(KeySpaceView view) {
		StoredKeySpace stored = view.keySpace();
		knowledge(stored.name()).update(view);
		onView(stored.name(), view);
		// the counter of a key space with slots issues no ordinals, so a take-over does
		// not advance it
		return (view.hasSlots() || !view.fence().hasFailedOver()) ? stored : new StoredKeySpace(stored.name(),
				stored.definition(), stored.capacity(), rules().position(view.fence(), stored.capacity()));
	}

	@Override
	public void raiseCapacity(String name, long capacity, Deadline deadline) {
		StoreArguments.raiseCapacity(name, capacity, deadline);
		change("raise the capacity of key space '" + name + "'", name, (access) -> {
			access.raiseCapacity(capacity);
			return Outcome.of(true);
		}, deadline);
	}

	@Override
	public StoredKeySpace redefine(String name, String known, String replacement, long most, Deadline deadline) {
		StoreArguments.redefine(name, known, replacement, most, deadline);
		StoredKeySpace stored = read(name, deadline).orElseThrow(() -> missingKeySpace(name));
		if (stored.nextOrdinal() > most && !stored.definition().equals(replacement)) {
			// the definition will not change, so do not discard an ordinal
			return stored;
		}
		long limit = (most < Long.MAX_VALUE) ? discardOrdinal(stored, replacement, most, deadline) : most;
		String server = knowledge(name).server;
		change("add a secret to key space '" + name + "'", name, (access) -> {
			access.redefine(known, replacement, limit, server);
			return Outcome.of(true);
		}, deadline);
		return remember(read(name, deadline).orElseThrow(() -> missingKeySpace(name)));
	}

	/**
	 * Reserve, but never issue, an ordinal. The reservation takes over the key space if
	 * necessary, and makes its counter catch up with a bridge
	 * ({@link KeySpaceAccess#reserveFromBridge}).
	 * @return how many ordinals may be reserved now: {@code most}, or one more if the
	 * discarded ordinal is the first one beyond that limit
	 */
	private long discardOrdinal(StoredKeySpace stored, String replacement, long most, Deadline deadline) {
		try {
			OrdinalRange discarded = reserve(stored.name(), 1, stored.capacity(), deadline);
			return (discarded.start() == most) ? discarded.end() : most;
		}
		catch (KeySpaceMismatchException ex) {
			// rethrow, unless the replacement is already stored
			if (read(stored.name(), deadline).filter((now) -> now.definition().equals(replacement)).isEmpty()) {
				throw ex;
			}
			return most;
		}
	}

	@Override
	public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
		StoreArguments.reserve(name, count, bound, deadline);
		KeySpaceKnowledge known = knowledge(name);
		Request request = new Request(name, bound, rules().isOn() ? Math.min(count, MAX_RESERVATION) : count);
		Reserved reserved = attempt("reserve ids of key space '" + name + "'", name,
				(access) -> reserveOnce(access, known, request), deadline);
		if (reserved.range().isEmpty()) {
			return reserved.range();
		}
		Reserved before = known.lastReservation.getAndUpdate((last) -> Reserved.later(last, reserved));
		logTakeOver(known, name, reserved.server(), bound);
		onReserved(name, before, reserved);
		adjustRate(known, name, reserved.range().size(), bound, deadline);
		return reserved.range();
	}

	/**
	 * Try to reserve in one step. If the step changes nothing, the outcome is a retry, an
	 * empty range because the bound is reached, or a reservation from a bridge
	 * ({@link KeySpaceAccess#reserveFromBridge}).
	 */
	private Outcome<Reserved> reserveOnce(KeySpaceAccess<X> access, KeySpaceKnowledge known, Request request) throws X {
		String definition = known.definition;
		String token = SystemRandom.text();
		if (definition != null && request.bound >= request.count) {
			Optional<Reserved> reserved = access.reserve(definition, known.server, token, request.count, request.bound);
			if (reserved.isPresent()) {
				return Outcome.of(reserved.get());
			}
		}
		KeySpaceView view = access.view().orElseThrow(() -> missingKeySpace(request.name));
		view.keySpace().verifyDefinition(definition);
		if (definition == null) {
			remember(view.keySpace());
		}
		known.update(view);
		onView(request.name, view);
		logTakeOver(known, request.name, view.fence().writer(), request.bound);
		if (view.fence().needsTakeOver()) {
			return takeOver(access, known, view, request);
		}
		long next = view.keySpace().nextOrdinal();
		if (next >= request.bound) {
			return Outcome.of(new Reserved(new OrdinalRange(next, next), token, null));
		}
		request.count = Math.min(request.count, request.bound - next);
		Optional<Outcome<Reserved>> obstacle = rules().findObstacle(access, request.name, view.fence(),
				known.measureUsage(view.fence()), view.end(request.bound) - next, request.count, true);
		if (obstacle.isPresent()) {
			known.mayHaveStoredRaise = true;
			return obstacle.get();
		}
		// request at most what the rate allows now. The next attempt may fail all the
		// same, if other instances are faster
		long affordable = rules().affordable(view.fence());
		request.count = Math.min(request.count, affordable);
		Optional<Reserved> reserved = access.reserveFromBridge(view, token, Math.min(request.count, MAX_RESERVATION),
				request.bound, affordable);
		return reserved.isPresent() ? Outcome.of(reserved.get()) : request.retry();
	}

	private Outcome<Reserved> takeOver(KeySpaceAccess<X> access, KeySpaceKnowledge known, KeySpaceView view,
			Request request) throws X {
		// remember the take-over, so that it is logged when it is known to have succeeded
		known.pendingTakeOver.set(view.fence().hasFailedOver() ? view : null);
		if (!access.takeOver(view, rules().takeOverLine(view.fence(), view.end(request.bound)))) {
			known.pendingTakeOver.set(null);
		}
		Outcome<Reserved> retry = request.retry();
		return new Outcome<>(null, retry.reason(), retry.pause(),
				() -> logTakeOver(known, request.name, view.fence().server(), request.bound));
	}

	/**
	 * Log a pending take-over of this instance if it has succeeded.
	 * @param server the server that last wrote the key space
	 */
	private void logTakeOver(KeySpaceKnowledge known, String name, @Nullable String server, long bound) {
		KeySpaceView before = known.pendingTakeOver.get();
		if (before != null && server != null && server.equals(before.fence().server())
				&& known.pendingTakeOver.compareAndSet(before, null)) {
			rules().logTakeOver(name, before.fence(), before.end(bound));
		}
	}

	/**
	 * Change the rate if a change is due. The rate (ordinals per second) limits the
	 * reservations of all instances together. It is raised before the instances have to
	 * wait, and lowered when they need less. To decide, this method reads the key space,
	 * but only in these cases:
	 * <ul>
	 * <li>Since the last of these reads, this instance alone has reserved at least an
	 * eighth of the ordinals in a full bucket of {@link FenceLine}.</li>
	 * <li>This instance may have stored, but not started, a raise
	 * ({@link FenceLine#startRaise}).</li>
	 * <li>The rate is higher than the initial one, and it is time to check whether this
	 * is still needed.</li>
	 * </ul>
	 */
	private void adjustRate(KeySpaceKnowledge known, String name, long count, long bound, Deadline deadline) {
		if (!rules().isOn() || !known.mustReadAfterReserving(rules(), count)) {
			return;
		}
		known.mayHaveStoredRaise = false;
		known.reservedSinceRead.set(0);
		known.nextRateCheck = Deadline.in(rules().rateCheckInterval());
		try {
			known.mayHaveStoredRaise = changeRateOnce(known, name, bound, deadline);
			if (known.mayHaveStoredRaise && !deadline.hasPassed()) {
				// a stored raise must be started by another transaction
				changeRateOnce(known, name, bound, deadline);
				known.mayHaveStoredRaise = false;
			}
		}
		catch (IdGenerationException ex) {
			// ignore the failure: the caller's ordinals are reserved, and a later
			// reservation tries again to change the rate
		}
	}

	private boolean changeRateOnce(KeySpaceKnowledge known, String name, long bound, Deadline deadline) {
		return once("change the rate of key space '" + name + "'", name, (access) -> {
			KeySpaceView view = access.view().orElse(null);
			if (view == null) {
				return Outcome.of(false);
			}
			known.rate = view.fence().line().raised();
			return Outcome.of(
					rules()
						.adjust(access, name, view.fence(), known.measureUsage(view.fence()),
								view.end(bound) - view.keySpace().nextOrdinal())
						.orElse(false));
		}, deadline);
	}

	@Override
	public OrdinalRange skip(String name, long count, long bound, Deadline deadline) {
		StoreArguments.reserve(name, count, bound, deadline);
		// a reservation takes over the key space if necessary
		OrdinalRange first = reserve(name, 1, bound, deadline);
		if (first.isEmpty()) {
			return first;
		}
		long end = first.start() + Math.min(count, bound - first.start());
		change("skip ahead in key space '" + name + "'", name, (access) -> {
			access.skip(end);
			return Outcome.of(true);
		}, deadline);
		return new OrdinalRange(first.start(), end);
	}

	@Override
	public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
		StoreArguments.giveBack(name, range, deadline);
		KeySpaceKnowledge known = knowledge(name);
		Reserved last = known.lastReservation.get();
		StoreArguments.verifyGivenBackRange(range, (last != null) ? last.range() : null);
		String definition = known.definition;
		if (last == null || definition == null || last.range().end() != range.end()
				|| (rules().isOn() && last.server() == null) || !known.lastReservation.compareAndSet(last, null)) {
			return false;
		}
		return once("give back ids of key space '" + name + "'", name,
				(access) -> Outcome.of(access.giveBack(definition, last, range)), deadline);
	}

	/**
	 * {@inheritDoc}
	 *
	 * This method does not take over the key space. If it did, the slot store could not
	 * detect that it must take over the slots.
	 */
	@Override
	public void count(String name, long count, Deadline deadline) {
		StoreArguments.count(name, count, deadline);
		if (!change("count ids of key space '" + name + "'", name, (access) -> Outcome.of(access.count(count)),
				deadline)) {
			read(name, deadline).ifPresent((stored) -> StoreArguments.addCounted(stored.nextOrdinal(), count));
		}
	}

	private KeySpaceKnowledge knowledge(String name) {
		return this.knowledge.computeIfAbsent(name, (key) -> new KeySpaceKnowledge());
	}

	/**
	 * The operations of one attempt.
	 *
	 * @param <T> the type of the result
	 * @param <X> the exception of a failed read or write
	 */
	public interface Work<T, X extends Exception> {

		/**
		 * Perform the operations.
		 * @param access the operations on the key space
		 * @return the outcome
		 * @throws X if the attempt failed, or if its outcome is unknown
		 */
		Outcome<T> run(KeySpaceAccess<X> access) throws X;

	}

	/**
	 * The request of a caller. Only the thread of the caller uses it.
	 */
	private static final class Request {

		private final String name;

		private final long bound;

		/** How many ordinals the next attempt requests. */
		private long count;

		private int attempts;

		Request(String name, long bound, long count) {
			this.name = name;
			this.bound = bound;
			this.count = count;
		}

		/**
		 * Return a retry, with a pause if other instances were faster several times.
		 */
		Outcome<Reserved> retry() {
			return (this.attempts++ < ATTEMPTS_WITHOUT_PAUSE)
					? Outcome.retry("other instances were faster", Duration.ZERO) : Outcome.retryAfterConflict();
		}

	}

	/**
	 * What this instance knows about a key space.
	 */
	private static final class KeySpaceKnowledge {

		private volatile @Nullable String definition;

		/** The server on which the key space is known to need no take-over. */
		private volatile @Nullable String server;

		/** The last durable reservation, or {@code null} after a give-back. */
		private final AtomicReference<@Nullable Reserved> lastReservation = new AtomicReference<>();

		/**
		 * The state before this instance's take-over, if the outcome is not known yet.
		 */
		private final AtomicReference<@Nullable KeySpaceView> pendingTakeOver = new AtomicReference<>();

		private volatile long rate;

		private final AtomicLong reservedSinceRead = new AtomicLong();

		/** Whether this instance may have stored a raise without starting it. */
		private volatile boolean mayHaveStoredRaise;

		/** When to check again whether a raised rate is still needed. */
		private volatile Deadline nextRateCheck = Deadline.in(Duration.ZERO);

		/** The state from which the usage is measured. */
		private volatile @Nullable FenceState usageStart;

		void update(KeySpaceView view) {
			// while the key space needs a take-over, no server may be used for
			// reservations
			this.server = view.fence().needsTakeOver() ? null : view.fence().server();
			this.rate = view.fence().line().raised();
			if (this.usageStart == null) {
				measureUsage(view.fence());
			}
		}

		/** Count reserved ordinals, and return whether the key space must be read now. */
		boolean mustReadAfterReserving(FenceRules rules, long count) {
			return this.reservedSinceRead.addAndGet(count) >= rules.refreshAfter(this.rate) || this.mayHaveStoredRaise
					|| (rules.isRaised(this.rate) && this.nextRateCheck.hasPassed());
		}

		/**
		 * Return how far the counter has advanced since {@link #usageStart}, and replace
		 * that state if it is at least a second old or unusable.
		 */
		Usage measureUsage(FenceState fence) {
			FenceState before = this.usageStart;
			if (before == null || !Objects.equals(before.server(), fence.server())) {
				this.usageStart = fence;
				return Usage.UNKNOWN;
			}
			Usage usage = Usage.between(before, fence);
			// the clock of the server may have been set back
			boolean unusable = usage.micros() < 0;
			if (unusable || usage.micros() >= FenceLine.SECOND) {
				this.usageStart = fence;
			}
			return unusable ? Usage.UNKNOWN : usage;
		}

	}

}
