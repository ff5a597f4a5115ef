package dev.idspring.monitor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.text.TextSettings;

/**
 * A generator as operators see it: it can be monitored and closed. Monitoring consumes no
 * id.
 *
 * @since 0.1.0
 */
public interface ManagedIdGenerator extends IdGenerator, AutoCloseable {

	/**
	 * Read from the store how many keys all instances have reserved, so that the next
	 * {@link #snapshot()} is up to date.
	 * @param timeout how long to wait for the store at most
	 * @return completes when the store has answered or the timeout has passed, never
	 * exceptionally
	 */
	CompletableFuture<?> refresh(Duration timeout);

	/**
	 * Describe an id as far as possible. Unlike {@link #describe(long)}, this does not
	 * fail if the store does not answer.
	 * @param id the numeric form of an id of this generator
	 * @param timeout how long to wait for the store at most
	 * @return the description; {@code reserved} is {@code null} if only the store knows
	 * it and does not answer
	 * @throws IllegalArgumentException if the number is not an id of this generator
	 */
	IdDescription describe(long id, Duration timeout);

	/**
	 * Return the settings of the text form of ids.
	 * @return the settings, which do not affect the ids themselves
	 */
	TextSettings text();

	/**
	 * Return a regular expression that the texts of all ids match, for API descriptions.
	 * Texts that match it may still be rejected. It has the same meaning in Java and
	 * JavaScript.
	 * @return the expression, with anchors
	 */
	String textPattern();

	/**
	 * Return the last id of the key space: an example that consumes no id, and that
	 * identifies nothing until the key space is used up.
	 * @return the numeric form
	 */
	long lastId();

	/**
	 * Take a snapshot of the known state. Does no I/O.
	 * @return the snapshot
	 */
	GeneratorSnapshot snapshot();

	/**
	 * Drop the reservations in memory without giving them back: after this call the
	 * generator makes ids only from later reservations. Call this before the process is
	 * copied, by a checkpoint or a snapshot of a virtual machine, because the copy has
	 * the same memory.
	 * @return completes when no earlier reservation is in memory
	 */
	CompletableFuture<?> dropMemory();

	/**
	 * Issue no more ids, and start to give back unused ones. Several generators closed
	 * this way wait for their store at the same time.
	 * @return completes when {@link #close()} would return
	 */
	default CompletableFuture<?> beginClose() {
		close();
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Issue no more ids. Unused ones are given back to the store if that is safe.
	 */
	@Override
	void close();

}
