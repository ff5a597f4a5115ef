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
 * Observes a generator and its store. Called on the thread that calls the store, with no
 * lock held. Exceptions of listeners are logged.
 *
 * @since 0.1.0
 */
public interface IdGeneratorListener {

	/**
	 * The generator was opened. Called on the thread that opens it.
	 * @param generator the name of the generator
	 * @param summary how it makes ids, for operators
	 * @param snapshot its key space and node
	 */
	default void opened(String generator, String summary, GeneratorSnapshot snapshot) {
	}

	/**
	 * The key space was opened with fewer keys than before. Called right after
	 * {@link #opened}.
	 * @param generator the name of the generator
	 * @param keySpaceName the name of the key space
	 * @param capacity how many keys this generator uses at most
	 * @param stored how many keys the store knows
	 */
	default void lowered(String generator, String keySpaceName, long capacity, long stored) {
	}

	/**
	 * A request to the store for a block, a node, or a later end of a node's window is
	 * about to start. A scope opened here encloses the whole request.
	 * @param generator the name of the generator
	 * @param strategy the name of the strategy
	 * @return receives the outcome, on the same thread
	 */
	default Attempt reserving(String generator, String strategy) {
		return Attempt.NOT_OBSERVED;
	}

	/**
	 * Ids were reserved.
	 * @param generator the name of the generator
	 * @param count how many, 0 if the key space is exhausted
	 * @param took how long the store took
	 */
	default void reserved(String generator, long count, Duration took) {
	}

	/**
	 * An attempt to reserve ids failed. It will be retried.
	 * @param generator the name of the generator
	 * @param failure what went wrong
	 * @param inMemory how many ids are left in memory
	 */
	default void failed(String generator, RuntimeException failure, long inMemory) {
	}

	/**
	 * The window of the node was moved: the generator makes ids until its new end.
	 * @param generator the name of the generator
	 * @param node the number of the node
	 * @param end the end of the reserved times, exclusive
	 */
	default void windowMoved(String generator, long node, Instant end) {
	}

	/**
	 * No node could be claimed, or its window could not be moved. This will be retried.
	 * @param generator the name of the generator
	 * @param failure what went wrong
	 * @param left how long the generator can still make ids
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
	 * A node or a series was lost: its lease expired and another instance claimed it, or
	 * an operator moved it.
	 * @param generator the name of the generator
	 * @param number the number of the node or series
	 */
	default void lost(String generator, long number) {
	}

	/**
	 * A node or a series was moved by a clone of this process: a VM snapshot or a
	 * checkpoint was restored more than once. The generator continues as a new owner and
	 * claims another one.
	 * @param generator the name of the generator
	 * @param number the number of the node or series
	 */
	default void cloned(String generator, long number) {
	}

	/**
	 * So many nodes or series are held that their leases are renewed too often. Called
	 * once, soon after the generator was opened.
	 * @param generator the name of the generator
	 * @param held how many nodes or series of the key space are held
	 * @param lease the lease of the generator
	 * @param enough the shortest lease that is long enough
	 */
	default void leaseTooShort(String generator, long held, Duration lease, Duration enough) {
	}

	/**
	 * Reserved ids were dropped, because a copy of this process may use them.
	 * @param generator the name of the generator
	 * @param count how many were in memory, not counting an attempt in progress
	 */
	default void memoryDropped(String generator, long count) {
	}

	/**
	 * The key space is low. Called at most once a day.
	 * @param generator the name of the generator
	 * @param keySpace the key space, with its projected end
	 */
	default void low(String generator, KeySpaceSnapshot keySpace) {
	}

	/**
	 * The generator has stopped, because continuing could repeat ids.
	 * @param generator the name of the generator
	 * @param reason the reason
	 */
	default void stopped(String generator, RuntimeException reason) {
	}

	/**
	 * The generator was closed.
	 * @param generator the name of the generator
	 * @param givenBack how many ids went back to the store
	 * @param abandoned how many reserved ids will never be used
	 */
	default void closed(String generator, long givenBack, long abandoned) {
	}

