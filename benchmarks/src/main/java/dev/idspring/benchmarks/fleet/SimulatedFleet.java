package dev.idspring.benchmarks.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.worker.Deadline;

/**
 * A simulated fleet of instances of an application. The instances draw more ids by day
 * than by night, are restarted one after the other every morning, and crash occasionally.
 * The generators are real, but the time is simulated, and the store is in memory.
 */
final class SimulatedFleet {

	static final String NAME = "fleet";

	/**
	 * The average number of ids that an instance draws per second. The rate varies
	 * between 1.8 times this number at noon and 0.2 times this number at midnight.
	 */
	static final double IDS_PER_SECOND = 20;

	/** The average time until an instance crashes. */
	static final Duration BETWEEN_CRASHES = Duration.ofDays(30);

	/** The duration of a deployment of the whole fleet. */
	static final Duration DEPLOYMENT = Duration.ofMinutes(10);

	private static final double RELATIVE_AMPLITUDE = 0.8;

	private static final double DAY_NANOS = 86_400e9;

	/** The time of the highest rate. Deployments begin an hour earlier. */
	private static final double NOON_NANOS = DAY_NANOS / 2;

	private static final int DRAWS_PER_BLOCK = 8;

	/**
	 * The number of draws between two snapshots of a generator. Snapshots are rare
	 * because a snapshot costs as much as drawing a hundred ids.
	 */
	private static final int DRAWS_BETWEEN_SNAPSHOTS = 16;

	private static final long RESTART_NANOS = Duration.ofSeconds(10).toNanos();

	private final Simulation simulation = new Simulation();

	private final Transactions transactions = new Transactions(this.simulation);

	private final TransactionCountingKeySpaceStore keySpaces = new TransactionCountingKeySpaceStore(this.simulation,
			this.transactions);

	private final TransactionCountingSlotStore slots = new TransactionCountingSlotStore(this.simulation,
			this.transactions);

	private final FleetStrategy strategy;

	private final Random random = new Random(1);

	private final List<Instance> instances = new ArrayList<>();

	private long issued;

	private int crashes;

	SimulatedFleet(FleetStrategy strategy) {
		this.strategy = strategy;
	}

	Simulation simulation() {
		return this.simulation;
	}

	int size() {
		return this.instances.size();
	}

	TransactionCountingKeySpaceStore keySpaces() {
		return this.keySpaces;
	}

	TransactionCountingSlotStore slots() {
		return this.slots;
	}

	/**
	 * Simulate a fleet.
	 * @param size the number of instances
	 * @param from the time of day at which the fleet starts
	 * @param duration how long the fleet is observed, after the first ten minutes
	 */
	FleetResults.Run run(int size, Duration from, Duration duration) {
		this.simulation.runUntil(from.toNanos());
		long warmUp = Duration.ofMinutes(10).toNanos();
		for (int i = 0; i < size; i++) {
			Instance instance = new Instance();
			this.instances.add(instance);
			// in a real fleet, instances do not all start at the same instant
			this.simulation.schedule((long) (this.random.nextDouble() * warmUp), instance::start);
		}
		this.simulation.runUntil(from.toNanos() + warmUp);
		scheduleDeployments(duration);
		this.transactions.reset();
		long issuedBefore = this.issued;
		long reservedBefore = reservedKeys();
		long inMemoryBefore = keysInMemory();
		this.simulation.runUntil(from.toNanos() + warmUp + duration.toNanos());
		long drawn = this.issued - issuedBefore;
		double lostPerDrawn = this.strategy.isTimeBased() ? 0
				: ((reservedKeys() - reservedBefore) - (keysInMemory() - inMemoryBefore) - drawn) / (double) drawn;
		double seconds = duration.toNanos() / 1e9;
		return new FleetResults.Run(this.strategy.title(), size, duration.toHours(), drawn / seconds,
				this.transactions.total() / seconds, this.transactions.perSecondInBusiestMinute(),
				this.strategy.isTimeBased() ? null : lostPerDrawn,
				yearsLeft(size * IDS_PER_SECOND * (1 + lostPerDrawn)), countClaimedSlots(), this.crashes);
	}

	private void scheduleDeployments(Duration duration) {
		for (double start = NOON_NANOS - 3600e9; start < this.simulation.nanoTime()
				+ duration.toNanos(); start += DAY_NANOS) {
			if (start >= this.simulation.nanoTime()) {
				double begin = start - this.simulation.nanoTime();
				for (int i = 0; i < this.instances.size(); i++) {
					Instance instance = this.instances.get(i);
					this.simulation.schedule((long) (begin + DEPLOYMENT.toNanos() * (double) i / this.instances.size()),
							instance::restart);
				}
			}
		}
	}

