package dev.idspring.monitor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;

/**
 * A generator as those see it who run it: it can be watched, and it is closed at the end.
 * Watching consumes no id.
 *
 * @since 0.1.0
 */
public interface ManagedIdGenerator extends IdGenerator, AutoCloseable {

	/**
	 * Ask the store how far the key space is reserved by all instances, so that the next
	 * {@link #snapshot()} is up to date.
	 * @param timeout how long to wait for the store at most
	 * @return completes when the store has answered or the time is over, never
	 * exceptionally
	 */
	CompletableFuture<?> refresh(Duration timeout);

	/**
	 * Describe an id with what is known of it. Other than {@link #describe(long)} this
	 * does not fail when the store does not answer.
	 * @param id the numeric form of an id of this generator
	 * @param timeout how long to wait for the store at most
	 * @return what there is to say; where only the store knows whether the id is
	 * reserved, and does not answer, {@code reserved} is {@code null}
	 * @throws IllegalArgumentException if the number is no id of this generator
	 */
	IdDescription describe(long id, Duration timeout);

	/**
	 * Take a snapshot of what is known. Does no I/O.
	 * @return what there is to see now
	 */
	GeneratorSnapshot snapshot();

	/**
	 * Hand out no more ids, and begin to give back what is unused. Several generators
	 * that are closed this way wait for their store at the same time.
	 * @return completes when {@link #close()} would return
	 */
	default CompletableFuture<?> beginClose() {
		close();
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Hand out no more ids. What is unused goes back to the store where that is safe.
	 */
	@Override
	void close();

	/**
	 * What the builders of all kinds of generators have in common.
	 *
	 * @since 0.1.0
	 */
	interface Builder {

		/**
		 * Return the name of the generator to build.
		 * @return the name
		 */
		String name();

		/**
		 * Return how ids are made.
		 * @return the name of the strategy, as in {@code ids.strategy}
		 */
		String strategy();

		/**
		 * Return the name of the key space.
		 * @return the name of the generator, unless another was set
		 */
		String keySpaceName();

		/**
		 * Set the name of the key space, if it is not the name of the generator.
		 * @param keySpaceName the key of the key space in its store
		 * @return this builder
		 */
		Builder keySpaceName(String keySpaceName);

		/**
		 * Set from where on the key space counts as low.
		 * @param lowThreshold the mark
		 * @return this builder
		 */
		Builder lowThreshold(LowThreshold lowThreshold);

		/**
		 * Open the key space, creating it if it does not exist.
		 * @return a generator that must be closed after use
		 */
		ManagedIdGenerator open();

	}

}
