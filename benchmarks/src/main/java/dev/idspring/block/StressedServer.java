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
 * An engine with one stripe of each kind, so that threads meet there, and with small
 * blocks, which are reserved by whoever needs them.
 */
final class StressedServer {

	static final KeySpace KEY_SPACE = new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0).resolve(null);

	private static final String NAME = "stressed";

	private static final StoredKeySpace NEW = new StoredKeySpace(NAME, KEY_SPACE.definition(), KEY_SPACE.capacity(), 0);

	private static final Thread LIVING = living();

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

	private static Thread living() {
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
	 * Begin where little is left, of which chunks are cut to the end all the same.
	 */
	static StressedServer nearTheEnd(int left) {
		InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();
		store.restore(Map.of(NAME,
				new StoredKeySpace(NAME, KEY_SPACE.definition(), KEY_SPACE.capacity(), KEY_SPACE.capacity() - left)));
		return new StressedServer(store, 8, new Stripes(1, 1, 0));
	}

	/**
	 * Let a thread that takes nothing have the only stripe with an owner.
	 */
	StressedServer withOwnedStripeTaken() {
		this.engine.stripes().claim(LIVING);
		return this;
	}

	/**
	 * Open another engine, which continues where this one has stopped.
	 */
	StressedServer next() {
		return new StressedServer(this.store, 3, new Stripes(1, 1));
	}

	/**
	 * Take ordinals as generators do.
	 * @return as many, or fewer if the engine refused the next one
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
	 * Take ordinals by one call.
	 */
	long[] takeAtOnce(int count) {
		long[] keys = new long[count];
		this.keys.takeKeys(keys);
		return Arrays.stream(keys).map(KEY_SPACE::ordinal).toArray();
	}

	/**
	 * Do what is planned for later: looking for owners that are dead.
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
	 * Say whether ordinals came once each, once all that is left has been taken: all that
	 * were reserved must have come, but for those that only living owners can take.
	 */
	String verdict(long[]... taken) {
		long[] all = all(taken);
		if (haveTwins(all)) {
			return "twice";
		}
		long end = reserved();
		long[] rest = takeAtOnce((int) end - all.length);
		return verdict(0, end, this.engine.stripes().left(), all, rest);
	}

	/**
	 * Say whether ordinals came once each.
	 * @param first the first one that could come
	 * @param end where those end that had to come
	 * @param kept how many of them at most need not have come
	 */
	static String verdict(long first, long end, long kept, long[]... taken) {
		long[] all = all(taken);
		if (haveTwins(all)) {
			return "twice";
		}
		long came = Arrays.stream(all).filter((ordinal) -> ordinal >= first && ordinal < end).count();
		return (came + kept >= end - first) ? "once" : "lost";
	}

	private static long[] all(long[]... taken) {
		return Arrays.stream(taken).flatMapToLong(Arrays::stream).toArray();
	}

	private static boolean haveTwins(long[] all) {
		return Arrays.stream(all).distinct().count() < all.length;
	}

	/**
	 * Does at once, in the thread of the caller, what it is asked to.
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
			// there is nothing to end
		}

	}

}
