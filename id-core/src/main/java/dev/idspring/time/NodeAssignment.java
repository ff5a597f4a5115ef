package dev.idspring.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Provides the node of a time-based generator: a number that distinguishes the ids of
 * this instance from those of other instances. An instance generates ids only for times
 * in its window. With a store, the window contains only times that the instance has
 * reserved for the node. The default methods are for generators without a store.
 */
interface NodeAssignment extends AutoCloseable {

	/**
	 * Return the node.
	 * @return the node, or {@code null} if the generator currently has no node
	 */
	@Nullable Node node();

	/**
	 * Return why the last attempt to claim a node or to extend its window failed.
	 * @return the failure, or {@code null} if the attempt succeeded
	 */
	default @Nullable RuntimeException failure() {
		return null;
	}

	/**
	 * Return why the generator has stopped permanently.
	 * @return the reason, or {@code null} if the generator has not stopped
	 */
	default @Nullable RuntimeException permanentFailure() {
		return null;
	}

	/**
	 * Request an attempt to claim a node or to extend its window, and wait for the end of
	 * the attempt.
	 * @param deadline when to stop waiting
	 */
	default void await(Deadline deadline) throws InterruptedException {
		// without a store, no attempt is needed
	}

	/**
	 * Check whether the store answers, and record the result for {@link #storeFailure()}.
	 * @param timeout the maximum time to wait for the answer
	 * @return a future that completes when the result is recorded
	 */
	default CompletableFuture<?> checkStore(Duration timeout) {
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Return why the last request to the store failed.
	 * @return the reason, or {@code null} if the store served the request
	 */
	default @Nullable String storeFailure() {
		return null;
	}

	/**
	 * Return the factor by which to multiply the usual interval between samples of the
	 * usage history. The factor grows with the duration of the lease, because a long
	 * lease is meant for many instances, and each instance adds samples.
	 */
	default long samplingFactor() {
		return 1;
	}

	/**
	 * Return the snapshot of the node for operators.
	 */
	NodeSnapshot nodeSnapshot();

	/**
	 * Return the snapshot of the window for operators.
	 * @param now the current time, in milliseconds since the epoch of the layout
	 * @param waits how often callers had to wait
	 * @param waited the total time that callers have waited
	 */
	default BlockSnapshot windowSnapshot(long now, long waits, Duration waited) {
		return new BlockSnapshot(0, 0, 0, 0, 0, 0, waits, waited, 0, null, null, null);
	}

	/**
	 * Begin to release the node, as {@link #close()} does, but do not wait.
	 * @return a future that completes when the node is released
	 */
	default CompletableFuture<?> beginClose() {
		close();
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Release the node, so that its next owner can begin at the time after the last id.
	 */
	@Override
	void close();

	/**
	 * Discard all times that were reserved so far, because a clone of this process may
	 * use them.
	 * @return a future that completes when the times are discarded
	 */
	default CompletableFuture<?> dropMemory() {
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * A node with a configured number, without a store. Ids may repeat if another
	 * instance or a clone of this process has the same number, or if this instance
	 * restarts after the clock was set back.
	 *
	 * @param node the node
	 * @param source the source of the number, as shown to operators
	 * @param layout the layout of the ids
	 */
	record ConfiguredNode(Node node, String source, TimeLayout layout) implements NodeAssignment {

		@Override
		public NodeSnapshot nodeSnapshot() {
			return new NodeSnapshot(this.node.number, this.source, null, this.layout.instant(this.node.first), null,
					null, null);
		}

		@Override
		public void close() {
			this.node.sequence.seal();
		}

	}

}
