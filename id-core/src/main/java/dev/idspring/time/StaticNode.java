package dev.idspring.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A node whose number is given, without a store: nothing keeps another instance from
 * having the same, nor a restart with a clock that was set back from using the same times
 * again.
 */
final class StaticNode implements NodeAssignment {

	private final Node node;

	private final String source;

	private final TimeLayout layout;

	StaticNode(Node node, String source, TimeLayout layout) {
		this.node = node;
		this.source = source;
		this.layout = layout;
	}

	@Override
	public Node node() {
		return this.node;
	}

	@Override
	public @Nullable RuntimeException failure() {
		return null;
	}

	@Override
	public @Nullable RuntimeException terminal() {
		return null;
	}

	@Override
	public void await(Deadline deadline) {
		// there is nothing to wait for
	}

	@Override
	public CompletableFuture<?> look(Duration timeout) {
		return CompletableFuture.completedFuture(true);
	}

	@Override
	public @Nullable String storeFailure() {
		return null;
	}

	@Override
	public NodeSnapshot nodeSnapshot() {
		return new NodeSnapshot(this.node.number(), this.source, null, this.layout.instant(this.node.first()), null,
				null);
	}

	@Override
	public BlockSnapshot windowSnapshot(long now, long waits, Duration waited) {
		return new BlockSnapshot(0, 0, 0, 0, 0, 0, waits, waited, 0, null, null, null);
	}

	@Override
	public CompletableFuture<?> beginClose() {
		close();
		return CompletableFuture.completedFuture(true);
	}

	@Override
	public void close() {
		this.node.seal();
	}

	@Override
	public CompletableFuture<?> dropMemory() {
		// nothing keeps two copies apart that have the same number
		return CompletableFuture.completedFuture(true);
	}

}
