package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

import dev.idspring.IdGenerationException;
import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TimeSource;

/**
 * Simulates instances that share one store. Each instance has its own clocks and two
 * generators. Clocks are set to a wrong time and corrected. Processes are frozen, killed,
 * stopped and started. The store fails and loses answers. A run uses one thread, never
 * waits, and is reproducible.
 */
public final class SimulatedCluster {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	/**
	 * The key spaces of the two generators of each instance.
	 */
	private static final List<String> KEY_SPACES = List.of("test", "other");

	private static final Duration WAIT = Duration.ofSeconds(5);

	private final TimeScheme scheme;

	private final Duration lease;

	private final Random random;

	private final KeySpaceStore keySpaces;

	private final SlotStore slots;

	private final List<Instance> instances = new ArrayList<>();

	private final TrueTime trueTime;

	private final List<IssuedIds> ids = KEY_SPACES.stream().map((name) -> new IssuedIds()).toList();

	private long storeFailsUntil;

	private long answersAreLostUntil;

	private int kills;

	private int stops;

	private int freezes;

	private int clockSteps;

	/**
	 * The average number of steps between two outages. It is small in short runs, so that
	 * short runs also have several outages.
	 */
	private int outageSteps;

	private int outages;

	private int cutOffs;

	private int failures;

	/**
	 * The true time, which the store uses.
	 */
	public static final class TrueTime implements TimeSource {

		private long millis;

		@Override
		public long nanoTime() {
			return this.millis * 1_000_000;
		}

		@Override
		public Instant instant() {
			return START.plusMillis(this.millis);
		}

	}

	public SimulatedCluster(TimeScheme scheme, Duration lease, long seed, TrueTime trueTime, KeySpaceStore keySpaces,
			SlotStore slots) {
		this.scheme = scheme;
		this.lease = lease;
		this.random = new Random(seed);
		this.trueTime = trueTime;
		this.keySpaces = keySpaces;
		this.slots = slots;
	}

	/**
	 * Simulate the given time, but stop at the first duplicate. If too few events happen
	 * in the given time, simulate up to ten times that time. In a short run, for example,
	 * the store may be unavailable for most of the time.
	 */
	public void run(int instanceCount, Duration length) {
		this.outageSteps = (int) Math.min(4_000, length.toSeconds() / 43);
		for (int i = 0; i < instanceCount; i++) {
			this.instances.add(new Instance());
		}
		long end = length.toMillis();
		while ((this.trueTime.millis < end || (this.trueTime.millis < 10 * end && !isEventful(length)))
				&& duplicate() == -1) {
			this.trueTime.millis += randomSeconds(1, 11);
			causeRandomEvent();
			this.instances.forEach(Instance::step);
		}
		for (Instance instance : this.instances) {
			instance.stop(0);
		}
	}

	/**
	 * Return a random number of whole seconds, in milliseconds. All events happen at
	 * whole seconds. Generators that wrongly use the same time therefore issue ids with
	 * the same millisecond.
	 */
	private int randomSeconds(int least, int end) {
		return (least + this.random.nextInt(end - least)) * 1_000;
	}

	private void causeRandomEvent() {
		if (this.random.nextInt(this.outageSteps) == 0) {
			this.outages++;
			this.storeFailsUntil = this.trueTime.millis + randomSeconds(0, 300);
		}
		if (this.random.nextInt(this.outageSteps) == 0) {
			this.answersAreLostUntil = this.trueTime.millis + randomSeconds(0, 60);
		}
		Instance victim = this.instances.get(this.random.nextInt(this.instances.size()));
		int lease = (int) this.lease.toSeconds();
		switch (this.random.nextInt(30)) {
			case 0 -> victim.kill(randomSeconds(0, 3 * lease));
			case 1, 9 -> victim.stop(randomSeconds(0, 60));
			case 2 -> victim.freeze(randomSeconds(1, 2 * lease), this.random.nextBoolean());
			case 3 -> victim.stepClock(randomSeconds(-3_600, 3_600));
			case 4, 5, 6 -> victim.stepClock(randomSeconds(-40, 40));
			case 7, 8 -> victim.cutOff(randomSeconds(0, 3 * lease));
			default -> victim.correctClock();
		}
	}

