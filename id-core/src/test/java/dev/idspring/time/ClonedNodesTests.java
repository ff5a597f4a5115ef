package dev.idspring.time;

import java.time.Duration;

import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NodeLease} and {@link NodeClaim} in cloned processes.
 */
class ClonedNodesTests {

	private final TestTimeSource time = new TestTimeSource();

	private final InMemorySlotStore slots = new InMemorySlotStore(this.time);

	private final ClonedNodes nodes = new ClonedNodes(this.time, new InMemoryKeySpaceStore(this.time), this.slots);

	@Test
	void clonesRepeatNoIdsBeyondTheirSharedWindow() {
		this.nodes.run(6_000);
		assertThat(this.nodes.ids).hasSizeGreaterThan(10_000);
		assertThat(this.nodes.repeatedIds).as("ids of the window that both had in memory").hasSizeBetween(490, 500);
		assertThat(this.nodes.repeatedIds).allSatisfy(
				(id) -> assertThat(this.nodes.original.generator.describe(id).time()).isBefore(this.nodes.windowEnd));
		assertThat(this.nodes.events).containsExactly("original shares node 0");
		assertThat(this.nodes.clone.generator.snapshot().node().number()).isZero();
		assertThat(this.nodes.original.generator.snapshot().node().number()).isEqualTo(2);
		assertThat(this.nodes.original.claim().ownerId()).isNotEqualTo(this.nodes.clone.claim().ownerId());
	}

	@Test
	void closeDoesNotReleaseTheNodeOfAClone() {
		this.nodes.clone.executor.runDelayed();
		StoredSlot storedByClone = stored(0);
		this.nodes.original.generator.close();
		assertThat(stored(0)).isEqualTo(storedByClone);
		this.nodes.clone.generator.close();
		assertThat(stored(0).owner()).isNull();
	}

	@Test
	void nothingIsRepeatedOrGivenBackAfterMemoryIsDropped() {
		long before = stored(0).slot().position();
		this.nodes.original.lease().dropMemory();
		this.nodes.clone.lease().dropMemory();
		this.nodes.run(1_000);
		assertThat(this.nodes.repeatedIds).isEmpty();
		assertThat(this.nodes.events).isEmpty();
		assertThat(stored(0).owner()).isNotNull();
		assertThat(stored(0).slot().position()).isEqualTo(before);
	}

	@Test
	void nodeIsClaimedWithTheNextIdAfterMemoryIsDropped() {
		this.nodes.original.lease().dropMemory();
		this.nodes.original.executor.runDelayed();
		assertThat(this.nodes.original.lease().node()).isNull();
		assertThat(this.slots.read("test", 2, deadline())).isEmpty();
		long id = this.nodes.original.draw();
		assertThat(this.nodes.original.generator.describe(id).node()).isEqualTo(2);
	}

	@Test
	void resumeClaimsANode() {
		this.nodes.original.lease().dropMemory();
		this.nodes.original.lease().resume();
		assertThat(this.nodes.original.lease().node().number).isEqualTo(2);
	}

	private StoredSlot stored(long number) {
		return this.slots.read("test", number, deadline()).orElseThrow();
	}

	private Deadline deadline() {
		return Deadline.after(this.time, Duration.ofSeconds(5));
	}

}
