package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.testsupport.PrivateFields;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.TestTimeSource;

/**
 * A generator, and its clone: a copy with the same state in memory.
 */
public final class ClonedNodes {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration STEP = Duration.ofMillis(10);

	private final TestTimeSource time;

	private final KeySpaceStore keySpaces;

	private final SlotStore slots;

	public final List<String> events = new ArrayList<>();

	/** Ids that both the original and the clone have issued. */
	public final List<Long> repeatedIds = new ArrayList<>();

	public final Set<Long> ids = new HashSet<>();

	public final Instance original;

	public final Instance clone;

	/** The end of the time that was reserved when the generator was cloned. */
	public final Instant windowEnd;

	public ClonedNodes(TestTimeSource time, KeySpaceStore keySpaces, SlotStore slots) {
		this.time = time;
		this.keySpaces = keySpaces;
		this.slots = slots;
		this.original = new Instance("original");
		this.original.draw();
		this.clone = new Instance("clone");
		NodeClaim originalClaim = this.original.claim();
		NodeClaim cloneClaim = this.clone.claim();
		Node node = (Node) PrivateFields.get(originalClaim, "node");
		PrivateFields.set(cloneClaim, "owner", ((SlotOwner) PrivateFields.get(originalClaim, "owner")).copy());
		PrivateFields.set(cloneClaim, "storedSlot", originalClaim.storedSlot());
		PrivateFields.set(cloneClaim, "node", new Node(node.number, node.first, node.windowEnd, copy(node)));
		this.windowEnd = Preset.STANDARD.settings().scheme().layout().instant(node.windowEnd);
	}

	private TimeSequence copy(Node node) {
		TickBatch batch = (TickBatch) PrivateFields.get(node.sequence, "current");
		TimeSequence copy = this.clone.sequences().begin(node.number, node.first);
		PrivateFields.set(copy, "current", new TickBatch(batch.issued() - batch.issuedBefore, batch.time, batch.shift,
				batch.from, batch.count, batch.issuedBefore, batch.base, batch.stride, batch.tail));
		return copy;
	}

	/**
	 * Draw ids with the original and the clone in turn. After every 500 draws, renew the
	 * lease of the clone and then that of the original.
	 */
	public void run(int draws) {
		for (int i = 1; i <= draws; i++) {
			this.time.advance(STEP);
			this.original.draw();
			this.clone.draw();
			if (i % 500 == 0) {
				this.clone.executor.runDelayed();
				this.original.executor.runDelayed();
			}
		}
	}

	/**
	 * The original or the clone.
	 */
	public final class Instance implements IdGeneratorListener {

		private final String name;

		public final ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();

		public final TimeIdGenerator generator;

		Instance(String name) {
			this.name = name;
			this.generator = TimeIdGenerator.builder("test", Preset.STANDARD.settings().scheme())
				.store(ClonedNodes.this.keySpaces, new UnreliableSlotStore(ClonedNodes.this.slots))
				.node(NodeSettings.lease(LEASE))
				.timeSource(ClonedNodes.this.time)
				.listener(this)
				.open(this.executor, new TestSleeper(ClonedNodes.this.time, this.executor), 4711);
		}

		public NodeLease lease() {
			return (NodeLease) PrivateFields.get(this.generator, "assignment");
		}

		NodeClaim claim() {
			return (NodeClaim) PrivateFields.get(lease(), "claim");
		}

		TimeSequences sequences() {
			return (TimeSequences) PrivateFields.get(this.generator, "sequences");
		}

		public long draw() {
			long id = this.generator.nextLong();
			if (!ClonedNodes.this.ids.add(id)) {
				ClonedNodes.this.repeatedIds.add(id);
			}
			return id;
		}

		@Override
		public void cloned(String generator, long number) {
			ClonedNodes.this.events.add(this.name + " shares node " + number);
		}

		@Override
		public void lost(String generator, long number) {
			ClonedNodes.this.events.add(this.name + " lost node " + number);
		}

	}

}
