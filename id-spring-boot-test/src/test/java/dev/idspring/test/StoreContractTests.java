package dev.idspring.test;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.StoreArguments;
import dev.idspring.worker.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

/**
 * Tests for {@link KeySpaceStoreContract}: a correct store passes the tests of the
 * contract, and each faulty store fails at least one of them.
 */
class StoreContractTests {

	@Test
	void correctStorePasses() {
		EngineExecutionResults results = run(CorrectStoreContract.class);
		assertThat(results.testEvents().started().count()).isGreaterThan(13);
		// a store need not keep a history of reservations or be able to replace
		// definitions, and this store does neither
		assertThat(results.testEvents().aborted().count()).isEqualTo(7);
		assertThat(results.testEvents().succeeded().count()).isEqualTo(results.testEvents().started().count() - 7);
	}

	@Test
	void storeThatRepeatsTheLastOrdinalFails() {
		assertThat(failures(RepeatingStoreContract.class)).contains("reservedRangesAreConsecutive",
				"rangesOfParallelInstancesHaveNoOverlapsAndNoGaps");
	}

	@Test
	void storeThatIgnoresLaterReservationsOnGiveBackFails() {
		assertThat(failures(GenerousStoreContract.class)).containsOnly(
				"giveBackOfARangeThatDoesNotEndAtTheCounterChangesNothing",
				"rangeIsGivenBackOnlyIfNoReservationFollowed",
				"rangeIsNotGivenBackAfterAnotherInstanceGaveBackTheNextRange");
	}

	@Test
	void storeThatOverwritesDefinitionsFails() {
		assertThat(failures(ForgetfulStoreContract.class)).contains("createDoesNotChangeAnExistingDefinition");
	}

	@Test
	void storeThatIgnoresTheCallersBoundFails() {
		assertThat(failures(BoundlessStoreContract.class)).contains("everyInstanceReservesWithinItsOwnBound");
	}

	@Test
	void storeThatAcceptsAnyCountFails() {
		assertThat(failures(CarelessStoreContract.class)).contains("countBeyondTheMaximumIsRejected",
				"invalidArgumentsAreNamedInTheExceptionAndChangeNothing");
	}

	@Test
	void storeWithoutAtomicityFails() {
		assertThat(failures(RacingStoreContract.class)).contains("rangesOfParallelInstancesHaveNoOverlapsAndNoGaps");
	}

	private static Iterable<String> failures(Class<?> contract) {
		return run(contract).testEvents()
			.failed()
			.map((event) -> event.getTestDescriptor().getDisplayName())
			.map((name) -> name.replace("()", ""))
			.toList();
	}

	private static EngineExecutionResults run(Class<?> contract) {
		return EngineTestKit.engine("junit-jupiter").selectors(selectClass(contract)).execute();
	}

	abstract static class MapContract extends KeySpaceStoreContract {

		@Override
		protected boolean redefines() {
			return false;
		}

	}

	static class CorrectStoreContract extends MapContract {

		private final MapKeySpaceStore store = new MapKeySpaceStore();

		@Override
		protected KeySpaceStore newStore() {
			return this.store;
		}

	}

	static class RepeatingStoreContract extends MapContract {

		private final MapKeySpaceStore store = new MapKeySpaceStore() {

			@Override
			public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
				OrdinalRange range = super.reserve(name, count, bound, deadline);
				return new OrdinalRange(Math.max(0, range.start() - 1), range.end());
			}

		};

