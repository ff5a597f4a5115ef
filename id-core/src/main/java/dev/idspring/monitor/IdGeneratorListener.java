package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;

import dev.idspring.IdGenerationException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.worker.FailureLog;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Observes a generator and its requests to the store. The strategies {@code coprime},
 * {@code sequential} and {@code recycled} reserve <em>blocks</em> of ids. With
 * {@code recycled}, an instance reserves them from <em>series</em> that it owns. A
 * time-based generator owns a <em>node</em>, and reserves a <em>window</em>: the times
 * for which the node may issue ids. Nodes and series are <em>leased</em> to their owners,
 * which renew the leases.
 * <p>
 * Unless stated otherwise, the generator calls these methods on the thread that calls the
 * store, and holds no lock meanwhile. Exceptions that listeners throw are logged.
 *
 * @since 0.1.0
 */
public interface IdGeneratorListener {

	/**
	 * The generator was opened. Called on the thread that opens the generator.
	 * @param generator the name of the generator
	 * @param summary a description of the ids, for operators
	 * @param snapshot the state of the generator
	 */
	default void opened(String generator, String summary, GeneratorSnapshot snapshot) {
	}

	/**
	 * The settings of the generator allow fewer keys (if ids contain the time, fewer
	 * milliseconds) than the store records for the key space. Called immediately after
	 * {@link #opened}.
	 * @param generator the name of the generator
	 * @param keySpaceName the name of the key space
	 * @param capacity the maximum number of keys or milliseconds that this generator uses
	 * @param stored the number of keys or milliseconds of the key space in the store
	 */
	default void lowered(String generator, String keySpaceName, long capacity, long stored) {
	}

	/**
	 * The generator is about to send a request to the store: to reserve a block, claim a
	 * node, or extend a window. A listener may open an observation scope in this method,
	 * and close it in {@link Attempt#end}, which is called after the request.
	 * @param generator the name of the generator
	 * @param strategy the name of the strategy
	 * @return the attempt, which ends on the same thread
	 */
	default Attempt reserving(String generator, String strategy) {
		return Attempt.NOT_OBSERVED;
	}

	/**
	 * The generator has reserved a block of ids, or has found that no ids are left.
	 * @param generator the name of the generator
	 * @param count the number of ids, 0 if the key space is exhausted
	 * @param took the duration of the request to the store
	 */
	default void reserved(String generator, long count, Duration took) {
	}

	/**
	 * An attempt to reserve ids failed. The generator will retry unless it is closed.
	 * @param generator the name of the generator
	 * @param failure the cause of the failure
	 * @param inMemory the number of ids in memory that can still be issued, without those
	 * that threads have taken in advance
	 */
	default void failed(String generator, RuntimeException failure, long inMemory) {
	}

	/**
	 * The window of the node was extended.
	 * @param generator the name of the generator
	 * @param node the number of the node
	 * @param end the new end of the window, exclusive
	 */
	default void windowExtended(String generator, long node, Instant end) {
	}

	/**
	 * An attempt to claim a node or to extend its window failed, and the generator will
	 * retry.
	 * @param generator the name of the generator
	 * @param failure the cause of the failure
	 * @param left how long the generator can still issue ids
	 */
	default void windowFailed(String generator, RuntimeException failure, Duration left) {
	}

	/**
	 * A node or a series was claimed.
	 * @param generator the name of the generator
	 * @param number the number of the node or series
	 */
	default void claimed(String generator, long number) {
	}

	/**
	 * A node or a series was lost: its lease expired and another instance claimed it, an
	 * operator skipped ids, or the store failed over. A skip by an operator removes the
	 * owners of all nodes and series. A fail-over removes the owners of all series, and
	 * of nodes with an expired lease.
	 * @param generator the name of the generator
	 * @param number the number of the node or series
	 */
	default void lost(String generator, long number) {
	}

	/**
	 * A clone of this process, such as one restored from a VM snapshot or a checkpoint,
	 * has used a node or a series of this generator. The generator therefore becomes a
	 * new owner, and claims another node or series.
	 * @param generator the name of the generator
	 * @param number the number of the node or series
	 */
	default void cloned(String generator, long number) {
	}

	/**
	 * The lease is so short that the renewals of all owners together cause too many
	 * requests. Called at most once, soon after the generator was opened.
	 * @param generator the name of the generator
	 * @param ownerCount how many nodes or series of the key space have owners
	 * @param lease the lease of the generator
	 * @param minLease the shortest lease that does not cause too many requests
	 */
	default void leaseTooShort(String generator, long ownerCount, Duration lease, Duration minLease) {
	}

	/**
	 * Reserved ids were discarded, because a clone of this process may use them.
	 * @param generator the name of the generator
	 * @param count the number of ids that were in memory, without those that threads had
	 * taken in advance, and without those of a reservation in progress
	 */
	default void memoryDropped(String generator, long count) {
	}

	/**
	 * The key space is low, as defined by {@link LowThreshold}. Called at most once per
	 * day, on any thread.
	 * @param generator the name of the generator
	 * @param keySpace the state of the key space
	 */
	default void low(String generator, KeySpaceSnapshot keySpace) {
	}

	/**
	 * The generator has stopped, because otherwise ids could repeat.
	 * @param generator the name of the generator
	 * @param reason the reason
	 */
	default void stopped(String generator, RuntimeException reason) {
	}

