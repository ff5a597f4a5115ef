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
import dev.idspring.testsupport.Memory;
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
	public final List<Long> repeated = new ArrayList<>();

	public final Set<Long> ids = new HashSet<>();

	public final Instance original;

	public final Instance clone;

	/** The end of the time that was reserved when the generator was cloned. */
	public final Instant window;

	public ClonedNodes(TestTimeSource time, KeySpaceStore keySpaces, SlotStore slots) {
		this.time = time;
		this.keySpaces = keySpaces;
		this.slots = slots;
		this.original = new Instance("original");
		this.original.draw();
		this.clone = new Instance("clone");
		NodeClaim from = this.original.claim();
		NodeClaim to = this.clone.claim();
		Node node = (Node) Memory.get(from, "node");
		Memory.set(to, "owner", ((SlotOwner) Memory.get(from, "owner")).copy());
		Memory.set(to, "storedSlot", from.storedSlot());
		Memory.set(to, "node", new Node(node.number, node.first, node.windowEnd, copy(node)));
		this.window = Preset.STANDARD.settings().scheme().layout().instant(node.windowEnd);
	}

	private TimeSequence copy(Node node) {
		TickBatch batch = (TickBatch) Memory.get(node.sequence, "current");
		TimeSequence copy = this.clone.sequences().begin(node.number, node.first);
		Memory.set(copy, "current", new TickBatch(batch.issued() - batch.issuedBefore, batch.time, batch.shift,
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
				this.clone.supply.runLater();
				this.original.supply.runLater();
			}
		}
	}

	/**
	 * The original or the clone.
	 */
	public final class Instance implements IdGeneratorListener {

		private final String name;

		public final ManualStoreExecutor supply = new ManualStoreExecutor().immediate();

		public final TimeIdGenerator generator;

		Instance(String name) {
			this.name = name;
			this.generator = TimeIdGenerator.builder("test", Preset.STANDARD.settings().scheme())
				.store(ClonedNodes.this.keySpaces, new UnreliableSlotStore(ClonedNodes.this.slots))
				.node(NodeSettings.lease(LEASE))
				.timeSource(ClonedNodes.this.time)
				.listener(this)
				.open(this.supply, new TestSleeper(ClonedNodes.this.time, this.supply), 4711);
		}

		public NodeLease lease() {
			return (NodeLease) Memory.get(this.generator, "assignment");
		}

		NodeClaim claim() {
			return (NodeClaim) Memory.get(lease(), "claim");
		}

		TimeSequences sequences() {
			return (TimeSequences) Memory.get(this.generator, "sequences");
		}

		public long draw() {
			long id = this.generator.nextLong();
			if (!ClonedNodes.this.ids.add(id)) {
				ClonedNodes.this.repeated.add(id);
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
