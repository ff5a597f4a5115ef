package dev.idspring.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;

import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The part of {@link SlotStoreContract} that tests which slot a store returns for a
 * claim. This class also contains the methods that all parts of the contract need.
 */
abstract class SlotClaimContract {

	/** The name of the key space that the tests use. */
	protected static final String NAME = "test";

	/**
	 * The length of each lease. No test runs this long, even if the machine stalls.
	 * Leases therefore expire only for a {@linkplain #newStore(Duration) store whose
	 * clock is ahead}.
	 */
	protected static final Duration LEASE = Duration.ofMinutes(10);

	/** The slots of the key space that most tests use. */
	protected static final SlotSpace SPACE = new EqualSlots(1_000_000, 100, Long.MAX_VALUE);

	/**
	 * Return a store for another instance of an application. All stores of one test must
	 * share their data.
	 * @return a store
	 */
	protected abstract SlotStore newStore();

	/**
	 * Return a store for another instance, with a clock that is ahead. For this store,
	 * leases expire earlier.
	 * @param clockOffset the time by which the store's clock is ahead
	 * @return a store
	 */
	protected abstract SlotStore newStore(Duration clockOffset);

	/**
	 * Create a key space. Do nothing if slots can be claimed without one.
	 * @param name the name of the key space
	 */
	protected abstract void createKeySpace(String name);

	/**
	 * Delete all data of a slot, as an operator might do by mistake.
	 * @param slot a slot of {@link #NAME}
	 */
	protected abstract void forget(Slot slot);

