package dev.idspring.redis;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.idspring.IdGenerationException;
import dev.idspring.block.TestSeries;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * An instance that reserves ranges of numbers. No number may be returned twice, whether
 * by one instance or by several.
 */
interface TestReserver {

	Duration LEASE = Duration.ofMinutes(1);

	/** The result of a reservation that failed. */
	OrdinalRange NOTHING = new OrdinalRange(0, 0);

	OrdinalRange reserve(long count);

	private static Deadline deadline() {
		return Deadline.in(Duration.ofSeconds(30));
	}

	/**
	 * Return an instance that returns {@link #NOTHING} when the given one fails.
	 */
	private static TestReserver ignoringFailures(TestReserver reserver) {
		return (count) -> {
			try {
				return reserver.reserve(count);
			}
			catch (IdGenerationException ex) {
				// the outcome is unknown, so the range is not used
				return NOTHING;
			}
		};
	}

	/**
	 * The kind of instances in a run.
	 */
	enum Kind {

		/** Instances reserve ordinals of a counter. */
		COUNTER {

			@Override
			TestReserver open(RedisDatabase database, String keySpace, Supplier<Duration> clockOffset) {
				RedisKeySpaceStore store = new RedisKeySpaceStore(database);
				store.create(keySpace, "a", Long.MAX_VALUE, deadline());
				return ignoringFailures((count) -> store.reserve(keySpace, count, Long.MAX_VALUE, deadline()));
			}

		},

		/** Each instance owns a series. */
		SERIES {

			@Override
			TestReserver open(RedisDatabase database, String keySpace, Supplier<Duration> clockOffset) {
				TestSeries series = TestSeries.open(keySpace, new RecycledSettings(1_000, 1L << 50),
						new RedisKeySpaceStore(database), new RedisSlotStore(database, clockOffset.get()), LEASE);
				return ignoringFailures(series::reserve);
			}

		},

		/** Each instance owns a node. */
		NODES {

			@Override
			TestReserver open(RedisDatabase database, String keySpace, Supplier<Duration> clockOffset) {
				new RedisKeySpaceStore(database).create(keySpace, "a", Node.COUNT, deadline());
				return ignoringFailures(new Node(database, keySpace, clockOffset));
			}

		};

		/**
		 * Open an instance.
		 * @param clockOffset how far the clock of the instance is ahead; if it is ahead,
		 * leases of other instances seem to have ended
		 */
		abstract TestReserver open(RedisDatabase database, String keySpace, Supplier<Duration> clockOffset);

	}

	/**
	 * An instance that owns a node, and follows the rules of a generator of time-based
	 * ids. It returns reserved milliseconds as numbers, in a separate range for each
	 * node.
	 */
	final class Node implements TestReserver {

		static final long COUNT = 1_024;

		private static final long MILLIS_PER_NODE = 1L << 45;

		/**
		 * The time until all clocks have reached the latest time that may be reserved.
		 */
		private static final Duration HORIZON_DISTANCE = LEASE.plusSeconds(2);

		private final Lock lock = new ReentrantLock();

		private final SlotOwner owner = SlotOwner.random(LEASE);

		private final RedisDatabase database;

		private final String keySpace;

		private final Supplier<Duration> clockOffset;

		private @Nullable Slot slot;

		/** The time at which the node was claimed. Earlier times are not returned. */
		private long claimedPosition;

		private boolean stopped;

		Node(RedisDatabase database, String keySpace, Supplier<Duration> clockOffset) {
			this.database = database;
			this.keySpace = keySpace;
			this.clockOffset = clockOffset;
		}

		@Override
		public OrdinalRange reserve(long count) {
			this.lock.lock();
			try {
				Duration offset = this.clockOffset.get();
				return reserve(new RedisSlotStore(this.database, offset),
						System.currentTimeMillis() + offset.toMillis(), count);
			}
			finally {
				this.lock.unlock();
			}
		}

		private OrdinalRange reserve(RedisSlotStore store, long now, long count) {
			SlotSpace space = TestSlots.nodes(COUNT,
					new Horizon(now + HORIZON_DISTANCE.toMillis() + 1, HORIZON_DISTANCE));
			if (this.stopped) {
				return NOTHING;
			}
			Slot from = this.slot;
			if (from == null) {
				from = store.claim(this.keySpace, space, this.owner, deadline()).orElseThrow().slot();
				this.claimedPosition = now;
				this.slot = from;
			}
			long end = Math.max(from.position(), now + LEASE.toMillis() + count);
			StoredSlot stored = store.advance(this.keySpace, space, from, this.owner, end, deadline());
			// stop if the store went backwards
			this.stopped = stored.slot().position() < from.position();
			if (this.stopped || !this.owner.owns(stored)) {
				this.slot = null;
				return NOTHING;
			}
			this.slot = stored.slot();
			long first = Math.max(from.position(), this.claimedPosition);
			long base = from.number() * MILLIS_PER_NODE;
			return new OrdinalRange(base + first, base + stored.slot().position());
		}

	}

}