	/**
	 * An attempt to give back unused ids or to release a node or series failed, usually
	 * while the generator was closing. The generator does not retry. Ids that were not
	 * given back are never issued. Another instance can claim the node or series when the
	 * lease expires.
	 * @param generator the name of the generator
	 * @param failure the cause of the failure
	 */
	default void notGivenBack(String generator, RuntimeException failure) {
	}

	/**
	 * A generator that reserves blocks was closed. With {@code recycled}, called once for
	 * each of the {@code ids.recycled.series-per-instance} series.
	 * @param generator the name of the generator
	 * @param givenBack how many ids were given back to the store
	 * @param abandoned how many unused ids were not given back, without those that other
	 * threads had taken in advance
	 */
	default void closed(String generator, long givenBack, long abandoned) {
	}

	/**
	 * An attempt to reserve ids, to claim a node, or to extend its window.
	 */
	@FunctionalInterface
	interface Attempt {

		/**
		 * Ignores the outcome.
		 */
		Attempt NOT_OBSERVED = (outcome, error) -> {
		};

		/**
		 * The attempt has ended. Called once, on the thread that started the attempt.
		 * @param outcome the outcome of the attempt
		 * @param error the exception that the request threw, or {@code null} if it threw
		 * none
		 */
		void end(ReservationOutcome outcome, @Nullable Throwable error);

	}

	/**
	 * The outcome of an attempt.
	 *
	 * @since 0.1.0
	 */
	enum ReservationOutcome {

		/**
		 * The attempt succeeded.
		 */
		SUCCESS,

		/**
		 * No keys are left to reserve.
		 */
		EXHAUSTED,

		/**
		 * The attempt failed for any other reason.
		 */
		FAILURE;

		/**
		 * Return the outcome of a failed attempt.
		 * @param error the cause of the failure
		 * @return the outcome
		 */
		public static ReservationOutcome of(Throwable error) {
			return (error instanceof KeySpaceExhaustedException) ? EXHAUSTED : FAILURE;
		}

	}

	/**
	 * The listeners of one generator. They are called in the order in which they were
	 * added. An exception or error of a listener is logged, and affects neither the
	 * generator nor the other listeners.
	 *
	 * @since 0.1.0
	 */
	final class Listeners {

		/**
		 * The minimum lease is this duration times the number of owners. Each owner
		 * renews about three times per lease duration, so all owners together send at
		 * most about 100 renewals per second.
		 */
		private static final Duration LEASE_PER_OWNER = Duration.ofMillis(30);

		private final String generator;

		private final String strategy;

		private final List<IdGeneratorListener> listeners;

		private final FailureLog failures;

		/**
		 * Create the listeners of a generator.
		 * @param generator the name of the generator
		 * @param strategy the name of the strategy of the generator
		 * @param listeners the listeners, in the order in which to call them
		 */
		public Listeners(String generator, String strategy, List<IdGeneratorListener> listeners) {
			this(generator, strategy, listeners, new FailureLog(generator, TimeSource.system()));
		}

		Listeners(String generator, String strategy, List<IdGeneratorListener> listeners, FailureLog failures) {
			this.generator = generator;
			this.strategy = strategy;
			this.listeners = List.copyOf(listeners);
			this.failures = failures;
		}

		/**
		 * Return these listeners and one more.
		 * @param last the listener to call after all others
		 * @return all listeners; this object does not change
		 */
		public Listeners with(IdGeneratorListener last) {
			List<IdGeneratorListener> all = new ArrayList<>(this.listeners);
			all.add(last);
			return new Listeners(this.generator, this.strategy, all, this.failures);
		}

		/**
		 * Call all listeners.
		 * @param event calls one listener with the name of the generator
		 */
		public void notifyListeners(BiConsumer<IdGeneratorListener, String> event) {
			for (IdGeneratorListener listener : this.listeners) {
				callSafely(() -> event.accept(listener, this.generator));
			}
		}

		/**
		 * Notify all listeners if the lease causes too many renewals.
		 * @param ownerCount how many nodes or series of the key space have owners
		 * @param lease the lease of the generator
		 */
		public void verifyLease(long ownerCount, Duration lease) {
			Duration minLease = LEASE_PER_OWNER.multipliedBy(ownerCount);
			if (lease.compareTo(minLease) < 0) {
				notifyListeners((listener, name) -> listener.leaseTooShort(name, ownerCount, lease, minLease));
			}
		}

		/**
		 * Notify all listeners that an attempt begins.
		 * @return an attempt that ends the attempts of all listeners, in reverse order
		 */
		public Attempt reserving() {
			Deque<Attempt> attempts = new ArrayDeque<>();
			for (IdGeneratorListener listener : this.listeners) {
				callSafely(() -> attempts.push(listener.reserving(this.generator, this.strategy)));
			}
			return (outcome, error) -> attempts.forEach((attempt) -> callSafely(() -> attempt.end(outcome, error)));
		}

		/**
		 * Log an unexpected failure, at most once per minute. An
		 * {@link IdGenerationException} is not logged, because it is expected.
		 * @param what a clause that follows the name of the generator, such as "reading
		 * the store has failed"
		 * @param failure the failure
		 */
		public void logUnexpected(String what, Throwable failure) {
			if (!(failure instanceof IdGenerationException)) {
				this.failures.log(what, failure);
			}
		}

		private void callSafely(Runnable call) {
			try {
				call.run();
			}
			catch (Throwable ex) {
				this.failures.log("a listener has failed", ex);
			}
		}

	}

}
