package dev.idspring.block;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.StoreExecutor;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A block engine with one stripe that a thread can own and one shared stripe, so that
 * threads interfere with each other. Its blocks are small, and the calling thread
 * reserves them.
 */
final class StressedEngine {

	static final KeySpace KEY_SPACE = new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0).resolve(null);

	private static final String NAME = "stressed";

	private static final StoredKeySpace NEW = new StoredKeySpace(NAME, KEY_SPACE.definition(), KEY_SPACE.capacity(), 0);

	private static final Thread IDLE_OWNER = parkedThread();

	private final InMemoryKeySpaceStore store;

	private final CallingThreadExecutor executor = new CallingThreadExecutor();

	private final BlockEngine engine;

	private final StripedKeys keys;

	StressedEngine(long blockSize) {
		this(new InMemoryKeySpaceStore(), blockSize, new Stripes(1, 1));
		this.store.create(NAME, KEY_SPACE.definition(), KEY_SPACE.capacity(), Deadline.in(Duration.ofSeconds(5)));
	}

	private StressedEngine(InMemoryKeySpaceStore store, long blockSize, Stripes stripes) {
		this.store = store;
		StoredKeySpace stored = store.keySpaces().getOrDefault(NAME, NEW);
		SharedCounter counter = new SharedCounter(NAME, stored, KEY_SPACE, store);
		ReservedKeySpace reserved = new ReservedKeySpace(new OpenedKeySpace(KEY_SPACE, stored), counter,
				new ReservationForecast(NAME, store, TimeSource.system()), store);
		this.engine = new BlockEngine(NAME, reserved, counter,
				new BlockSettings(blockSize, blockSize, Duration.ofSeconds(5), Duration.ZERO), TimeSource.system(),
				this.executor, new Listeners(NAME, "coprime", List.of()), stripes);
		this.keys = new StripedKeys(this.engine, KEY_SPACE);
	}

	private static Thread parkedThread() {
		Thread thread = new Thread(() -> {
			while (true) {
				LockSupport.park();
			}
		});
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	/**
	 * Create an engine whose key space has few keys left. Unlike other engines, it cuts
	 * chunks of several keys for its stripes until no key is left.
	 * @param remaining the number of remaining keys
	 */
	static StressedEngine nearTheEnd(int remaining) {
		InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();
		store.restore(Map.of(NAME, new StoredKeySpace(NAME, KEY_SPACE.definition(), KEY_SPACE.capacity(),
				KEY_SPACE.capacity() - remaining)));
		return new StressedEngine(store, 8, new Stripes(1, 1, 0));
	}

	/**
	 * Let a thread own the only stripe that can be owned. That thread never draws.
	 */
	StressedEngine withOwnedStripeTaken() {
		this.engine.stripes().claim(IDLE_OWNER);
		return this;
	}

	/**
	 * Create another engine on the same store. The new engine continues at the position
	 * at which this one has stopped.
	 */
	StressedEngine nextEngine() {
		return new StressedEngine(this.store, 3, new Stripes(1, 1));
	}

	/**
	 * Draw ordinals one by one, as a generator does.
	 * @return the ordinals, fewer than requested if the engine rejected a draw
	 */
	long[] take(int count) {
		long[] ordinals = new long[count];
		for (int i = 0; i < count; i++) {
			try {
				Thread thread = Thread.currentThread();
				Stripe stripe = Stripe.of(thread, this.engine.stripes().owned());
				ordinals[i] = KEY_SPACE.ordinal(stripe.isReadyFor(thread) ? stripe.next() : this.keys.takeKey());
			}
			catch (IllegalStateException ex) {
				return Arrays.copyOf(ordinals, i);
			}
		}
		return ordinals;
	}

	/**
	 * Draw ordinals with a single call.
	 */
	long[] takeInBulk(int count) {
		long[] keys = new long[count];
		this.keys.takeKeys(keys);
		return Arrays.stream(keys).map(KEY_SPACE::ordinal).toArray();
	}

	/**
	 * Run the task that the engine has scheduled: the search for owners that have
	 * terminated.
	 */
	void sweep() {
		Runnable task = this.executor.scheduledTask;
		if (task != null) {
			task.run();
		}
	}

	void close() {
		this.engine.beginClose();
	}

	long reserved() {
		return this.store.keySpaces().get(NAME).nextOrdinal();
	}

	/**
	 * Draw all ordinals that are still in memory, and return the verdict on all ordinals.
	 * The verdict is {@code lost} if reserved ordinals are missing, apart from those in
	 * stripes whose owners are alive.
	 */
	String verdict(long[]... taken) {
		long[] ordinals = concat(taken);
		if (haveDuplicates(ordinals)) {
			return "twice";
		}
		long end = reserved();
		long[] rest = takeInBulk((int) end - ordinals.length);
		return verdict(0, end, this.engine.stripes().left(), ordinals, rest);
	}

	/**
	 * Return {@code twice} if an ordinal was issued twice, {@code lost} if too many
	 * ordinals are missing, and otherwise {@code once}.
	 * @param first the first ordinal that should be issued
	 * @param end the end of the ordinals that should be issued, exclusive
	 * @param mayBeMissing how many of these ordinals may be missing
	 */
	static String verdict(long first, long end, long mayBeMissing, long[]... taken) {
		long[] ordinals = concat(taken);
		if (haveDuplicates(ordinals)) {
			return "twice";
		}
		long issued = Arrays.stream(ordinals).filter((ordinal) -> ordinal >= first && ordinal < end).count();
		return (issued + mayBeMissing >= end - first) ? "once" : "lost";
	}

	private static long[] concat(long[]... taken) {
		return Arrays.stream(taken).flatMapToLong(Arrays::stream).toArray();
	}

	private static boolean haveDuplicates(long[] ordinals) {
		return Arrays.stream(ordinals).distinct().count() < ordinals.length;
	}

	/**
	 * Executes tasks immediately in the calling thread, and retains the scheduled task.
	 */
	private static final class CallingThreadExecutor implements StoreExecutor {

		private volatile @Nullable Runnable scheduledTask;

		@Override
		public void execute(Runnable task) {
			task.run();
		}

		@Override
		public void executeLater(Duration delay, Runnable task) {
			this.scheduledTask = task;
		}

		@Override
		public void close() {
			// nothing to close
		}

	}

}
