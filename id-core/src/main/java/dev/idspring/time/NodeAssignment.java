package dev.idspring.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Holds the node of a generator, and keeps the node's window of reserved times ahead of
 * the clock. The default methods are for generators without a store.
 */
interface NodeAssignment extends AutoCloseable {

	/**
	 * Return the node.
	 * @return the node, or {@code null} if the generator currently has no node
	 */
	@Nullable Node node();

	/**
	 * Return why the last attempt to claim the node or to extend its window failed.
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
	 * Request an attempt to claim the node or to extend its window, and wait until the
	 * attempt has ended.
	 * @param deadline when to stop waiting
	 */
	default void await(Deadline deadline) throws InterruptedException {
		// without a store, no attempt is needed
	}

	/**
	 * Check whether the store answers.
	 * @param timeout the maximum time to wait for the answer
	 * @return a future that completes when the result is known
	 */
	default CompletableFuture<?> checkStore(Duration timeout) {
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Return why the last request to the store failed.
	 * @return the reason, or {@code null} if the request succeeded
	 */
	default @Nullable String storeFailure() {
		return null;
	}

	/**
	 * Return the factor by which to multiply the usual interval between samples of the
	 * usage history. The factor grows with the lease, because a long lease is meant for
	 * many instances, and each instance adds samples.
	 */
	default long samplingFactor() {
		return 1;
	}

	/**
	 * Return the snapshot of the node for operators.
	 */
	NodeSnapshot nodeSnapshot();

	/**
	 * Return the snapshot of the windows of time for operators.
	 * @param now the current time, in milliseconds since the epoch of the layout
	 * @param waits how often callers had to wait
	 * @param waited the total time that callers have waited
	 */
	default BlockSnapshot windowSnapshot(long now, long waits, Duration waited) {
		return new BlockSnapshot(0, 0, 0, 0, 0, 0, waits, waited, 0, null, null, null);
	}

	/**
	 * Start releasing the node, so that its next owner can begin at the time after the
	 * last id.
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
	 * Stop using all times that have been reserved so far, because a clone of this
	 * process may use them.
	 * @return a future that completes when these times are no longer used
	 */
	default CompletableFuture<?> dropMemory() {
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * A node with a configured number and without a store. Nothing prevents another
	 * instance from having the same number. A clone of this process, or a restart after
	 * the clock was set back, may use the same times again.
	 *
	 * @param node the node
	 * @param source where the number comes from, as shown to operators
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
