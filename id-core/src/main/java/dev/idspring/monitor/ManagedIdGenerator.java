package dev.idspring.monitor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.text.TextSettings;

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
	 * Return what is said about the text form of ids.
	 * @return the settings, which have no effect on ids themselves
	 */
	TextSettings text();

	/**
	 * Return a regular expression that the texts of all ids match, for those who describe
	 * an interface. Texts that match it may still be refused. It means the same in Java
	 * and in JavaScript.
	 * @return the expression, with anchors
	 */
	String textPattern();

	/**
	 * Return the last id of the key space: an example that costs no id, and that is the
	 * id of nothing until the key space is used up.
	 * @return the numeric form
	 */
	long lastId();

	/**
	 * Take a snapshot of what is known. Does no I/O.
	 * @return what there is to see now
	 */
	GeneratorSnapshot snapshot();

	/**
	 * Drop what is reserved and in memory, without giving it back: after this call the
	 * generator makes ids only from what it reserves afterwards. Call this before a
	 * process is copied, by a checkpoint or a snapshot of a virtual machine, as the copy
	 * has the same memory.
	 * @return completes when nothing is in memory that was reserved before
	 */
	CompletableFuture<?> dropMemory();

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

}
