package dev.idspring.monitor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.text.TextSettings;

/**
 * A generator that can be monitored and closed. Monitoring does not consume any ids.
 *
 * @since 0.1.0
 */
public interface ManagedIdGenerator extends IdGenerator, AutoCloseable {

	/**
	 * Read from the store how many keys all instances have reserved, so that the next
	 * {@link #snapshot()} is up to date.
	 * @param timeout the maximum time to wait for the store
	 * @return a future that completes when the store has answered or the timeout has
	 * passed. It never completes exceptionally
	 */
	CompletableFuture<?> refresh(Duration timeout);

	/**
	 * Describe an id as far as possible. Unlike {@link #describe(long)}, this method does
	 * not fail if the store does not answer.
	 * @param id the numeric form of an id of this generator
	 * @param timeout the maximum time to wait for the store
	 * @return the description. Its {@code reserved} is {@code null} if the generator does
	 * not know this value itself and the store does not answer
	 * @throws IllegalArgumentException if the number is not an id of this generator
	 */
	IdDescription describe(long id, Duration timeout);

	/**
	 * Return the settings of the text form of ids.
	 * @return the settings, which do not affect the ids themselves
	 */
	TextSettings text();

	/**
	 * Return a regular expression that the text forms of all ids match, for API
	 * descriptions. Not every string that matches is an id. The expression has the same
	 * meaning in Java and JavaScript.
	 * @return the expression, which begins with {@code ^} and ends with {@code $}
	 */
	String textPattern();

	/**
	 * Return the last id of the key space. It is a suitable example of an id, because it
	 * does not identify anything until the key space is used up.
	 * @return the numeric form of the id
	 */
	long lastId();

	/**
	 * Return the state of the generator, as far as this instance knows it. This method
	 * does no I/O.
	 * @return the snapshot
	 */
	GeneratorSnapshot snapshot();

	/**
	 * Discard the reservations in memory without giving them back. The generator then
	 * issues ids only from later reservations. Call this method before the process is
	 * cloned by a checkpoint or by a snapshot of its virtual machine, because the clone
	 * has the same memory.
	 * @return a future that completes when no earlier reservation is in memory
	 */
	CompletableFuture<?> dropMemory();

	/**
	 * Start closing the generator without waiting for the store. It issues no more ids,
	 * and begins to give back unused ones. An application can use this method to close
	 * several generators concurrently.
	 * @return a future that completes when the generator is closed
	 */
	default CompletableFuture<?> beginClose() {
		close();
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Close the generator, which then issues no more ids. Unused ids are given back to
	 * the store if this is safe.
	 */
	@Override
	void close();

}
