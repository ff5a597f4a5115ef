package dev.idspring.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a node for a generator, and the window of the node ahead of the clock. By default
 * there is no store.
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
	default @Nullable RuntimeException failure() {
		return null;
	}

	/**
	 * Return why there will never be another id.
	 * @return the reason, or {@code null}
	 */
	default @Nullable RuntimeException terminal() {
		return null;
	}

	/**
	 * Have the node claimed or its window moved, and wait until that was tried.
	 * @param deadline until when to wait
	 */
	default void await(Deadline deadline) throws InterruptedException {
		// nothing to wait for
	}

	/**
	 * Find out whether the store answers.
	 * @param timeout how long to wait at most
	 * @return completes when that is known
	 */
	default CompletableFuture<?> look(Duration timeout) {
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Return why the store did not answer when it was last asked.
	 * @return what it said, or {@code null} if it answered
	 */
	default @Nullable String storeFailure() {
		return null;
	}

	/**
	 * Return how many times as long as usual to wait until the next sample of the history
	 * is made: with a long lease there are many instances that make some.
	 */
	default long patience() {
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
	 * Begin to leave the node where the last id was made.
	 * @return completes when that is done
	 */
	default CompletableFuture<?> beginClose() {
		close();
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Leave the node where the last id was made.
	 */
	@Override
	void close();

	/**
	 * Use no time any more that is reserved now: a copy of this process may use it.
	 * @return completes when that is so
	 */
	default CompletableFuture<?> dropMemory() {
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * A node whose number is given, without a store: nothing keeps another instance from
	 * having the same, nor a restart with a clock that was set back or a copy of this
	 * process from using the same times again.
	 *
	 * @param node the node
	 * @param source what operators call it
	 * @param layout where its times end
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