	private double rate() {
		double phase = 2 * Math.PI * (this.simulation.nanoTime() - NOON_NANOS) / DAY_NANOS;
		return IDS_PER_SECOND * (1 + RELATIVE_AMPLITUDE * Math.cos(phase));
	}

	/**
	 * Return the number of keys that have been reserved in the store, in blocks or
	 * series.
	 */
	private long reservedKeys() {
		return snapshotOfAnyInstance().keySpace().reserved().longValue();
	}

	private long keysInMemory() {
		long keys = 0;
		for (Instance instance : this.instances) {
			keys += instance.keysInMemory();
		}
		return keys;
	}

	private GeneratorSnapshot snapshotOfAnyInstance() {
		ManagedIdGenerator generator = this.instances.stream()
			.filter((instance) -> instance.generator != null)
			.findFirst()
			.orElseThrow().generator;
		generator.refresh(Duration.ofSeconds(1)).join();
		return generator.snapshot();
	}

	/**
	 * Return for how many years the key space lasts if the fleet continues at this rate.
	 * For time-based ids, the rate does not matter.
	 */
	private double yearsLeft(double perSecond) {
		GeneratorSnapshot snapshot = snapshotOfAnyInstance();
		if (snapshot.node() != null && snapshot.keySpace().exhaustedAt() != null) {
			return Duration.between(this.simulation.instant(), snapshot.keySpace().exhaustedAt()).toSeconds()
					/ (365.25 * 86_400);
		}
		return snapshot.keySpace().remaining().doubleValue() / perSecond / (365.25 * 86_400);
	}

	private int countClaimedSlots() {
		return this.strategy.isLeased()
				? this.slots.list(NAME, Deadline.after(this.simulation, Duration.ofSeconds(5))).slots().size() : 0;
	}

	/**
	 * An instance, which opens a new generator whenever it starts.
	 */
	private final class Instance {

		private ManagedIdGenerator generator;

		private Simulation.ProcessExecutor executor;

		private long[] ids = new long[1];

		private long draws;

		private int startCount;

		void start() {
			this.draws = 0;
			this.executor = SimulatedFleet.this.simulation.executor();
			this.generator = SimulatedFleet.this.strategy.open(SimulatedFleet.this, this.executor);
			this.startCount++;
			int startCount = this.startCount;
			double untilCrash = -Math.log(1 - SimulatedFleet.this.random.nextDouble()) * BETWEEN_CRASHES.toNanos();
			SimulatedFleet.this.simulation.schedule((long) untilCrash, () -> crash(startCount));
			scheduleDraw(startCount);
		}

		private void scheduleDraw(int startCount) {
			SimulatedFleet.this.simulation.schedule((long) (this.ids.length / rate() * 1e9), () -> draw(startCount));
		}

		private void draw(int startCount) {
			if (this.startCount != startCount || this.generator == null) {
				return;
			}
			this.generator.nextLongs(this.ids);
			SimulatedFleet.this.issued += this.ids.length;
			// with leases, the size of blocks is fixed, or there are no blocks, so one
			// adjustment is enough
			if (this.draws == 0
					|| (!SimulatedFleet.this.strategy.isLeased() && this.draws % DRAWS_BETWEEN_SNAPSHOTS == 0)) {
				adjust();
			}
			this.draws++;
			scheduleDraw(startCount);
		}

		/**
		 * Adapt the number of ids per draw to the size of the blocks, which changes
		 * rarely.
		 */
		private void adjust() {
			long block = this.generator.snapshot().block().size();
			int idsPerDraw = (int) Math.max(1, Math.min(block, 1_000_000) / DRAWS_PER_BLOCK);
			// limit a draw to the ids of ten seconds, so that ids are drawn at
			// realistic times
			idsPerDraw = (int) Math.max(1, Math.min(idsPerDraw, 10 * rate()));
			if (idsPerDraw != this.ids.length) {
				this.ids = new long[idsPerDraw];
			}
		}

		void restart() {
			if (this.generator != null) {
				this.generator.close();
				start();
			}
		}

		private void crash(int startCount) {
			if (this.startCount == startCount && this.generator != null) {
				SimulatedFleet.this.crashes++;
				this.executor.close();
				this.generator = null;
				SimulatedFleet.this.simulation.schedule(RESTART_NANOS, this::start);
			}
		}

		long keysInMemory() {
			if (this.generator == null || this.generator.snapshot().node() != null) {
				return 0;
			}
			return this.generator.snapshot().block().remaining() + this.generator.snapshot().block().ahead();
		}

	}

}
