package dev.idspring.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.idspring.InvalidSettingException;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.time.NodeSettings;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SlotOwner}.
 */
class SlotOwnerTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	@ParameterizedTest
	@ValueSource(longs = { Long.MAX_VALUE, 86_400_001, 999, 0, -1 })
	void leaseOutOfRange(long millis) {
		Duration lease = Duration.ofMillis(millis);
		assertLeaseRefused(() -> SlotOwner.random(lease));
		assertLeaseRefused(() -> NodeSettings.lease(lease));
		assertLeaseRefused(() -> new SeriesSettings(1, lease));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1234567890123456789012345678901234567", "é" })
	void idOutOfRange(String id) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> new SlotOwner(id, LEASE))
			.withMessageContaining("id is '" + id.replace('é', '?') + "' but must be 1 to 36 printable");
	}

	@Test
	void randomOwner() {
		assertThat(SlotOwner.random(LEASE).id()).hasSize(UUID.randomUUID().toString().length());
	}

	@ParameterizedTest
	@CsvSource({ "1, 30", "1000, 30", "1001, 60", "2000, 60", "4000, 120", "8000, 240", "8001, 300", "1000000, 300" })
	void leaseIsLongerInLargeFleets(long owners, long seconds) {
		SlotOwner owner = SlotOwner.random(LEASE);
		owner.followFleet(owners);
		assertThat(owner.lease()).isEqualTo(Duration.ofSeconds(seconds));
		assertThat(owner.settledLease()).isEqualTo(LEASE);
		assertThat(owner.successor().lease()).isEqualTo(LEASE);
	}

	@Test
	void leaseThatIsLongAnywayStaysAsItIs() {
		SlotOwner owner = SlotOwner.random(Duration.ofHours(1));
		owner.followFleet(1_000_000);
		assertThat(owner.lease()).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void ownersAreCountedNowAndThen() {
		SlotOwner owner = SlotOwner.random(LEASE);
		AtomicInteger counts = new AtomicInteger();
		SlotStore store = new DelegatingSlotStore(new InMemorySlotStore(TimeSource.system())) {

			@Override
			public long countOwned(String keySpace, Deadline deadline) {
				return counts.incrementAndGet();
			}

		};
		for (int i = 0; i < 33; i++) {
			owner.followFleet(store, "test", Deadline.after(TimeSource.system(), LEASE));
		}
		assertThat(counts).hasValue(3);
	}

	@Test
	void longerLeaseSettlesWhenItIsWrittenAgainAfterAWhile() {
		SlotOwner owner = SlotOwner.random(LEASE);
		owner.followFleet(10_000);
		Duration longer = Duration.ofMinutes(5);
		write(owner, 1, 1_000, longer);
		write(owner, 1, 1_010, longer);
		assertThat(owner.settledLease()).isEqualTo(LEASE);
		// what is written by an attempt before says nothing of this lease
		write(owner, 1, 1_030, LEASE);
		assertThat(owner.settledLease()).isEqualTo(LEASE);
		write(owner, 1, 1_031, longer);
		assertThat(owner.settledLease()).isEqualTo(longer);
		assertThat(owner.copy().settledLease()).isEqualTo(longer);
	}

	@Test
	void longerLeaseSettlesAfterMoreThanAFailOverMayLose() {
		SlotOwner owner = SlotOwner.random(LEASE);
		SlotStore store = new DelegatingSlotStore(new InMemorySlotStore(TimeSource.system())) {

			@Override
			public long countOwned(String keySpace, Deadline deadline) {
				return 10_000;
			}

			@Override
			public Duration mostLost() {
				return Duration.ofMinutes(10);
			}

		};
		owner.followFleet(store, "test", Deadline.after(TimeSource.system(), LEASE));
		Duration longer = Duration.ofMinutes(5);
		write(owner, 1, 1_000, longer);
		write(owner, 1, 1_600, longer);
		assertThat(owner.settledLease()).isEqualTo(LEASE);
		write(owner, 1, 1_601, longer);
		assertThat(owner.settledLease()).isEqualTo(longer);
	}

	@Test
	void longerLeaseSettlesAnewWithEachSlot() {
		SlotOwner owner = SlotOwner.random(LEASE);
		owner.followFleet(10_000);
		Duration longer = Duration.ofMinutes(5);
		write(owner, 1, 1_000, longer);
		write(owner, 1, 1_031, longer);
		write(owner, 2, 1_060, longer);
		assertThat(owner.settledLease()).isEqualTo(LEASE);
		write(owner, 2, 1_091, longer);
		assertThat(owner.settledLease()).isEqualTo(longer);
	}

	@Test
	void shorterLeaseSettlesAtOnce() {
		SlotOwner owner = SlotOwner.random(LEASE);
		owner.followFleet(10_000);
		Duration longer = Duration.ofMinutes(5);
		write(owner, 1, 1_000, longer);
		write(owner, 1, 1_031, longer);
		owner.followFleet(1_500);
		assertThat(owner.lease()).isEqualTo(Duration.ofMinutes(1));
		assertThat(owner.settledLease()).isEqualTo(Duration.ofMinutes(1));
	}

	private static void write(SlotOwner owner, long slot, long second, Duration lease) {
		Instant now = Instant.ofEpochSecond(second);
		owner.learn(new StoredSlot(new Slot(slot, 0, 1), owner.id(), owner.attempt(slot), now, now.plus(lease), now));
	}

	private static void assertLeaseRefused(Runnable use) {
		assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(use::run)
			.withMessageContaining("lease is")
			.withMessageContaining("must be from 1s to 1d");
	}

}
