package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.idspring.ClockException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.NodeUnavailableException;
import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.ReservingListener;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.TestTimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link NodeClaim}: which node a generator claims, and what happens if no node
 * is available.
 */
class NodeClaimTests extends AbstractTimeIdGeneratorTests {

	@Test
	void failedClaimOfANodeInUseIsObserved() {
		NodeSettings node = new NodeSettings("fixed", 3L, LEASE);
		TimeIdGenerator first = open(builder(STANDARD).node(node));
		List<@Nullable Throwable> errors = new ArrayList<>();
		TimeIdGenerator.Builder second = builder(STANDARD).node(node)
			.listener(new ReservingListener((generator, strategy) -> (outcome, error) -> errors.add(error)));
		this.time.advance(LEASE.minusSeconds(1));
		open(second);
		assertThat(errors).first().isInstanceOf(NodeUnavailableException.class);
		assertThat(errors).last().isNull();
		first.close();
	}

	@Test
	void fixedNodeNumberCannotBeClaimedByAnotherInstance() {
		NodeSettings fixedNode = new NodeSettings("fixed", 7L, LEASE);
		ManualStoreExecutor aliveExecutor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD).node(fixedNode), aliveExecutor);
		assertThat(ids.describe(ids.nextLong()).node()).isEqualTo(7);
		// the first instance renews its lease while the second one waits
		TimeIdGenerator.Builder second = builder(STANDARD).node(fixedNode);
		assertThatExceptionOfType(NodeUnavailableException.class)
			.isThrownBy(() -> second.open(new ManualStoreExecutor().runImmediately(), new Sleeper() {

				@Override
				public void sleep(Duration time) {
					NodeClaimTests.this.time.advance(time);
					aliveExecutor.runDelayed();
				}

				@Override
				public void await(OneTimeEvent event, Duration atMost) {
					// this test waits for no event
				}

			}, 1))
			.withMessageContaining("Node 7 of key space 'test' is in use by " + node(ids).owner())
			.withMessageContaining("node.source=lease");
		assertThat(Duration.between(Instant.parse("2026-01-01T00:00:00Z"), this.time.instant()))
			.as("the claim fails before the lease ends")
			.isLessThan(Duration.ofSeconds(3));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> open(builder(STANDARD).node(new NodeSettings("fixed", 1_024L, LEASE))))
			.withMessageContaining("number is 1024 but must be from 0 to 1023");
	}

	@Test
	void waitsForTheLeaseOfAKilledPredecessorWithTheSameNumber() {
		NodeSettings fixedNode = new NodeSettings("hostname", 7L, LEASE);
		TimeIdGenerator killedInstance = open(builder(STANDARD).node(fixedNode), new ManualStoreExecutor());
		long last = killedInstance.nextLong();
		Instant start = this.time.instant();
		TimeIdGenerator next = open(builder(STANDARD).node(fixedNode));
		assertThat(Duration.between(start, this.time.instant())).as("waited for one lease")
			.isBetween(LEASE, LEASE.plusSeconds(2));
		assertThat(next.nextLong()).isGreaterThan(last);
		assertThat(node(next).source()).isEqualTo("hostname");
	}

	@Test
	void claimFailureNamesTheNodesThatAreUnavailableAfterAFailOver() {
		UnreliableSlotStore failedOver = new UnreliableSlotStore(this.memory) {

			@Override
			public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
				return Optional.empty();
			}

			@Override
			public SlotListing list(String keySpace, Deadline deadline) {
				Instant now = NodeClaimTests.this.time.instant();
				return new SlotListing(4, List
					.of(new StoredSlot(new Slot(3, 0, Long.MAX_VALUE), null, "token", now, now.plusSeconds(7), now)));
			}

		};
		assertThatExceptionOfType(NodeUnavailableException.class)
			.isThrownBy(() -> open(builder(STANDARD).store(this.keySpaces, failedOver)))
			.withMessageContaining("is free: node 3 is unavailable after a fail-over. The next node is free in 7s");
	}

	@Test
	void claimFailureNamesTheOwnersWhenAllNodesAreInUse() {
		TimeScheme twoNodes = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 1, 12, Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator first = open(builder(twoNodes));
		this.time.advance(Duration.ofSeconds(10));
		TimeIdGenerator second = open(builder(twoNodes));
		this.time.advance(Duration.ofSeconds(5));
		assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(() -> open(builder(twoNodes)))
			.withMessageContaining("No node of key space 'test' is free: node 0 is owned by ")
			.withMessageContaining("node 0 is owned by " + node(first).owner() + ", which renewed it 15s ago")
			.withMessageContaining("node 1 is owned by " + node(second).owner() + ", which renewed it 5s ago")
			.withMessageContaining("The next node is free in 15s unless its lease is renewed.");
		this.time.advance(Duration.ofSeconds(16));
		assertThat(node(open(builder(twoNodes))).number()).as("the lease of the first owner has ended").isZero();
	}

	/**
	 * The clock of the previous owner was ahead by less than the permitted difference.
	 */
	@Test
	void nodeThatIsAheadOfTheClockIsSkipped() {
		TestTimeSource instanceTime = new TestTimeSource();
		instanceTime.jump(Duration.ofSeconds(50));
		TimeIdGenerator generatorAhead = open(builder(STANDARD).timeSource(instanceTime));
		Instant last = generatorAhead.describe(generatorAhead.nextLong()).time();
		generatorAhead.close();
		TimeIdGenerator next = open(builder(STANDARD));
		assertThat(node(next).number()).as("the number of another node").isEqualTo(1);
		assertThat(next.describe(next.nextLong()).time()).isEqualTo(this.time.instant());
		TimeIdGenerator.Builder fixedNode = builder(STANDARD).node(new NodeSettings("fixed", 0L, LEASE));
		TimeIdGenerator sameNode = open(fixedNode);
		assertThat(sameNode.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
		assertThatExceptionOfType(ClockException.class).isThrownBy(sameNode::nextLong)
			.withMessageContaining("uses node 0, which must not create ids for times before " + last.plusMillis(1));
		this.time.advance(Duration.ofSeconds(45));
		assertThat(sameNode.describe(sameNode.nextLong()).time()).isAfter(last);
		assertThat(sameNode.snapshot().status()).isEqualTo(GeneratorStatus.UP);
	}

	/**
	 * The layout has only one node.
	 */
	@Test
	void nodeThatIsAheadOfTheClockIsClaimedIfNoOtherNodeIsAvailable() {
		TimeScheme oneNode = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 0, 12, Tail.SEQUENCE)
			.scheme();
		TestTimeSource instanceTime = new TestTimeSource();
		instanceTime.jump(Duration.ofSeconds(3));
		TimeIdGenerator generatorAhead = open(builder(oneNode).timeSource(instanceTime));
		long last = generatorAhead.nextLong();
		generatorAhead.close();
		TimeIdGenerator next = open(builder(oneNode));
		assertThat(next.nextLong()).as("waits for the clock, and issues a greater id").isGreaterThan(last);
	}

	@Test
	void claimThatIsLostFailsAfterTheDeadline() {
		UnreliableSlotStore rivals = new UnreliableSlotStore(this.memory) {

			@Override
			public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
				Optional<StoredSlot> claimed = super.claim(keySpace, space, owner, deadline);
				NodeClaimTests.this.time.advance(LEASE.plusSeconds(1));
				super.claim(keySpace, space, SlotOwner.random(LEASE), deadline);
				return claimed;
			}

		};
		TimeIdGenerator.Builder builder = builder(STANDARD).store(this.keySpaces, rivals);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> open(builder))
			.withMessage("No node of key space 'test' could be claimed in time: other instances"
					+ " took over each claimed node.");
		assertThat(this.events).containsOnly("lost 0");
	}

}
