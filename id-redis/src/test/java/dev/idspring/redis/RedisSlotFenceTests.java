package dev.idspring.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.SlotSpace.Horizon;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.rules.SlotState;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.worker.Deadline;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for slots after a fail-over. One server simulates two servers: its data is set
 * back, and marked as written by another server.
 */
@RequiresValkey
class RedisSlotFenceTests {

	private static final String NAME = "test";

	private static final Duration LEASE = Duration.ofMinutes(10);

	/**
	 * The time for which instances must wait after a fail-over before they can claim a
	 * node. It is longer than a lease.
	 */
	private static final Duration WAITING_TIME = Duration.ofMinutes(12);

	private static final SlotSpace NODES = TestSlots.nodes(10, new Horizon(5_000_000, WAITING_TIME));

	private static final RedisSettings SETTINGS = RedisSettings.defaults().withInitialize(true);

	private final SlotOwner owner = SlotOwner.random(LEASE);

	private final SlotOwner killed = SlotOwner.random(LEASE);

	private final SlotOwner other = SlotOwner.random(LEASE);

	private ValkeyServer server;

	private RedisDatabase database;

	private Slot slot;

	@BeforeEach
	void claimNodes() {
		this.server = new ValkeyServer();
		this.database = this.server.open(SETTINGS);
		new RedisKeySpaceStore(this.database).create(NAME, "definition", 10, deadline());
		RedisSlotStore store = later(Duration.ZERO);
		Slot claimed = store.claim(NAME, NODES, this.owner, deadline()).orElseThrow().slot();
		this.slot = store.advance(NAME, NODES, claimed, this.owner, 1_000_000, deadline()).slot();
		store.claim(NAME, NODES, this.killed, deadline());
	}

	@AfterEach
	void stop() throws Exception {
		this.database.close();
		this.server.close();
	}

	private static Deadline deadline() {
		return Deadline.in(Duration.ofSeconds(30));
	}

	private RedisSlotStore later(Duration later) {
		return new RedisSlotStore(this.database, later);
	}

	private void failOver() throws IOException {
		this.server.command("HSET", "{ids}:space:" + NAME, "incarnation", "0".repeat(40));
	}

	private void change(long number, UnaryOperator<SlotState> change) throws IOException {
		String stored = this.server.command("HGET", "{ids}:slots:" + NAME, Long.toString(number));
		String text = stored.substring(stored.indexOf("\r\n") + 2, stored.length() - 2);
		this.server.command("HSET", "{ids}:slots:" + NAME, Long.toString(number),
				KeySpaceSnapshot.text(change.apply(KeySpaceSnapshot.slot(number, text))));
	}

	@Test
	void ownerRetainsItsNodeWhileOthersWaitForAllReservedTimesToPass() throws Exception {
		// the promoted server lacks the last renewal by the owner, and the token of this
		// renewal
		change(0, (entry) -> new SlotState(entry.slot().at(900_000), entry.owner(), "earlier", entry.leasedAt(),
				entry.leaseUntil()));
		change(1, (entry) -> new SlotState(entry.slot(), entry.owner(), entry.token(), entry.leasedAt(), 1));
		failOver();
		StoredSlot moved = later(Duration.ZERO).advance(NAME, NODES, this.slot, this.owner, 1_000_100, deadline());
		assertThat(moved.owner()).isEqualTo(this.owner.id());
		assertThat(this.owner.isCloned(moved)).isFalse();
		assertThat(moved.slot().position()).isEqualTo(5_000_000);
		RedisSlotStore early = later(Duration.ZERO);
		assertRefused(() -> early.claim(NAME, NODES, this.other, deadline()));
		RedisSlotStore afterALease = later(LEASE.plusMinutes(1));
		assertRefused(() -> afterALease.claim(NAME, NODES, this.other, deadline()));
		assertRefused(() -> afterALease.claim(NAME, 1, NODES, this.killed, deadline()));
		assertRefused(() -> afterALease.claim(NAME, 7, NODES, this.killed, deadline()));
		assertThat(afterALease.claim(NAME, 0, NODES, this.other, deadline()).owner()).as("node in use")
			.isEqualTo(this.owner.id());
		RedisSlotStore later = later(WAITING_TIME.plusMinutes(1));
		assertThat(later.claim(NAME, 1, NODES, this.other, deadline()).slot())
			.isEqualTo(new Slot(1, 5_000_000, Long.MAX_VALUE));
		assertThat(later.claim(NAME, 7, NODES, this.killed, deadline()).owner()).isEqualTo(this.killed.id());
	}

	@Test
	void ownerWithAnExpiredLeaseLosesItsNode() throws Exception {
		failOver();
		StoredSlot moved = later(LEASE.plusMinutes(1)).advance(NAME, NODES, this.slot, this.owner, 1_000_100,
				deadline());
		assertThat(moved.owner()).isNotEqualTo(this.owner.id());
		assertThat(moved.slot().position()).isEqualTo(5_000_000);
	}

	@Test
	void nodesAreMovedAsFarAsTheLongestRunningLeaseRequires() throws Exception {
		Duration longer = Duration.ofMinutes(50);
		change(1, (entry) -> new SlotState(entry.slot(), entry.owner(), entry.token(), entry.leasedAt(),
				entry.leaseUntil() + longer.toMillis()));
		failOver();
		StoredSlot moved = later(Duration.ZERO).advance(NAME, NODES, this.slot, this.owner, 1_000_100, deadline());
		assertThat(moved.slot().position()).isEqualTo(5_000_000 + longer.toMillis());
		assertRefused(() -> later(WAITING_TIME.plusMinutes(1)).claim(NAME, NODES, this.other, deadline()));
		RedisSlotStore later = later(WAITING_TIME.plus(longer).plusMinutes(1));
		assertThat(later.claim(NAME, NODES, this.other, deadline()).orElseThrow().slot().position())
			.isEqualTo(5_000_000 + longer.toMillis());
	}

	@Test
	void skipsTheFullNumberOfSeriesWhenTheDetectingInstanceAllowsFewer() throws Exception {
		SlotSpace all = TestSlots.series(1_000, 10_000);
		new RedisKeySpaceStore(this.database).create("series", "definition", 10_000_000, deadline());
		RedisSlotStore store = later(Duration.ZERO);
		store.claim("series", all, this.owner, deadline());
		this.server.command("HSET", "{ids}:space:series", "incarnation", "0".repeat(40));
		assertThat(store.claim("series", TestSlots.series(1, 10_000), this.owner, deadline())).isEmpty();
		long next = store.claim("series", all, this.owner, deadline()).orElseThrow().slot().number();
		assertThat(next).as("number of the next series, after the skipped ones").isGreaterThan(1);
	}

	private static void assertRefused(ThrowingCallable claim) {
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(claim)
			.withMessageContaining("no instance can claim a node");
	}

}
