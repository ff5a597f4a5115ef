package dev.idspring.recycled;

import java.time.Duration;

import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SeriesReservations} in cloned processes.
 */
class ClonedSeriesTests {

	private final InMemorySlotStore slots = new InMemorySlotStore(new TestTimeSource());

	private final ClonedSeries series = new ClonedSeries(new InMemoryKeySpaceStore(), this.slots);

	@Test
	void clonesReserveNothingTwice() {
		this.series.run(200);
		assertThat(this.series.ordinals).hasSizeGreaterThan(10_000);
		assertThat(this.series.repeatedOrdinals).isEmpty();
		assertThat(this.series.events).containsExactly("original shares series 1");
		assertThat(this.series.ownerId(this.series.original)).isNotEqualTo(this.series.ownerId(this.series.clone));
	}

	@Test
	void giveBackDoesNotReleaseTheSeriesOfAClone() {
		long position = stored(1).slot().position();
		this.series.clone.renew(Deadline.after(TimeSource.system(), Duration.ofSeconds(5)));
		StoredSlot storedByClone = stored(1);
		OrdinalRange unused = new OrdinalRange(position - 5, position);
		assertThat(this.series.giveBack(this.series.original, unused)).isZero();
		assertThat(stored(1)).isEqualTo(storedByClone);
		assertThat(this.series.giveBack(this.series.clone, unused)).isEqualTo(5);
		assertThat(stored(1).slot().position()).isEqualTo(position - 5);
	}

	@Test
	void nothingIsRepeatedOrGivenBackAfterMemoryIsDropped() {
		StoredSlot before = stored(1);
		long position = before.slot().position();
		this.series.dropMemory();
		assertThat(this.series.giveBack(this.series.original, new OrdinalRange(position - 5, position))).isZero();
		this.series.run(50);
		assertThat(this.series.repeatedOrdinals).isEmpty();
		assertThat(this.series.events).isEmpty();
		assertThat(stored(1)).isEqualTo(before);
	}

	private StoredSlot stored(long number) {
		return this.slots.read("test", number, Deadline.after(TimeSource.system(), Duration.ofSeconds(5)))
			.orElseThrow();
	}

}