	/**
	 * Return a deadline that no test should reach.
	 * @return a minute from now
	 */
	protected static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(60));
	}

	/**
	 * Create an owner without a slot.
	 * @return an owner with a lease of {@link #LEASE}
	 */
	protected static SlotOwner owner() {
		return SlotOwner.random(LEASE);
	}

	/**
	 * Claim a slot. The test fails if no slot is available.
	 * @param store the store
	 * @param owner the owner that claims the slot
	 * @return a slot of {@link #SPACE}
	 */
	protected Slot claim(SlotStore store, SlotOwner owner) {
		return store.claim(NAME, SPACE, owner, deadline()).map(StoredSlot::slot).orElseThrow();
	}

	@Test
	void newSlotsAreNumberedFromZero() {
		createKeySpace(NAME);
		for (long number = 0; number < 5; number++) {
			assertThat(claim(newStore(), owner()))
				.isEqualTo(new Slot(number, number * 1_000_000, (number + 1) * 1_000_000));
		}
	}

	@Test
	void ownerClaimsItsOwnSlotAgain() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		newStore().advance(NAME, SPACE, slot, owner, 1_000, deadline());
		claim(newStore(), owner());
		assertThat(claim(newStore(), owner)).isEqualTo(slot.at(1_000));
	}

	@Test
	void slotWithARunningLeaseIsNotOffered() {
		createKeySpace(NAME);
		claim(newStore(), owner());
		assertThat(claim(newStore(), owner()).number()).isEqualTo(1);
	}

	@Test
	void releasedSlotWithTheLowestPositionIsOffered() {
		createKeySpace(NAME);
		List<SlotOwner> owners = new ArrayList<>();
		List<Slot> slots = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			owners.add(owner());
			slots.add(claim(newStore(), owners.get(i)));
		}
		newStore().advance(NAME, SPACE, slots.get(1), owners.get(1), 1_000_500, deadline());
		assertThat(newStore().release(NAME, slots.get(2), owners.get(2), 2_000_000, deadline())).isTrue();
		assertThat(newStore().release(NAME, slots.get(1).at(1_000_500), owners.get(1), 1_000_007, deadline())).isTrue();
		assertThat(claim(newStore(), owner())).isEqualTo(slots.get(1).at(1_000_007));
		assertThat(claim(newStore(), owner())).isEqualTo(slots.get(2));
		assertThat(claim(newStore(), owner()).number()).isEqualTo(3);
	}

	@Test
	void slotWithAnExpiredLeaseIsTakenOverAtItsPosition() {
		createKeySpace(NAME);
		SlotOwner oldOwner = owner();
		Slot slot = claim(newStore(), oldOwner);
		newStore().advance(NAME, SPACE, slot, oldOwner, 1_000, deadline());
		SlotOwner earlyOwner = owner();
		assertThat(claim(newStore(LEASE.minusMinutes(2)), earlyOwner).number()).isEqualTo(1);
		SlotOwner newOwner = owner();
		assertThat(claim(newStore(LEASE.plusMinutes(2)), newOwner)).isEqualTo(slot.at(1_000));
		StoredSlot answer = newStore().advance(NAME, SPACE, slot.at(1_000), oldOwner, 2_000, deadline());
		assertThat(answer.owner()).isEqualTo(newOwner.id());
		assertThat(answer.slot().position()).isEqualTo(1_000);
		assertThat(newStore().renew(NAME, SPACE, slot.at(1_000), oldOwner, deadline()).owner())
			.isEqualTo(newOwner.id());
		assertThat(newStore().release(NAME, slot.at(1_000), oldOwner, 10, deadline())).isFalse();
		assertThat(newStore().advance(NAME, SPACE, slot.at(1_000), newOwner, 2_000, deadline()).slot().position())
			.isEqualTo(2_000);
	}

	@Test
	void usedUpSlotIsNotOffered() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		newStore().advance(NAME, SPACE, slot, owner, slot.end(), deadline());
		assertThat(claim(newStore(), owner).number()).as("not even to its owner").isEqualTo(1);
		assertThat(claim(newStore(Duration.ofDays(1)), owner()).number()).isEqualTo(1);
		assertThat(claim(newStore(Duration.ofDays(1)), owner()).number()).isEqualTo(2);
		assertThat(newStore().list(NAME, deadline()).slots()).extracting((stored) -> stored.slot().number())
			.containsExactly(1L, 2L);
	}

	@Test
	void usedUpSlotCanBeReleasedBelowItsEnd() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		newStore().advance(NAME, SPACE, slot, owner, slot.end(), deadline());
		assertThat(newStore().release(NAME, slot.at(slot.end()), owner, 999_993, deadline())).isTrue();
		assertThat(claim(newStore(), owner())).isEqualTo(slot.at(999_993));
	}

	@Test
	void slotNumbersIncreaseEvenIfSlotsAreDeleted() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		for (long number = 1; number < 4; number++) {
			newStore().advance(NAME, SPACE, slot, owner, slot.end(), deadline());
			forget(slot);
			slot = claim(newStore(), owner);
			assertThat(slot.number()).isEqualTo(number);
		}
	}

	@Test
	void numberOfSlotsIsBounded() {
		createKeySpace(NAME);
		SlotSpace small = new EqualSlots(10, 2, Long.MAX_VALUE);
		assertThat(newStore().claim(NAME, small, owner(), deadline()).map(StoredSlot::slot))
			.contains(new Slot(0, 0, 10));
		assertThat(newStore().claim(NAME, small, owner(), deadline()).map(StoredSlot::slot))
			.contains(new Slot(1, 10, 20));
		assertThat(newStore().claim(NAME, small, owner(), deadline())).isEmpty();
		SlotOwner owner = owner();
		Slot beyond = newStore().claim(NAME, new EqualSlots(10, 10, Long.MAX_VALUE), owner, deadline())
			.orElseThrow()
			.slot();
		assertThat(beyond).isEqualTo(new Slot(2, 20, 30));
		newStore().release(NAME, beyond, owner, 20, deadline());
		assertThat(newStore().claim(NAME, small, owner(), deadline())).as("beyond the slots of the caller").isEmpty();
	}

	@Test
	void keySpacesDoNotShareSlots() {
		createKeySpace(NAME);
		createKeySpace("Test");
		claim(newStore(), owner());
		assertThat(newStore().claim("Test", SPACE, owner(), deadline()).orElseThrow().slot().number()).isZero();
		assertThat(newStore().list("Test", deadline()).next()).isEqualTo(1);
	}

	@Test
	void instancesThatStartTogetherClaimDifferentSlots() {
		createKeySpace(NAME);
		for (int i = 0; i < 8; i++) {
			SlotOwner owner = owner();
			Slot slot = claim(newStore(), owner);
			newStore().advance(NAME, SPACE, slot, owner, slot.position() + 10L * (i + 1), deadline());
		}
		// all 8 leases have expired, and 16 instances start at the same time
		Duration later = LEASE.plusMinutes(2);
		List<SlotStore> stores = IntStream.range(0, 16).mapToObj((i) -> newStore(later)).toList();
		CyclicBarrier barrier = new CyclicBarrier(16);
		List<CompletableFuture<Slot>> claims = stores.stream().map((store) -> CompletableFuture.supplyAsync(() -> {
			try {
				barrier.await();
				return claim(store, owner());
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> new Thread(task).start())).toList();
		assertThat(claims.stream().map(CompletableFuture::join).map(Slot::number).sorted())
			.containsExactlyElementsOf(IntStream.range(0, 16).mapToObj(Long::valueOf).toList());
		assertThat(claims.stream().map(CompletableFuture::join).filter((slot) -> slot.number() < 8))
			.allSatisfy((slot) -> assertThat(slot.position() % 1_000_000).isEqualTo(10L * (slot.number() + 1)));
	}

	@Test
	void slotCanBeClaimedByItsNumber() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		StoredSlot claimed = newStore().claim(NAME, 7, SPACE, owner, deadline());
		assertThat(claimed.slot()).isEqualTo(new Slot(7, 7_000_000, 8_000_000));
		assertThat(claimed.owner()).isEqualTo(owner.id());
		newStore().advance(NAME, SPACE, claimed.slot(), owner, 7_000_100, deadline());
		assertThat(newStore().claim(NAME, 7, SPACE, owner, deadline()).slot().position()).as("its own slot")
			.isEqualTo(7_000_100);
		StoredSlot answer = newStore().claim(NAME, 7, SPACE, owner(), deadline());
		assertThat(answer.owner()).isEqualTo(owner.id());
		assertThat(answer.leaseLeft()).isBetween(LEASE.minusMinutes(2), LEASE);
		assertThat(newStore(LEASE.minusMinutes(2)).claim(NAME, 7, SPACE, owner(), deadline()).owner())
			.isEqualTo(owner.id());
		SlotOwner newOwner = owner();
		StoredSlot takenOver = newStore(LEASE.plusMinutes(2)).claim(NAME, 7, SPACE, newOwner, deadline());
		assertThat(takenOver.owner()).isEqualTo(newOwner.id());
		assertThat(takenOver.slot().position()).as("at its position").isEqualTo(7_000_100);
		StoredSlot advanced = newStore().advance(NAME, SPACE, takenOver.slot(), newOwner, 7_000_200, deadline());
		assertThat(newStore().release(NAME, advanced.slot(), newOwner, 7_000_150, deadline())).isTrue();
		SlotOwner next = owner();
		assertThat(newStore().claim(NAME, 7, SPACE, next, deadline()))
			.satisfies((stored) -> assertThat(stored.owner()).isEqualTo(next.id()))
			.satisfies((stored) -> assertThat(stored.slot().position()).isEqualTo(7_000_150));
	}

	@Test
	void claimSkipsNumbersThatWereClaimedExplicitly() {
		createKeySpace(NAME);
		newStore().claim(NAME, 0, SPACE, owner(), deadline());
		newStore().claim(NAME, 2, SPACE, owner(), deadline());
		newStore().claim(NAME, 3, SPACE, owner(), deadline());
		assertThat(claim(newStore(), owner()).number()).isEqualTo(1);
		assertThat(claim(newStore(), owner()).number()).isEqualTo(4);
		SlotSpace small = new EqualSlots(10, 6, Long.MAX_VALUE);
		newStore().claim(NAME, 5, small, owner(), deadline());
		assertThat(newStore().claim(NAME, small, owner(), deadline())).isEmpty();
	}

	@Test
	void slotThatIsTooFarAheadIsNotOffered() {
		createKeySpace(NAME);
		List<SlotOwner> owners = List.of(owner(), owner());
		List<Slot> slots = owners.stream().map((owner) -> claim(newStore(), owner)).toList();
		for (Slot slot : slots) {
			SlotOwner owner = owners.get((int) slot.number());
			newStore().advance(NAME, SPACE, slot, owner, slot.position() + 500, deadline());
			newStore().release(NAME, slot.at(slot.position() + 500), owner, slot.position() + 500, deadline());
		}
		assertThat(newStore().claim(NAME, upTo(499), owner(), deadline()).orElseThrow().slot().number()).isEqualTo(2);
		assertThat(newStore().claim(NAME, upTo(500), owner(), deadline()).orElseThrow().slot().number()).isZero();
		assertThat(newStore().claim(NAME, 1, upTo(0), owners.get(0), deadline()).owner()).as("claimed by its number")
			.isEqualTo(owners.get(0).id());
	}

	private static SlotSpace upTo(long highestOffered) {
		return new EqualSlots(1_000_000, 100, highestOffered);
	}

	@Test
	void oneOfManyConcurrentClaimsForANumberSucceeds() {
		createKeySpace(NAME);
		List<SlotOwner> owners = IntStream.range(0, 8).mapToObj((i) -> owner()).toList();
		List<SlotStore> stores = owners.stream().map((owner) -> newStore()).toList();
		CyclicBarrier barrier = new CyclicBarrier(8);
		List<String> winners = IntStream.range(0, 8).mapToObj((i) -> CompletableFuture.supplyAsync(() -> {
			try {
				barrier.await();
				return String.valueOf(stores.get(i).claim(NAME, 3, SPACE, owners.get(i), deadline()).owner());
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> new Thread(task).start())).toList().stream().map(CompletableFuture::join).distinct().toList();
		assertThat(winners).hasSize(1).isSubsetOf(owners.stream().map(SlotOwner::id).toList());
	}

	/**
	 * Consecutive slots of the same size.
	 */
	private record EqualSlots(long size, long count, long highestOffered) implements SlotSpace {

		@Override
		public long start(long number) {
			return number * this.size;
		}

		@Override
		public long end(long number) {
			return start(number) + this.size;
		}

	}

}