	/**
	 * One attempt to reserve.
	 */
	@FunctionalInterface
	interface Attempt {

		/**
		 * Does nothing.
		 */
		Attempt NOT_OBSERVED = (outcome, error) -> {
		};

		/**
		 * The store has answered or failed. Called once, on the same thread.
		 * @param outcome the outcome of the attempt
		 * @param error what went wrong, or {@code null} if nothing did
		 */
		void end(ReservationOutcome outcome, @Nullable Throwable error);

	}

	/**
	 * The outcome of an attempt to reserve.
	 *
	 * @since 0.1.0
	 */
	enum ReservationOutcome {

		/**
		 * Something was reserved.
		 */
		SUCCESS,

		/**
		 * Nothing is left to reserve.
		 */
		EXHAUSTED,

		/**
		 * The store failed, or rejected the request.
		 */
		FAILURE;

		/**
		 * Return the outcome of a failed attempt.
		 * @param error what went wrong
		 * @return the outcome
		 */
		public static ReservationOutcome of(Throwable error) {
			return (error instanceof KeySpaceExhaustedException) ? EXHAUSTED : FAILURE;
		}

	}

	/**
	 * The listeners of one generator, in the order in which they were added. An exception
	 * or error of a listener is logged, and affects neither the generator nor the other
	 * listeners.
	 *
	 * @since 0.1.0
	 */
	final class Listeners {

		/** Allows 100 renewals a second, as of 1,000 holders with leases of 30 s. */
		private static final Duration LEASE_PER_HOLDER = Duration.ofMillis(30);

		private final String generator;

		private final String strategy;

		private final List<IdGeneratorListener> listeners;

		private final FailureLog failures;

		/**
		 * Create a group.
		 * @param generator the name of the generator
		 * @param strategy the name of its strategy
		 * @param listeners called in this order
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
		 * Add a listener.
		 * @param last called after the others
		 * @return a new group
		 */
		public Listeners with(IdGeneratorListener last) {
			List<IdGeneratorListener> all = new ArrayList<>(this.listeners);
			all.add(last);
			return new Listeners(this.generator, this.strategy, all, this.failures);
		}

		/**
		 * Call all listeners.
		 * @param event calls one, with the name of the generator
		 */
		public void inform(BiConsumer<IdGeneratorListener, String> event) {
			for (IdGeneratorListener listener : this.listeners) {
				quietly(() -> event.accept(listener, this.generator));
			}
		}

		/**
		 * Call all listeners if leases are renewed too often. Each lease is renewed three
		 * times before it would end.
		 * @param held how many nodes or series of the key space are held
		 * @param lease the lease of the generator
		 */
		public void verifyLease(long held, Duration lease) {
			Duration enough = LEASE_PER_HOLDER.multipliedBy(held);
			if (lease.compareTo(enough) < 0) {
				inform((listener, name) -> listener.leaseTooShort(name, held, lease, enough));
			}
		}

		/**
		 * Begin an attempt to reserve.
		 * @return ends the attempt for all listeners, in the opposite order
		 */
		public Attempt reserving() {
			Deque<Attempt> begun = new ArrayDeque<>();
			for (IdGeneratorListener listener : this.listeners) {
				quietly(() -> begun.push(listener.reserving(this.generator, this.strategy)));
			}
			return (outcome, error) -> begun.forEach((attempt) -> quietly(() -> attempt.end(outcome, error)));
		}

		/**
		 * Log a failure that reaches no caller and no listener, at most once a minute.
		 * Callers learn of an unavailable store by its exceptions.
		 * @param what the operation that failed
		 * @param failure the failure
		 */
		public void logUnexpected(String what, Throwable failure) {
			if (!(failure instanceof IdGenerationException)) {
				this.failures.log(what, failure);
			}
		}

		private void quietly(Runnable call) {
			try {
				call.run();
			}
			catch (Throwable ex) {
				this.failures.log("a listener has failed", ex);
			}
		}

	}

}