	/**
	 * Return an id that was issued twice in a key space, or -1 if there is none.
	 */
	public long duplicate() {
		return this.ids.stream().mapToLong(IssuedIds::duplicate).filter((id) -> id != -1).findFirst().orElse(-1);
	}

	/**
	 * Return whether each kind of event has happened and enough ids for a run of the
	 * given length have been issued.
	 */
	public boolean isEventful(Duration length) {
		return countOfRarestEvent() > 0 && count() > 160 * length.toMinutes();
	}

	private int count() {
		return this.ids.stream().mapToInt((ids) -> ids.count).sum();
	}

	/**
	 * Return how often the rarest kind of event has happened.
	 */
	private int countOfRarestEvent() {
		return List.of(this.kills, this.stops, this.freezes, this.clockSteps, this.outages, this.cutOffs, this.failures)
			.stream()
			.mapToInt(Integer::intValue)
			.min()
			.orElseThrow();
	}

	@Override
	public String toString() {
		return this.scheme.strategy() + " " + this.scheme.tail() + ": " + count() + " ids, " + this.kills + " kills, "
				+ this.stops + " stops, " + this.freezes + " freezes, " + this.clockSteps + " clock steps, "
				+ this.outages + " outages, " + this.cutOffs + " cut-offs, " + this.failures + " failed attempts";
	}

	/**
	 * An instance, whose process may be replaced by a new one.
	 */
	private final class Instance implements TimeSource, StoreExecutor, Sleeper {

		private final PriorityQueue<Task> tasks = new PriorityQueue<>();

		private final ClockTicker ticker = new ClockTicker((task) -> {
			// no thread: the simulation calls tick(), or lets the ticker starve
		});

		private final UnreliableSlotStore slots = new UnreliableSlotStore(SimulatedCluster.this.slots);

		private long cutOffUntil;

		private final List<TimeIdGenerator> generators = new ArrayList<>();

		private long wallClockOffset;

		private long frozenFor;

		private long suspendedUntil;

		private final long[] lastIds = new long[KEY_SPACES.size()];

		private long nextTaskOrder;

		@Override
		public long nanoTime() {
			return (SimulatedCluster.this.trueTime.millis - this.frozenFor) * 1_000_000;
		}

		@Override
		public Instant instant() {
			return SimulatedCluster.this.trueTime.instant().plusMillis(this.wallClockOffset);
		}

		@Override
		public boolean advancesByItself() {
			return true;
		}

		@Override
		public void execute(Runnable task) {
			executeLater(Duration.ZERO, task);
			runDue();
		}

		@Override
		public void executeLater(Duration delay, Runnable task) {
			this.tasks.add(new Task(nanoTime() + delay.toNanos(), this.nextTaskOrder++, task));
		}

		private void runDue() {
			while (!this.tasks.isEmpty() && this.tasks.peek().due <= nanoTime()) {
				this.tasks.remove().action.run();
			}
		}

		@Override
		public void close() {
			// nothing to do here: the next process drops the tasks when it starts
		}

		@Override
		public void sleep(Duration time) {
			throw new WouldWait();
		}

		@Override
		public void await(OneTimeEvent event, Duration atMost) {
			if (!event.hasHappened()) {
				throw new WouldWait();
			}
		}

		void step() {
			if (SimulatedCluster.this.trueTime.millis < this.suspendedUntil) {
				return;
			}
			this.slots.loseAnswers(SimulatedCluster.this.trueTime.millis < SimulatedCluster.this.answersAreLostUntil);
			if (SimulatedCluster.this.trueTime.millis < Math.max(this.cutOffUntil,
					SimulatedCluster.this.storeFailsUntil)) {
				this.slots.goDown(() -> {
				});
			}
			else {
				this.slots.comeBack();
			}
			try {
				if (this.generators.size() < KEY_SPACES.size()) {
					start();
				}
				if (SimulatedCluster.this.random.nextBoolean()) {
					this.ticker.tick();
				}
				// a process that resumes may draw before its tasks run
				boolean drawFirst = SimulatedCluster.this.random.nextBoolean();
				if (drawFirst) {
					draw();
				}
				runDue();
				draw();
			}
			catch (WouldWait | IdGenerationException ex) {
				SimulatedCluster.this.failures++;
			}
		}

