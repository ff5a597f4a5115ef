package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

import dev.idspring.store.DelegatingSlotStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.time.SimulatedCluster.TrueTime;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulates 64 instances, with several layouts of ids and with each kind of tail (the
 * part that distinguishes ids of the same node and millisecond). The property
 * {@code test.ids.seed} sets the seed, to repeat a run, and
 * {@code test.ids.simulated-minutes} sets the length of the runs.
 */
class SimulatedClusterTests {

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	private static final Duration LENGTH = Duration.ofMinutes(Integer.getInteger("test.ids.simulated-minutes", 20));

	/**
	 * The maximum length of a run with a faulty store. Such a run ends at the first
	 * duplicate.
	 */
	private static final Duration LONG_RUN = Duration.ofHours(12);

	private static final Duration LEASE = Duration.ofSeconds(60);

	private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

	/**
	 * Return schemes with few nodes, so that nodes often change owners.
	 */
	static Stream<TimeScheme> schemes() {
		return Stream.concat(
				Stream.of(Tail.values()).map((tail) -> new SnowflakeSettings(EPOCH, 41, 6, 2, tail).scheme()),
				Stream.of(new SnowflakeSettings(EPOCH, 41, 6, 0, Tail.SEQUENCE).scheme(),
						new DecimalUidSettings(EPOCH, 1, 2, true).scheme(),
						new CompositeSettings(EPOCH, false, 2, 0).scheme(),
						new CompositeSettings(EPOCH, true, 1, 3).scheme()));
	}

	private static SimulatedCluster run(TimeScheme scheme, long seed, Duration length, TrueTime trueTime,
			SlotStore slots) {
		SimulatedCluster cluster = new SimulatedCluster(scheme, LEASE, seed, trueTime, new InMemoryKeySpaceStore(),
				slots);
		cluster.run(64, length);
		System.out.println(cluster + ", seed " + seed);
		return cluster;
	}

	@ParameterizedTest
	@MethodSource("schemes")
	@Tag("longer")
	void noIdIsIssuedTwice(TimeScheme scheme) {
		TrueTime trueTime = new TrueTime();
		SimulatedCluster cluster = run(scheme, SEED, LENGTH, trueTime, new InMemorySlotStore(trueTime));
		assertThat(cluster.duplicate()).as("%s, seed %s", cluster, SEED).isEqualTo(-1);
		assertThat(cluster.isEventful(LENGTH)).as("%s, seed %s", cluster, SEED).isTrue();
	}

	/**
	 * The store advances the slot one call too late. An instance therefore uses a window
	 * of times before it is reserved, and an instance that takes over the node starts too
	 * early.
	 */
	@Test
	void idsRepeatIfWindowsAreStoredTooLate() {
		TrueTime trueTime = new TrueTime();
		TimeScheme scheme = schemes().findFirst().orElseThrow();
		SimulatedCluster cluster = run(scheme, 1, LONG_RUN, trueTime,
				new FaultySlotStore(new InMemorySlotStore(trueTime)) {

					private Slot delayedSlot = new Slot(-1, 0, 0);

					@Override
					public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner,
							long position, Deadline deadline) {
						// the requested position is stored only by the next call
						Slot storedSlot = read(keySpace, slot.number(), deadline).orElseThrow().slot();
						StoredSlot stored = super.advance(keySpace, space, storedSlot, owner,
								Math.max(storedSlot.position() + 1, slot.position()), deadline);
						this.delayedSlot = slot.at(position);
						return at(stored, this.delayedSlot.position());
					}

				});
		assertThat(cluster.duplicate()).isNotEqualTo(-1);
	}

	/**
	 * An instance that takes over a node starts at its own clock instead of the position
	 * of the slot.
	 */
	@Test
	void idsRepeatIfATakeOverStartsAtTheLocalClock() {
		TrueTime trueTime = new TrueTime();
		TimeScheme scheme = schemes().findFirst().orElseThrow();
		SimulatedCluster cluster = run(scheme, 1, LONG_RUN, trueTime,
				new FaultySlotStore(new InMemorySlotStore(trueTime)) {

					@Override
					public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner,
							Deadline deadline) {
						return super.claim(keySpace, space, owner, deadline).map((stored) -> at(stored, 0));
					}

					@Override
					public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner,
							long position, Deadline deadline) {
						Slot storedSlot = read(keySpace, slot.number(), deadline).orElseThrow().slot();
						return super.advance(keySpace, space, storedSlot, owner,
								Math.max(storedSlot.position(), position), deadline);
					}

				});
		assertThat(cluster.duplicate()).isNotEqualTo(-1);
	}

	/**
	 * Base class of stores with a fault.
	 */
	private abstract static class FaultySlotStore extends DelegatingSlotStore {

		FaultySlotStore(SlotStore delegate) {
			super(delegate);
		}

		static StoredSlot at(StoredSlot stored, long position) {
			return new StoredSlot(stored.slot().at(position), stored.owner(), stored.token(), stored.leasedAt(),
					stored.leaseUntil(), stored.readAt());
		}

		@Override
		public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
			Slot storedSlot = read(keySpace, slot.number(), deadline).orElseThrow().slot();
			return at(super.renew(keySpace, space, storedSlot, owner, deadline), slot.position());
		}

		@Override
		public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
			Slot storedSlot = read(keySpace, slot.number(), deadline).orElseThrow().slot();
			return super.release(keySpace, storedSlot, owner, Math.min(storedSlot.position(), position), deadline);
		}

	}

}
