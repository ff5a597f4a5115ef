package dev.idspring.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TimeZone;

import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of {@link SlotStore} as a set of tests. Extend this class to test your own
 * store. Each test requires an empty store, so remove the data of the previous test in a
 * {@code @BeforeEach} method. This class itself contains the tests of times, listings and
 * invalid arguments. It inherits those of claims and changes.
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
public abstract class SlotStoreContract extends SlotChangeContract {

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

}
