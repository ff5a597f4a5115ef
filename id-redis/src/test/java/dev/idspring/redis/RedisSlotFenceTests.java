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

	private final SlotOwner killedOwner = SlotOwner.random(LEASE);

	private final SlotOwner otherOwner = SlotOwner.random(LEASE);

	private ValkeyServer server;

	private RedisDatabase database;

	private Slot slot;

	@BeforeEach
	void claimNodes() {
		this.server = new ValkeyServer();
		this.database = this.server.open(SETTINGS);
		new RedisKeySpaceStore(this.database).create(NAME, "definition", 10, deadline());
		RedisSlotStore store = storeAhead(Duration.ZERO);
		Slot claimed = store.claim(NAME, NODES, this.owner, deadline()).orElseThrow().slot();
		this.slot = store.advance(NAME, NODES, claimed, this.owner, 1_000_000, deadline()).slot();
		store.claim(NAME, NODES, this.killedOwner, deadline());
	}

	@AfterEach
	void stop() throws Exception {
		this.database.close();
		this.server.close();
	}

	private static Deadline deadline() {
		return Deadline.in(Duration.ofSeconds(30));
	}

	private RedisSlotStore storeAhead(Duration clockOffset) {
		return new RedisSlotStore(this.database, clockOffset);
	}

	private void failOver() throws IOException {
		this.server.command("HSET", "{ids}:space:" + NAME, "incarnation", "0".repeat(40));
	}

	private void changeSlot(long number, UnaryOperator<SlotState> change) throws IOException {
		String stored = this.server.command("HGET", "{ids}:slots:" + NAME, Long.toString(number));
		String text = stored.substring(stored.indexOf("\r\n") + 2, stored.length() - 2);
		this.server.command("HSET", "{ids}:slots:" + NAME, Long.toString(number),
				KeySpaceSnapshot.text(change.apply(KeySpaceSnapshot.slot(number, text))));
	}

	@Test
	void ownerRetainsItsNodeWhileOthersWaitForAllReservedTimesToPass() throws Exception {
		// the promoted server lacks the last renewal by the owner, and the token of this
		// renewal
		changeSlot(0, (state) -> new SlotState(state.slot().at(900_000), state.owner(), "earlier", state.leasedAt(),
				state.leaseUntil()));
		changeSlot(1, (state) -> new SlotState(state.slot(), state.owner(), state.token(), state.leasedAt(), 1));
		failOver();
		StoredSlot moved = storeAhead(Duration.ZERO).advance(NAME, NODES, this.slot, this.owner, 1_000_100, deadline());
		assertThat(moved.owner()).isEqualTo(this.owner.id());
		assertThat(this.owner.isCloned(moved)).isFalse();
		assertThat(moved.slot().position()).isEqualTo(5_000_000);
		RedisSlotStore storeNow = storeAhead(Duration.ZERO);
		assertCannotClaim(() -> storeNow.claim(NAME, NODES, this.otherOwner, deadline()));
		RedisSlotStore storeAfterALease = storeAhead(LEASE.plusMinutes(1));
		assertCannotClaim(() -> storeAfterALease.claim(NAME, NODES, this.otherOwner, deadline()));
		assertCannotClaim(() -> storeAfterALease.claim(NAME, 1, NODES, this.killedOwner, deadline()));
		assertCannotClaim(() -> storeAfterALease.claim(NAME, 7, NODES, this.killedOwner, deadline()));
		assertThat(storeAfterALease.claim(NAME, 0, NODES, this.otherOwner, deadline()).owner())
			.as("owner of the node in use")
			.isEqualTo(this.owner.id());
		RedisSlotStore storeLater = storeAhead(WAITING_TIME.plusMinutes(1));
		assertThat(storeLater.claim(NAME, 1, NODES, this.otherOwner, deadline()).slot())
			.isEqualTo(new Slot(1, 5_000_000, Long.MAX_VALUE));
		assertThat(storeLater.claim(NAME, 7, NODES, this.killedOwner, deadline()).owner())
			.isEqualTo(this.killedOwner.id());
	}

	@Test
	void ownerWithAnExpiredLeaseLosesItsNode() throws Exception {
		failOver();
		StoredSlot moved = storeAhead(LEASE.plusMinutes(1)).advance(NAME, NODES, this.slot, this.owner, 1_000_100,
				deadline());
		assertThat(moved.owner()).isNotEqualTo(this.owner.id());
		assertThat(moved.slot().position()).isEqualTo(5_000_000);
	}

	@Test
	void nodesAreMovedAsFarAsTheLongestUnexpiredLeaseRequires() throws Exception {
		Duration longer = Duration.ofMinutes(50);
		changeSlot(1, (state) -> new SlotState(state.slot(), state.owner(), state.token(), state.leasedAt(),
				state.leaseUntil() + longer.toMillis()));
		failOver();
		StoredSlot moved = storeAhead(Duration.ZERO).advance(NAME, NODES, this.slot, this.owner, 1_000_100, deadline());
		assertThat(moved.slot().position()).isEqualTo(5_000_000 + longer.toMillis());
		assertCannotClaim(
				() -> storeAhead(WAITING_TIME.plusMinutes(1)).claim(NAME, NODES, this.otherOwner, deadline()));
		RedisSlotStore storeLater = storeAhead(WAITING_TIME.plus(longer).plusMinutes(1));
		assertThat(storeLater.claim(NAME, NODES, this.otherOwner, deadline()).orElseThrow().slot().position())
			.isEqualTo(5_000_000 + longer.toMillis());
	}

	@Test
	void takeOverSkipsTheFullNumberOfSeriesEvenIfTheDetectingInstanceUsesFewer() throws Exception {
		SlotSpace space = TestSlots.series(1_000, 10_000);
		new RedisKeySpaceStore(this.database).create("series", "definition", 10_000_000, deadline());
		RedisSlotStore store = storeAhead(Duration.ZERO);
		store.claim("series", space, this.owner, deadline());
		this.server.command("HSET", "{ids}:space:series", "incarnation", "0".repeat(40));
		assertThat(store.claim("series", TestSlots.series(1, 10_000), this.owner, deadline())).isEmpty();
		long next = store.claim("series", space, this.owner, deadline()).orElseThrow().slot().number();
		assertThat(next).as("number of the next series, after the skipped ones").isGreaterThan(1);
	}

	private static void assertCannotClaim(ThrowingCallable claim) {
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(claim)
			.withMessageContaining("no instance can claim a node");
	}

}