		@Override
		protected KeySpaceStore newStore() {
			return this.store;
		}

	}

	static class GenerousStoreContract extends MapContract {

		private final MapKeySpaceStore store = new MapKeySpaceStore() {

			@Override
			boolean isLast(StoredKeySpace stored, OrdinalRange range) {
				return true;
			}

		};

		@Override
		protected KeySpaceStore newStore() {
			return this.store;
		}

	}

	static class ForgetfulStoreContract extends MapContract {

		private final MapKeySpaceStore store = new MapKeySpaceStore() {

			@Override
			public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
				StoredKeySpace known = super.create(name, definition, capacity, deadline);
				return store(new StoredKeySpace(name, definition, capacity, known.nextOrdinal()));
			}

		};

		@Override
		protected KeySpaceStore newStore() {
			return this.store;
		}

	}

	static class BoundlessStoreContract extends MapContract {

		private final MapKeySpaceStore store = new MapKeySpaceStore() {

			@Override
			public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
				return super.reserve(name, count, read(name, deadline).map(StoredKeySpace::capacity).orElse(bound),
						deadline);
			}

		};

		@Override
		protected KeySpaceStore newStore() {
			return this.store;
		}

	}

	static class CarelessStoreContract extends MapContract {

		private final MapKeySpaceStore store = new MapKeySpaceStore() {

			@Override
			public void count(String name, long count, Deadline deadline) {
				locked(() -> {
					setNextOrdinal(name, Math.max(0, existing(name).nextOrdinal() + count));
					return true;
				});
			}

		};

		@Override
		protected KeySpaceStore newStore() {
			return this.store;
		}

	}

	static class RacingStoreContract extends MapContract {

		private final MapKeySpaceStore store = new MapKeySpaceStore() {

			@Override
			public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
				long start = read(name, deadline).orElseThrow(() -> vanished(name)).nextOrdinal();
				long end = start + Math.max(0, Math.min(count, bound - start));
				Thread.yield();
				return locked(() -> {
					setNextOrdinal(name, end);
					return new OrdinalRange(start, end);
				});
			}

		};

		@Override
		protected KeySpaceStore newStore() {
			return this.store;
		}

	}

	/**
	 * A minimal store, as a user of the contract might write it.
	 */
	static class MapKeySpaceStore implements KeySpaceStore {

		private final Lock lock = new ReentrantLock();

		private final Map<String, StoredKeySpace> keySpaces = new HashMap<>();

		/**
		 * For each key space, the latest contiguous reservations as one range. A
		 * give-back removes the entry.
		 */
		private final Map<String, OrdinalRange> lastReservations = new HashMap<>();

		@Override
		public StoreDescription describe() {
			return new InMemoryKeySpaceStore().describe();
		}

		@Override
		public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
			StoreArguments.create(name, definition, capacity, deadline);
			return locked(() -> this.keySpaces.computeIfAbsent(name,
					(key) -> new StoredKeySpace(key, definition, capacity, 0)));
		}

		@Override
		public void raiseCapacity(String name, long capacity, Deadline deadline) {
			StoreArguments.raiseCapacity(name, capacity, deadline);
			locked(() -> {
				StoredKeySpace known = existing(name);
				return store(new StoredKeySpace(name, known.definition(), Math.max(capacity, known.capacity()),
						known.nextOrdinal()));
			});
		}

		@Override
		public OrdinalRange reserve(String name, long count, long bound, Deadline deadline) {
			StoreArguments.reserve(name, count, bound, deadline);
			return locked(() -> {
				long start = existing(name).nextOrdinal();
				OrdinalRange range = new OrdinalRange(start, start + Math.max(0, Math.min(count, bound - start)));
				setNextOrdinal(name, range.end());
				this.lastReservations.put(name, range.after(this.lastReservations.get(name)));
				return range;
			});
		}

		@Override
		public void count(String name, long count, Deadline deadline) {
			StoreArguments.count(name, count, deadline);
			locked(() -> {
				setNextOrdinal(name, StoreArguments.addCounted(existing(name).nextOrdinal(), count));
				return true;
			});
		}

		@Override
		public boolean giveBack(String name, OrdinalRange range, Deadline deadline) {
			StoreArguments.giveBack(name, range, deadline);
			return locked(() -> {
				StoreArguments.verifyGivenBackRange(range, this.lastReservations.get(name));
				boolean isLast = isLast(existing(name), range);
				if (isLast) {
					setNextOrdinal(name, range.start());
				}
				return isLast;
			});
		}

		boolean isLast(StoredKeySpace stored, OrdinalRange range) {
			OrdinalRange last = this.lastReservations.get(stored.name());
			return stored.nextOrdinal() == range.end() && last != null && last.end() == range.end()
					&& this.lastReservations.remove(stored.name(), last);
		}

		@Override
		public Optional<StoredKeySpace> read(String name, Deadline deadline) {
			StoreArguments.read(name, deadline);
			return locked(() -> Optional.ofNullable(this.keySpaces.get(name)));
		}

		StoredKeySpace existing(String name) {
			return Optional.ofNullable(this.keySpaces.get(name)).orElseThrow(() -> vanished(name));
		}

		static KeySpaceRegressionException vanished(String name) {
			return new KeySpaceRegressionException("Key space '" + name + "' has vanished");
		}

		void setNextOrdinal(String name, long nextOrdinal) {
			StoredKeySpace known = existing(name);
			store(new StoredKeySpace(name, known.definition(), known.capacity(), nextOrdinal));
		}

		StoredKeySpace store(StoredKeySpace keySpace) {
			this.keySpaces.put(keySpace.name(), keySpace);
			return keySpace;
		}

		<T> T locked(Supplier<T> work) {
			this.lock.lock();
			try {
				return work.get();
			}
			finally {
				this.lock.unlock();
			}
		}

	}

}
