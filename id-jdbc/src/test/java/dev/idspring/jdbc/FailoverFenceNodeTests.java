package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.idspring.ClockException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the nodes of a key space after a fail-over: how far the {@link FailoverFence}
 * moves them, which owners retain their nodes, and how long other instances wait.
 */
abstract class FailoverFenceNodeTests extends AbstractFailoverFenceTests {

	private static final Duration LONG_LEASE = Duration.ofHours(1);

	private static final Duration LEASE_DIFFERENCE = LONG_LEASE.minus(LEASE);

	FailoverFenceNodeTests(Kind kind) {
		super(kind);
	}

	@Test
	void ownerRetainsItsNodeWhileOthersWaitForAllReservedTimesToPass() {
		SlotOwner owner = SlotOwner.random(LEASE);
		SlotOwner killedOwner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, NODES, owner, TestStores.deadline()).orElseThrow().slot();
		slot = store.advance(NAME, NODES, slot, owner, 1_000_000, TestStores.deadline()).slot();
		store.claim(NAME, NODES, killedOwner, TestStores.deadline());
		// the replica lacks the last renewal by the owner, and the token of this renewal
		this.jdbc.update("update ids_slot set next_position = 900000, token = 'earlier' where slot = 0");
		this.jdbc.update("update ids_slot set lease_until = 1 where slot = 1");
		JdbcSlotStore replica = new JdbcSlotStore(server("b"));
		StoredSlot moved = replica.advance(NAME, NODES, slot, owner, 1_000_100, TestStores.deadline());
		assertThat(moved.owner()).isEqualTo(owner.id());
		assertThat(owner.isCloned(moved)).isFalse();
		assertThat(moved.slot().position()).isEqualTo(5_000_000);
		SlotOwner other = SlotOwner.random(LEASE);
		JdbcSlotStore earlyStore = slotsLater(Duration.ZERO);
		assertClaimFails(() -> earlyStore.claim(NAME, NODES, other, TestStores.deadline()));
		JdbcSlotStore storeAfterALease = slotsLater(LEASE.plusMinutes(1));
		assertClaimFails(() -> storeAfterALease.claim(NAME, NODES, other, TestStores.deadline()));
		assertClaimFails(() -> storeAfterALease.claim(NAME, 1, NODES, killedOwner, TestStores.deadline()));
		assertClaimFails(() -> storeAfterALease.claim(NAME, 7, NODES, killedOwner, TestStores.deadline()));
		assertThat(storeAfterALease.claim(NAME, 0, NODES, other, TestStores.deadline()).owner()).as("node in use")
			.isEqualTo(owner.id());
		JdbcSlotStore lateStore = slotsLater(WAITING_TIME.plusMinutes(1));
		assertThat(lateStore.claim(NAME, 1, NODES, other, TestStores.deadline()).slot())
			.isEqualTo(new Slot(1, 5_000_000, Long.MAX_VALUE));
		assertThat(lateStore.claim(NAME, 7, NODES, killedOwner, TestStores.deadline()).owner())
			.isEqualTo(killedOwner.id());
	}

	/**
	 * The length of a lease limits how far ahead of the clock its owner may have reserved
	 * times.
	 */
	@Test
	void nodesAreMovedAsFarAsTheLongestUnexpiredLeaseRequires() {
		SlotOwner longLeaseOwner = SlotOwner.random(LONG_LEASE);
		SlotOwner formerOwner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, NODES, longLeaseOwner, TestStores.deadline()).orElseThrow().slot();
		slot = store.advance(NAME, NODES, slot, longLeaseOwner, 5_900_000, TestStores.deadline()).slot();
		Slot other = store.claim(NAME, NODES, formerOwner, TestStores.deadline()).orElseThrow().slot();
		store.release(NAME, other, formerOwner, other.position(), TestStores.deadline());
		this.jdbc.update("update ids_slot set next_position = 5100000 where slot = 0");
		long leaseUntil = queryNumber("lease_until", "ids_slot where slot = 0");
		assertClaimFails(() -> slotsLater(Duration.ZERO).claim(NAME, NODES, formerOwner, TestStores.deadline()));
		assertThat(queryNumber("lease_until", "ids_slot where slot = 0")).isGreaterThanOrEqualTo(leaseUntil);
		assertThat(queryNumber("min(next_position)", "ids_slot")).isEqualTo(5_000_000 + LEASE_DIFFERENCE.toMillis());
		assertClaimFails(() -> slotsLater(WAITING_TIME.plusMinutes(1)).claim(NAME, NODES, SlotOwner.random(LEASE),
				TestStores.deadline()));
		assertClaimFails(() -> slotsLater(WAITING_TIME.plusMinutes(1)).claim(NAME, 7, NODES, formerOwner,
				TestStores.deadline()));
		StoredSlot found = slotsLater(WAITING_TIME.plusMinutes(1)).advance(NAME, NODES, slot, longLeaseOwner, 6_000_000,
				TestStores.deadline());
		assertThat(found.owner()).isEqualTo(longLeaseOwner.id());
		assertThat(found.slot().position()).isEqualTo(5_000_000 + LEASE_DIFFERENCE.toMillis());
		assertThat(slotsLater(WAITING_TIME.plus(LEASE_DIFFERENCE).plusMinutes(1))
			.claim(NAME, 1, NODES, formerOwner, TestStores.deadline())
			.owner()).isEqualTo(formerOwner.id());
	}

	/**
	 * The lease seems to have expired, but the fail-over may have lost a renewal.
	 */
	@Test
	void nodeWithAnExpiredLongLeaseIsMovedFurtherAndIsAvailableLater() {
		SlotOwner longLeaseOwner = SlotOwner.random(LONG_LEASE);
		SlotOwner other = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		store.claim(NAME, NODES, longLeaseOwner, TestStores.deadline());
		store.claim(NAME, 1, NODES, other, TestStores.deadline());
		long passed = LONG_LEASE.plusMinutes(30).toMillis();
		this.jdbc.update("update ids_slot set leased_at = leased_at - " + passed + ", lease_until = lease_until - "
				+ passed + " where slot = 0");
		assertClaimFails(
				() -> slotsLater(Duration.ZERO).claim(NAME, 7, NODES, SlotOwner.random(LEASE), TestStores.deadline()));
		assertThat(queryNumber("next_position", "ids_slot where slot = 0"))
			.isEqualTo(5_000_000 + LEASE_DIFFERENCE.toMillis());
		assertThat(queryNumber("next_position", "ids_slot where slot = 1")).isEqualTo(5_000_000);
		JdbcSlotStore earlyStore = slotsLater(WAITING_TIME.plusMinutes(1));
		assertThat(earlyStore.claim(NAME, 7, NODES, SlotOwner.random(LEASE), TestStores.deadline()).slot().number())
			.isEqualTo(7);
		assertClaimFails(() -> earlyStore.claim(NAME, 0, NODES, SlotOwner.random(LEASE), TestStores.deadline()));
		assertThat(slotsLater(WAITING_TIME.plus(LEASE_DIFFERENCE).plusMinutes(1))
			.claim(NAME, 0, NODES, SlotOwner.random(LEASE), TestStores.deadline())
			.slot()
			.position()).isEqualTo(5_000_000 + LEASE_DIFFERENCE.toMillis());
	}

	@Test
	void laterFailOverDoesNotShortenTheWait() {
		SlotOwner longLeaseOwner = SlotOwner.random(LONG_LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, NODES, longLeaseOwner, TestStores.deadline()).orElseThrow().slot();
		store.release(NAME, slot, longLeaseOwner, slot.position(), TestStores.deadline());
		SlotSpace longLeaseNodes = TestSlots.nodes(10,
				new Horizon(5_000_000 + LEASE_DIFFERENCE.toMillis(), WAITING_TIME.plus(LEASE_DIFFERENCE)));
		assertClaimFails(
				() -> slotsLater(Duration.ZERO).claim(NAME, longLeaseNodes, longLeaseOwner, TestStores.deadline()));
		long until = queryNumber("fenced_until", "ids_key_space");
		assertThat(queryNumber("lease_until", "ids_slot")).isEqualTo(until);
		assertClaimFails(() -> new JdbcSlotStore(server("c")).claim(NAME, NODES, SlotOwner.random(LEASE),
				TestStores.deadline()));
		assertThat(incarnation()).isEqualTo("c");
		assertThat(queryNumber("fenced_until", "ids_key_space")).isEqualTo(until);
		assertThat(queryNumber("lease_until", "ids_slot")).isEqualTo(until);
	}

	/**
	 * No node has an owner, so no lease is renewed.
	 */
	@Test
	void waitingForNodesEndsEvenIfAllClaimsFail() {
		SlotOwner owner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, NODES, owner, TestStores.deadline()).orElseThrow().slot();
		store.release(NAME, slot, owner, slot.position(), TestStores.deadline());
		assertClaimFails(() -> slotsLater(Duration.ZERO).claim(NAME, NODES, owner, TestStores.deadline()));
		assertThat(incarnation()).isEqualTo("b");
		assertClaimFails(
				() -> slotsLater(WAITING_TIME.minusMinutes(1)).claim(NAME, NODES, owner, TestStores.deadline()));
		assertThat(slotsLater(WAITING_TIME.plusMinutes(1)).claim(NAME, NODES, owner, TestStores.deadline()))
			.isPresent();
	}

	/**
	 * A warning reports leases that are too short for the number of slots with owners. If
	 * waiting slots had owners, the warning would count all slots that were ever used.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void slotsThatWaitAfterAFailOverHaveNoOwner(boolean nodes) {
		SlotSpace space = nodes ? NODES : SERIES;
		SlotOwner owner = SlotOwner.random(LEASE);
		SlotOwner formerOwner = SlotOwner.random(LEASE);
		JdbcSlotStore store = slots("a");
		Slot slot = store.claim(NAME, space, owner, TestStores.deadline()).orElseThrow().slot();
		Slot released = store.claim(NAME, space, formerOwner, TestStores.deadline()).orElseThrow().slot();
		store.release(NAME, released, formerOwner, released.position(), TestStores.deadline());
		assertThat(store.countOwned(NAME, TestStores.deadline())).isOne();
		JdbcSlotStore replica = slots("b");
		// a node keeps its owner, and a series loses it
		replica.renew(NAME, space, slot, owner, TestStores.deadline());
		assertThat(replica.countOwned(NAME, TestStores.deadline())).isEqualTo(nodes ? 1 : 0);
		assertThat(replica.list(NAME, TestStores.deadline()).slots()).filteredOn(StoredSlot::isLeased)
			.extracting(StoredSlot::owner)
			.isEqualTo(nodes ? List.of(owner.id()) : List.of());
	}

	@Test
	void ownerLosesANodeThatItDoesNotRenewWithinALease() {
		SlotOwner owner = SlotOwner.random(LEASE);
		Slot slot = slots("a").claim(NAME, NODES, owner, TestStores.deadline()).orElseThrow().slot();
		StoredSlot found = slotsLater(LEASE.plusMinutes(1)).advance(NAME, NODES, slot, owner, 1_000,
				TestStores.deadline());
		assertThat(found.owner()).as("another instance may have taken over the node on the lost server")
			.isNotEqualTo(owner.id());
	}

	@Test
	void ownerLosesANodeThatWasClaimedOnTheLostServer() {
		SlotOwner owner = SlotOwner.random(LEASE);
		Slot slot = slots("a").claim(NAME, NODES, owner, TestStores.deadline()).orElseThrow().slot();
		this.jdbc.update("delete from ids_slot");
		this.jdbc.update("update ids_key_space set next_slot = 0");
		StoredSlot found = slotsLater(Duration.ZERO).advance(NAME, NODES, slot, owner, 1_000, TestStores.deadline());
		assertThat(found.owner()).isNull();
		assertThatExceptionOfType(KeySpaceRegressionException.class).as("long after the fail-over")
			.isThrownBy(() -> slotsLater(WAITING_TIME.plusMinutes(1)).advance(NAME, NODES, slot, owner, 1_000,
					TestStores.deadline()));
	}

	/**
	 * An instance whose clock is ahead would move all nodes too far. An instance whose
	 * clock is behind would not move the nodes far enough, so times whose reservations
	 * were lost could be reserved again.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 2, -2 })
	void doesNotMoveNodesWhenTheLocalClockIsWrongAtStartup(int hours) {
		timeGenerator(server("a"), Duration.ZERO).open().close();
		List<Map<String, Object>> before = this.jdbc.queryForList("select * from ids_slot");
		assertThatExceptionOfType(ClockException.class)
			.isThrownBy(() -> timeGenerator(server("b"), Duration.ofHours(hours)).open())
			.withMessageMatching("The clock of this machine is (2h|1[12]\\dm) .*")
			.withMessageContaining((hours > 0) ? "ahead of the clock of the store" : "behind the clock of");
		assertThat(incarnation()).isEqualTo("a");
		assertThat(this.jdbc.queryForList("select * from ids_slot")).isEqualTo(before);
		assertThatExceptionOfType(IdStoreUnavailableException.class).as("correct clock")
			.isThrownBy(() -> timeGenerator(server("b"), Duration.ZERO).open());
		assertThat(incarnation()).isEqualTo("b");
	}

	private static TimeIdGenerator.Builder timeGenerator(JdbcDatabase server, Duration clockOffset) {
		TimeSource system = TimeSource.system();
		return TimeIdGenerator.builder(NAME, Preset.STANDARD.settings().scheme())
			.store(keySpaces(server), new JdbcSlotStore(server))
			.timeSource(new TimeSource() {

				@Override
				public long nanoTime() {
					return system.nanoTime();
				}

				@Override
				public Instant instant() {
					return system.instant().plus(clockOffset);
				}

			});
	}

	/**
	 * Return a store on the promoted server, whose clock is ahead by the given time.
	 */
	private JdbcSlotStore slotsLater(Duration time) {
		return new JdbcSlotStore(server("b"), (millis) -> millis + time.toMillis());
	}

	private static void assertClaimFails(ThrowingCallable claim) {
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(claim)
			.withMessageContaining(
					"After a fail-over of the database, no instance can claim a node of key space 'test' for another");
	}

}
