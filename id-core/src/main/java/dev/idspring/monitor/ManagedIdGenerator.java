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
	 * Read from the store how many keys all instances have reserved. If the store
	 * answers, the next {@link #snapshot()} contains this number.
	 * @param timeout the maximum time to wait for the store
	 * @return a future that completes when the store has answered or the timeout has
	 * passed. It never completes exceptionally
	 */
	CompletableFuture<?> refresh(Duration timeout);

	/**
	 * Describe an id. Unlike {@link #describe(long)}, this method does not fail if the
	 * store does not answer.
	 * @param id the numeric form of an id of this generator
	 * @param timeout the maximum time to wait for the store
	 * @return the description, in which {@code reserved} is {@code null} if only the
	 * store knows this value and the store does not answer
	 * @throws IllegalArgumentException if the number is not an id of this generator
	 */
	IdDescription describe(long id, Duration timeout);

	/**
	 * Return the settings of the text form of ids.
	 * @return the settings, which do not affect the numeric form of ids
	 */
	TextSettings text();

	/**
	 * Return a regular expression for API descriptions. The text forms of all ids match
	 * it, but not every string that matches is an id. The expression has the same meaning
	 * in Java and JavaScript.
	 * @return the expression, which begins with {@code ^} and ends with {@code $}
	 */
	String textPattern();

	/**
	 * Return the last id of the key space. This id is a suitable example, because it is
	 * among the last ids to be issued.
	 * @return the numeric form of the id
	 */
	long lastId();

	/**
	 * Return the state of the generator as this instance knows it, without I/O.
	 * @return the snapshot
	 */
	GeneratorSnapshot snapshot();

	/**
	 * Discard the reservations in memory without giving them back. Afterwards, the
	 * generator issues ids only from later reservations. Call this method before a
	 * checkpoint or a snapshot of the virtual machine. Otherwise, the original and each
	 * restored process would issue the same ids from memory.
	 * @return a future that completes when no earlier reservation is in memory
	 */
	CompletableFuture<?> dropMemory();

	/**
	 * Start closing the generator without waiting for the store. The generator issues no
	 * more ids, and begins to give back unused ones. Call this method on several
	 * generators to close them concurrently. The default implementation calls
	 * {@link #close()}, and may therefore wait.
	 * @return a future that completes when the generator is closed
	 */
	default CompletableFuture<?> beginClose() {
		close();
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Close the generator, and give unused ids back to the store if that is safe. A
	 * closed generator issues no ids.
	 */
	@Override
	void close();

}
