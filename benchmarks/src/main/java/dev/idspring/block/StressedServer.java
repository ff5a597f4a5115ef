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
 * An engine with one owned and one shared stripe, so that threads interfere with each
 * other. Its blocks are small, and the calling thread reserves them.
 */
final class StressedServer {

	static final KeySpace KEY_SPACE = new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0).resolve(null);

	private static final String NAME = "stressed";

	private static final StoredKeySpace NEW = new StoredKeySpace(NAME, KEY_SPACE.definition(), KEY_SPACE.capacity(), 0);

	private static final Thread IDLE_OWNER = parkedThread();

	private final InMemoryKeySpaceStore store;

	private final CallersSupply supply = new CallersSupply();

	private final BlockEngine engine;

	private final StripedKeys keys;

	StressedServer(long blockSize) {
		this(new InMemoryKeySpaceStore(), blockSize, new Stripes(1, 1));
		this.store.create(NAME, KEY_SPACE.definition(), KEY_SPACE.capacity(), Deadline.in(Duration.ofSeconds(5)));
	}

	private StressedServer(InMemoryKeySpaceStore store, long blockSize, Stripes stripes) {
		this.store = store;
		StoredKeySpace stored = store.keySpaces().getOrDefault(NAME, NEW);
		SharedCounter counter = new SharedCounter(NAME, stored, KEY_SPACE, store);
		ReservedKeySpace reserved = new ReservedKeySpace(new OpenedKeySpace(KEY_SPACE, stored), counter,
				new ReservationForecast(NAME, store, TimeSource.system()), store);
		this.engine = new BlockEngine(NAME, reserved, counter,
				new BlockSettings(blockSize, blockSize, Duration.ofSeconds(5), Duration.ZERO), TimeSource.system(),
				this.supply, new Listeners(NAME, "coprime", List.of()), stripes);
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
	 * Create an engine whose key space has few keys left. The engine cuts chunks for
	 * stripes up to the last key.
	 * @param left the number of remaining keys
	 */
	static StressedServer nearTheEnd(int left) {
		InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();
		store.restore(Map.of(NAME,
				new StoredKeySpace(NAME, KEY_SPACE.definition(), KEY_SPACE.capacity(), KEY_SPACE.capacity() - left)));
		return new StressedServer(store, 8, new Stripes(1, 1, 0));
	}

	/**
	 * Assign the only owned stripe to a thread that never draws.
	 */
	StressedServer withOwnedStripeTaken() {
		this.engine.stripes().claim(IDLE_OWNER);
		return this;
	}

	/**
	 * Create another engine on the same store, which continues where this one has
	 * stopped.
	 */
	StressedServer next() {
		return new StressedServer(this.store, 3, new Stripes(1, 1));
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
	long[] takeAtOnce(int count) {
		long[] keys = new long[count];
		this.keys.takeKeys(keys);
		return Arrays.stream(keys).map(KEY_SPACE::ordinal).toArray();
	}

	/**
	 * Run the task that the engine has scheduled: the search for owners that have
	 * terminated.
	 */
	void sweep() {
		Runnable planned = this.supply.planned;
		if (planned != null) {
			planned.run();
		}
	}

	void close() {
		this.engine.close();
	}

	long reserved() {
		return this.store.keySpaces().get(NAME).nextOrdinal();
	}

	/**
	 * Draw all remaining ordinals, and return the verdict on all ordinals. All reserved
	 * ordinals must have been issued, except for those in stripes whose owners are alive.
	 */
	String verdict(long[]... taken) {
		long[] all = all(taken);
		if (haveDuplicates(all)) {
			return "twice";
		}
		long end = reserved();
		long[] rest = takeAtOnce((int) end - all.length);
		return verdict(0, end, this.engine.stripes().left(), all, rest);
	}

	/**
	 * Return {@code twice} if an ordinal was issued twice, {@code lost} if too many
	 * ordinals are missing, and otherwise {@code once}.
	 * @param first the first ordinal that should be issued
	 * @param end the end of the ordinals that should be issued, exclusive
	 * @param mayBeMissing how many of these ordinals may be missing
	 */
	static String verdict(long first, long end, long mayBeMissing, long[]... taken) {
		long[] all = all(taken);
		if (haveDuplicates(all)) {
			return "twice";
		}
		long issued = Arrays.stream(all).filter((ordinal) -> ordinal >= first && ordinal < end).count();
		return (issued + mayBeMissing >= end - first) ? "once" : "lost";
	}

	private static long[] all(long[]... taken) {
		return Arrays.stream(taken).flatMapToLong(Arrays::stream).toArray();
	}

	private static boolean haveDuplicates(long[] all) {
		return Arrays.stream(all).distinct().count() < all.length;
	}

	/**
	 * Executes tasks immediately in the calling thread, and retains the scheduled task.
	 */
	private static final class CallersSupply implements StoreExecutor {

		private volatile @Nullable Runnable planned;

		@Override
		public void execute(Runnable task) {
			task.run();
		}

		@Override
		public void executeLater(Duration delay, Runnable task) {
			this.planned = task;
		}

		@Override
		public void close() {
			// nothing to close
		}

	}

}
