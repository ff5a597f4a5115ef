package dev.idspring.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a generator has a node, and that the window of the node is ahead of the
 * clock.
 */
interface NodeAssignment extends AutoCloseable {

	/**
	 * Return the node.
	 * @return the node, or {@code null} if there is none at the moment
	 */
	@Nullable Node node();

	/**
	 * Return what went wrong the last time the node was to be claimed or its window to be
	 * moved.
	 * @return the failure, or {@code null} if nothing did
	 */
	@Nullable RuntimeException failure();

	/**
	 * Return why there will never be another id.
	 * @return the reason, or {@code null}
	 */
	@Nullable RuntimeException terminal();

	/**
	 * Have the node claimed or its window moved, and wait until that was tried.
	 * @param deadline until when to wait
	 */
	void await(Deadline deadline) throws InterruptedException;

	/**
	 * Find out whether the store answers.
	 * @param timeout how long to wait at most
	 * @return completes when that is known
	 */
	CompletableFuture<?> look(Duration timeout);

	/**
	 * Return why the store did not answer when it was last asked.
	 * @return what it said, or {@code null} if it answered
	 */
	@Nullable String storeFailure();

	/**
	 * Return what operators see of the node.
	 */
	NodeSnapshot nodeSnapshot();

	/**
	 * Return what operators see of the windows.
	 * @param now the time
	 * @param waits how often a caller had to wait
	 * @param waited how long all callers together have waited
	 */
	BlockSnapshot windowSnapshot(long now, long waits, Duration waited);

	/**
	 * Begin to leave the node where the last id was made.
	 * @return completes when that is done
	 */
	CompletableFuture<?> beginClose();

	/**
	 * Leave the node where the last id was made.
	 */
	@Override
	void close();

	/**
	 * Use no time any more that is reserved now: a copy of this process may use it.
	 * @return completes when that is so
	 */
	CompletableFuture<?> dropMemory();

}
