package dev.idspring.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Holds the node of a generator, and moves its window ahead of the clock. The defaults
 * assume no store.
 */
interface NodeAssignment extends AutoCloseable {

	/**
	 * Return the node.
	 * @return the node, or {@code null} if there is none at the moment
	 */
	@Nullable Node node();

	/**
	 * Return why the last attempt to claim the node or move its window failed.
	 * @return the failure, or {@code null} if it did not fail
	 */
	default @Nullable RuntimeException failure() {
		return null;
	}

	/**
	 * Return why the generator has stopped permanently.
	 * @return the reason, or {@code null} if it has not
	 */
	default @Nullable RuntimeException permanentFailure() {
		return null;
	}

	/**
	 * Request that the node is claimed or its window moved, and wait for the attempt.
	 * @param deadline when to stop waiting
	 */
	default void await(Deadline deadline) throws InterruptedException {
		// nothing to wait for
	}

	/**
	 * Check whether the store answers.
	 * @param timeout how long to wait at most
	 * @return completes when that is known
	 */
	default CompletableFuture<?> checkStore(Duration timeout) {
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Return why the last request to the store failed.
	 * @return the reason, or {@code null} if it answered
	 */
	default @Nullable String storeFailure() {
		return null;
	}

	/**
	 * Return the factor by which to prolong the usual wait between samples of the
	 * history: with a long lease, many instances add samples.
	 */
	default long samplingFactor() {
		return 1;
	}

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
	default BlockSnapshot windowSnapshot(long now, long waits, Duration waited) {
		return new BlockSnapshot(0, 0, 0, 0, 0, 0, waits, waited, 0, null, null, null);
	}

	/**
	 * Start to release the node at the time after its last id.
	 * @return completes when that is done
	 */
	default CompletableFuture<?> beginClose() {
		close();
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Release the node at the time after its last id.
	 */
	@Override
	void close();

	/**
	 * Stop using all times reserved so far: a copy of this process may use them.
	 * @return completes when none of them is used any more
	 */
	default CompletableFuture<?> dropMemory() {
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * A node whose number is given, without a store. Nothing prevents another instance
	 * from having the same number. A restart with a clock that was set back, or a copy of
	 * this process, may use the same times again.
	 *
	 * @param node the node
	 * @param source what operators call it
	 * @param layout the layout, which limits its times
	 */
	record Given(Node node, String source, TimeLayout layout) implements NodeAssignment {

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