		private void start() {
			if (this.generators.isEmpty()) {
				this.tasks.clear();
				Arrays.fill(this.lastIds, -1);
			}
			while (this.generators.size() < KEY_SPACES.size()) {
				this.generators
					.add(TimeIdGenerator.builder(KEY_SPACES.get(this.generators.size()), SimulatedCluster.this.scheme)
						.store(SimulatedCluster.this.keySpaces, this.slots)
						.node(NodeSettings.lease(SimulatedCluster.this.lease))
						.clock(new ClockSettings(Duration.ofSeconds(2), Duration.ofMinutes(1)))
						.waitTimeout(WAIT)
						.timeSource(this)
						.ticker(this.ticker)
						.open(this, this, SimulatedCluster.this.random.nextLong()));
			}
		}

		private void draw() {
			int index = SimulatedCluster.this.random.nextInt(KEY_SPACES.size());
			TimeIdGenerator generator = this.generators.get(index);
			int count = (SimulatedCluster.this.random.nextInt(500) == 0) ? 80 : SimulatedCluster.this.random.nextInt(3);
			if (SimulatedCluster.this.random.nextBoolean()) {
				for (int i = 0; i < count; i++) {
					recordId(index, generator.nextLong());
				}
			}
			else {
				for (long id : generator.nextLongs(count)) {
					recordId(index, id);
				}
			}
		}

		private void recordId(int index, long id) {
			boolean increases = SimulatedCluster.this.scheme.tail() != Tail.RANDOM
					&& SimulatedCluster.this.scheme.tail() != Tail.FREE_RUNNING
					&& SimulatedCluster.this.scheme.strategy().equals("snowflake");
			if (increases && id <= this.lastIds[index]) {
				throw new AssertionError("ids of an instance must increase");
			}
			this.lastIds[index] = id;
			SimulatedCluster.this.ids.get(index).add(id);
		}

		void kill(int pause) {
			SimulatedCluster.this.kills++;
			this.generators.clear();
			this.suspendedUntil = SimulatedCluster.this.trueTime.millis + pause;
		}

		void stop(int pause) {
			SimulatedCluster.this.stops++;
			for (TimeIdGenerator generator : this.generators) {
				try {
					generator.close();
				}
				catch (WouldWait ex) {
					SimulatedCluster.this.failures++;
				}
			}
			this.generators.clear();
			this.suspendedUntil = SimulatedCluster.this.trueTime.millis + pause;
		}

		/**
		 * Freeze the process and, if requested, the clocks of its machine.
		 */
		void freeze(int millis, boolean freezesMachine) {
			SimulatedCluster.this.freezes++;
			this.suspendedUntil = SimulatedCluster.this.trueTime.millis + millis;
			if (freezesMachine) {
				this.frozenFor += millis;
				this.wallClockOffset -= millis;
			}
		}

		/**
		 * Disconnect only this instance from the store.
		 */
		void cutOff(int millis) {
			SimulatedCluster.this.cutOffs++;
			this.cutOffUntil = SimulatedCluster.this.trueTime.millis + millis;
		}

		void stepClock(int by) {
			SimulatedCluster.this.clockSteps++;
			this.wallClockOffset += by;
		}

		void correctClock() {
			this.wallClockOffset = 0;
		}

	}

	/**
	 * The ids that were issued in a key space.
	 */
	private static final class IssuedIds {

		private long[] values = new long[1 << 16];

		private int count;

		void add(long id) {
			if (this.count == this.values.length) {
				this.values = Arrays.copyOf(this.values, this.count * 2);
			}
			this.values[this.count++] = id;
		}

		long duplicate() {
			long[] sorted = Arrays.copyOf(this.values, this.count);
			Arrays.sort(sorted);
			for (int i = 1; i < sorted.length; i++) {
				if (sorted[i] == sorted[i - 1]) {
					return sorted[i];
				}
			}
			return -1;
		}

	}

	private record Task(long due, long order, Runnable action) implements Comparable<Task> {

		@Override
		public int compareTo(Task other) {
			return (this.due != other.due) ? Long.compare(this.due, other.due) : Long.compare(this.order, other.order);
		}

	}

	/**
	 * Thrown where a real thread would wait.
	 */
	private static final class WouldWait extends RuntimeException {

		private static final long serialVersionUID = 1L;

		WouldWait() {
			super(null, null, false, false);
		}

	}

}
