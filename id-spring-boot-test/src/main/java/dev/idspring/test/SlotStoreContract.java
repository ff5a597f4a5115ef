package dev.idspring.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The contract of {@link SlotStore} as a set of tests. Extend this class to test your own
 * store. Each test requires an empty store, so remove the data of the previous test in a
 * {@code @BeforeEach} method.
 * <p>
 * Write additional tests for guarantees that this class cannot verify:
 * <ul>
 * <li>Changes are durable before a method returns.</li>
 * <li>An operation with an unknown outcome can be retried safely, except
 * {@link SlotStore#skip skip}.</li>
 * <li>No operation participates in a transaction of the calling thread.</li>
 * </ul>
 *
 * @since 0.1.0
 */
public abstract class SlotStoreContract {

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
	 * Claim a slot of {@link #SPACE}. The test fails if no slot is available.
	 * @param store the store
	 * @param owner the owner that claims the slot
	 * @return the slot
	 */
	protected Slot claim(SlotStore store, SlotOwner owner) {
		return store.claim(NAME, SPACE, owner, deadline()).map(StoredSlot::slot).orElseThrow();
	}

	@Test
	void timeUsesTheSameClockAsLeases() {
		createKeySpace(NAME);
		Instant before = newStore().time(deadline());
		Instant readAt = newStore().claim(NAME, SPACE, owner(), deadline()).orElseThrow().readAt();
		assertThat(readAt).isBetween(before, newStore().time(deadline()));
		assertThat(newStore(LEASE).time(deadline())).isAfter(readAt.plus(LEASE.dividedBy(2)));
	}

	@Test
	void timeDoesNotDependOnTheDefaultTimeZone() {
		createKeySpace(NAME);
		SlotStore opened = newStore();
		Instant before = opened.time(deadline());
		TimeZone zone = TimeZone.getDefault();
		try {
			for (String other : List.of("America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati",
					"Australia/Lord_Howe")) {
				TimeZone.setDefault(TimeZone.getTimeZone(other));
				for (SlotStore store : List.of(opened, newStore())) {
					assertThat(store.time(deadline())).as(other).isBetween(before, before.plus(LEASE));
				}
			}
		}
		finally {
			TimeZone.setDefault(zone);
		}
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
	void renewAndAdvanceRenewTheLease() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		assertThat(newStore(Duration.ofMinutes(8)).renew(NAME, SPACE, slot, owner, deadline()).owner())
			.isEqualTo(owner.id());
		assertThat(claim(newStore(Duration.ofMinutes(16)), owner()).number()).isEqualTo(1);
		newStore(Duration.ofMinutes(16)).advance(NAME, SPACE, slot, owner, 1_000, deadline());
		assertThat(newStore(Duration.ofMinutes(24)).read(NAME, 0, deadline()).orElseThrow().isLeased()).isTrue();
		assertThat(newStore(Duration.ofMinutes(30)).read(NAME, 0, deadline()).orElseThrow().isLeased()).isFalse();
	}

	@Test
	void repeatedAdvanceChangesTheSlotOnce() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		for (int attempt = 0; attempt < 2; attempt++) {
			StoredSlot stored = newStore().advance(NAME, SPACE, slot, owner, 1_000, deadline());
			assertThat(stored.slot()).isEqualTo(slot.at(1_000));
			assertThat(owner.owns(stored)).isTrue();
			assertThat(owner.isLatest(stored)).isEqualTo(attempt == 0);
		}
		assertThat(newStore().advance(NAME, SPACE, slot, owner, 500, deadline()).slot()).isEqualTo(slot.at(1_000));
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

	/**
	 * Delete all data of a slot of {@link #NAME}, as an operator might do by mistake.
	 * @param slot the slot
	 */
	protected abstract void forget(Slot slot);

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
	void listingShowsPositionsOwnersAndLeases() {
		createKeySpace(NAME);
		SlotOwner formerOwner = owner();
		SlotOwner currentOwner = owner();
		Slot first = claim(newStore(), formerOwner);
		Slot second = claim(newStore(), currentOwner);
		newStore().advance(NAME, SPACE, second, currentOwner, 1_000_100, deadline());
		newStore().release(NAME, first, formerOwner, 0, deadline());
		SlotListing listing = newStore(Duration.ofSeconds(10)).list(NAME, deadline());
		assertThat(listing.next()).isEqualTo(2);
		assertThat(listing.slots()).hasSize(2);
		assertThat(listing.slots().get(0).owner()).isNull();
		assertThat(listing.slots().get(0).isLeased()).isFalse();
		assertThat(listing.slots().get(1).slot()).isEqualTo(second.at(1_000_100));
		assertThat(listing.slots().get(1).owner()).isEqualTo(currentOwner.id());
		assertThat(listing.slots().get(1).isLeased()).isTrue();
		assertThat(listing.slots().get(1).leaseAge()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(60));
	}

	@Test
	void countOwnedCountsOnlyRunningLeases() {
		createKeySpace(NAME);
		createKeySpace("other");
		SlotOwner formerOwner = owner();
		SlotOwner ownerOfUsedUpSlot = owner();
		Slot first = claim(newStore(), formerOwner);
		Slot second = claim(newStore(), ownerOfUsedUpSlot);
		claim(newStore(), owner());
		newStore().claim("other", SPACE, owner(), deadline());
		assertThat(newStore().countOwned(NAME, deadline())).isEqualTo(3);
		newStore().release(NAME, first, formerOwner, first.position(), deadline());
		newStore().advance(NAME, SPACE, second, ownerOfUsedUpSlot, second.end(), deadline());
		assertThat(newStore().countOwned(NAME, deadline())).isEqualTo(1);
		assertThat(newStore(LEASE.plusMinutes(1)).countOwned(NAME, deadline())).isZero();
	}

	@Test
	void skipAdvancesEverySlotAndTheNextNumber() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot first = claim(newStore(), owner);
		Slot second = claim(newStore(), owner());
		newStore().advance(NAME, SPACE, first, owner, 999_950, deadline());
		newStore().skip(NAME, 100, 3, deadline());
		assertThat(newStore().read(NAME, 0, deadline()).orElseThrow().slot()).isEqualTo(first.at(1_000_000));
		assertThat(newStore().read(NAME, 1, deadline()).orElseThrow().slot()).isEqualTo(second.at(1_000_100));
		assertThat(newStore().advance(NAME, SPACE, first.at(999_950), owner, 1_000_000, deadline()).owner())
			.as("a slot skipped to its end has no owner")
			.isNull();
		assertThat(claim(newStore(), owner()).number()).isEqualTo(1);
		assertThat(claim(newStore(), owner()).number()).isEqualTo(5);
	}

	@Test
	void skipBeyondTheMaximumIsRejected() {
		createKeySpace(NAME);
		claim(newStore(), owner());
		assertRejected("slots", () -> newStore().skip(NAME, 0, Long.MAX_VALUE, deadline()));
		assertThat(newStore().list(NAME, deadline()).next()).isEqualTo(1);
		newStore().skip(NAME, Long.MAX_VALUE, Long.MAX_VALUE - 1, deadline());
		assertThat(newStore().list(NAME, deadline()).next()).isEqualTo(Long.MAX_VALUE);
		assertThat(newStore().list(NAME, deadline()).slots()).isEmpty();
	}

	@Test
	void releaseBelowThePositionAtTheClaimIsRejected() {
		createKeySpace(NAME);
		SlotOwner formerOwner = owner();
		Slot slot = claim(newStore(), formerOwner);
		Slot advanced = newStore().advance(NAME, SPACE, slot, formerOwner, slot.position() + 50, deadline()).slot();
		assertThat(newStore().release(NAME, advanced, formerOwner, slot.position() + 20, deadline())).isTrue();
		SlotOwner owner = owner();
		Slot claimed = claim(newStore(LEASE.multipliedBy(2)), owner);
		assertThat(claimed.position()).isEqualTo(slot.position() + 20);
		Slot last = newStore().advance(NAME, SPACE, claimed, owner, slot.position() + 70, deadline()).slot();
		assertRejected("position", () -> newStore().release(NAME, last, owner, slot.position() + 19, deadline()));
		assertThat(newStore().read(NAME, last.number(), deadline()).orElseThrow().slot()).isEqualTo(last);
		assertThat(newStore().readCurrent(NAME, last.number(), deadline()).orElseThrow().slot()).isEqualTo(last);
		assertThat(newStore().release(NAME, last, owner, slot.position() + 20, deadline())).isTrue();
	}

	@Test
	@SuppressWarnings("NullAway") // tests null arguments
	void invalidArgumentsAreNamedInTheExceptionAndChangeNothing() {
		createKeySpace(NAME);
		SlotStore store = newStore();
		SlotOwner owner = owner();
		Slot slot = claim(store, owner);
		long position = slot.position();
		for (long number : new long[] { -1, Long.MIN_VALUE, SPACE.count(), Long.MAX_VALUE }) {
			assertRejected("number", () -> store.claim(NAME, number, SPACE, owner, deadline()));
		}
		for (long wrongPosition : new long[] { position - 1, slot.end() + 1, Long.MIN_VALUE, Long.MAX_VALUE }) {
			assertRejected("position", () -> store.advance(NAME, SPACE, slot, owner, wrongPosition, deadline()));
			assertRejected("position", () -> store.release(NAME, slot, owner, wrongPosition, deadline()));
		}
		for (long negative : new long[] { -1, Long.MIN_VALUE }) {
			assertRejected("positions", () -> store.skip(NAME, negative, 0, deadline()));
			assertRejected("slots", () -> store.skip(NAME, 0, negative, deadline()));
		}
		assertRejected("keySpace", () -> store.claim(null, SPACE, owner, deadline()));
		assertRejected("space", () -> store.claim(NAME, null, owner, deadline()));
		assertRejected("owner", () -> store.claim(NAME, SPACE, null, deadline()));
		assertRejected("deadline", () -> store.claim(NAME, SPACE, owner, null));
		assertRejected("space", () -> store.claim(NAME, 5, null, owner, deadline()));
		assertRejected("slot", () -> store.advance(NAME, SPACE, null, owner, position + 1, deadline()));
		assertRejected("owner", () -> store.renew(NAME, SPACE, slot, null, deadline()));
		assertRejected("slot", () -> store.release(NAME, null, owner, position, deadline()));
		assertRejected("keySpace", () -> store.read(null, slot.number(), deadline()));
		assertRejected("keySpace", () -> store.readCurrent(null, slot.number(), deadline()));
		assertRejected("keySpace", () -> store.list(null, deadline()));
		assertRejected("keySpace", () -> store.countOwned(null, deadline()));
		assertRejected("keySpace", () -> store.skip(null, 1, 1, deadline()));
		assertRejected("deadline", () -> store.time(null));
		assertRejected("keySpaces", () -> store.belongsTo(null));
		assertThat(store.list(NAME, deadline()).slots()).extracting(StoredSlot::slot).containsExactly(slot);
		assertThat(store.renew(NAME, SPACE, slot, owner, deadline())).matches(owner::isLatest);
	}

	private static void assertRejected(String parameter, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(parameter);
	}

	@Test
	void advanceOfADeletedSlotThrowsARegressionException() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		forget(slot);
		SlotStore store = newStore();
		// a message may begin with "Slot 0", or contain "slot 0"
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> store.advance(NAME, SPACE, slot, owner, 10, deadline()))
			.withMessageContaining("lot 0");
		assertThat(store.read(NAME, 0, deadline())).isEqualTo(Optional.empty());
		assertThat(store.readCurrent(NAME, 0, deadline())).isEqualTo(Optional.empty());
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
	void timesOfSlotsAreFromTheClockOfTheStore() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		StoredSlot before = newStore().claim(NAME, SPACE, owner, deadline()).orElseThrow();
		StoredSlot after = newStore(Duration.ofHours(2)).renew(NAME, SPACE, before.slot(), owner, deadline());
		assertThat(before.leasedAt()).isEqualTo(before.readAt());
		assertThat(before.leaseUntil()).isEqualTo(before.readAt().plus(LEASE));
		assertThat(Duration.between(before.readAt(), after.readAt())).isBetween(Duration.ofHours(2),
				Duration.ofHours(2).plusMinutes(2));
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

	@Test
	void everyChangeWritesANewToken() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Set<String> tokens = new HashSet<>();
		Slot slot = claim(newStore(), owner);
		tokens.add(token());
		newStore().claim(NAME, SPACE, owner, deadline());
		tokens.add(token());
		newStore().claim(NAME, 0, SPACE, owner, deadline());
		tokens.add(token());
		newStore().advance(NAME, SPACE, slot, owner, 100, deadline());
		tokens.add(token());
		newStore().renew(NAME, SPACE, slot.at(100), owner, deadline());
		tokens.add(token());
		newStore().release(NAME, slot.at(100), owner, 50, deadline());
		tokens.add(token());
		assertThat(tokens).hasSize(6).doesNotContainNull();
	}

	private @Nullable String token() {
		return newStore().read(NAME, 0, deadline()).orElseThrow().token();
	}

	/**
	 * The clone of a process begins with a copy of the owner, which knows the same
	 * tokens.
	 */
	@Test
	void cloneCannotChangeASlotThatTheOriginalHasChanged() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		SlotOwner clone = owner.copy();
		StoredSlot advanced = newStore().advance(NAME, SPACE, slot, owner, 1_000, deadline());
		assertThat(owner.owns(advanced)).isTrue();
		assertThat(owner.isLatest(advanced)).isTrue();
		for (StoredSlot found : List.of(newStore().advance(NAME, SPACE, slot, clone, 1_000, deadline()),
				newStore().advance(NAME, SPACE, slot.at(1_000), clone, 2_000, deadline()),
				newStore().renew(NAME, SPACE, slot.at(1_000), clone, deadline()),
				newStore().claim(NAME, 0, SPACE, clone, deadline()))) {
			assertThat(found.slot()).isEqualTo(slot.at(1_000));
			assertThat(found.token()).isEqualTo(advanced.token());
			assertThat(clone.owns(found)).isFalse();
			assertThat(clone.isCloned(found)).isTrue();
		}
		assertThat(newStore().release(NAME, slot.at(1_000), clone, 0, deadline())).isFalse();
		assertThat(claim(newStore(), clone).number()).isEqualTo(1);
		assertThat(newStore().release(NAME, slot.at(1_000), owner, 1_000, deadline())).isTrue();
	}

	@Test
	void alternatingClonesReserveNoPositionTwice() {
		createKeySpace(NAME);
		Clone first = new Clone(owner(), null);
		first.reserve();
		Clone second = new Clone(first.owner.copy(), first.slot);
		Set<Long> positions = new HashSet<>();
		for (int i = 0; i < 60; i++) {
			assertThat(positions.add(second.reserve())).isTrue();
			assertThat(positions.add(first.reserve())).isTrue();
		}
		assertThat(first.detectedClones + second.detectedClones).isEqualTo(1);
	}

	/**
	 * One of two clones of a process. It reserves 100 positions at a time.
	 */
	private final class Clone {

		private SlotOwner owner;

		private @Nullable Slot slot;

		private int detectedClones;

		Clone(SlotOwner owner, @Nullable Slot slot) {
			this.owner = owner;
			this.slot = slot;
		}

		/**
		 * Reserve the next 100 positions, and return the first of them.
		 */
		long reserve() {
			while (true) {
				Slot from = (this.slot != null) ? this.slot : claim(newStore(), this.owner);
				StoredSlot stored = newStore().advance(NAME, SPACE, from, this.owner, from.position() + 100,
						deadline());
				if (this.owner.owns(stored)) {
					this.slot = stored.slot();
					return from.position();
				}
				assertThat(this.owner.isCloned(stored)).isTrue();
				this.detectedClones++;
				this.slot = null;
				this.owner = owner();
			}
		}

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
