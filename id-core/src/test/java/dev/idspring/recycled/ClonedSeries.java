package dev.idspring.recycled;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.recycled.SeriesReservations.SeriesSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.testsupport.PrivateFields;
import dev.idspring.text.TextSettings;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;

/**
 * A series of a generator, and its clone: a copy with the same state in memory.
 */
public final class ClonedSeries {

	private static final int SERIES_SIZE = 1_000;

	private static final int BLOCK_SIZE = 30;

	public final List<String> events = new ArrayList<>();

	public final Set<Long> ordinals = new HashSet<>();

	/** Ordinals that were reserved more than once. */
	public final List<Long> repeatedOrdinals = new ArrayList<>();

	public final SeriesSource original;

	public final SeriesSource clone;

	public ClonedSeries(KeySpaceStore keySpaces, SlotStore slots) {
		OpenedKeySpace opened = OpenedKeySpace.open("test", new RecycledSettings(SERIES_SIZE, 1_000_000),
				TextSettings.none(), keySpaces, deadline());
		this.original = series("original", opened, slots);
		for (int i = 0; i < SERIES_SIZE / BLOCK_SIZE + 2; i++) {
			reserve(this.original);
		}
		this.clone = series("clone", opened, slots);
		PrivateFields.set(this.clone, "owner", ((SlotOwner) PrivateFields.get(this.original, "owner")).copy());
		for (String field : List.of("currentSeries", "lastSeries")) {
			PrivateFields.set(this.clone, field, PrivateFields.get(this.original, field));
		}
		PrivateFields.set(this.clone, "usedUpSeries",
				new ArrayDeque<>((Collection<?>) PrivateFields.get(this.original, "usedUpSeries")));
	}

	private SeriesSource series(String name, OpenedKeySpace opened, SlotStore slots) {
		Listeners listeners = new Listeners("test", "recycled", List.of(new IdGeneratorListener() {

			@Override
			public void cloned(String generator, long number) {
				ClonedSeries.this.events.add(name + " shares series " + number);
			}

			@Override
			public void lost(String generator, long number) {
				ClonedSeries.this.events.add(name + " lost series " + number);
			}

		}));
		return new SeriesReservations("test", opened, SERIES_SIZE, new SeriesSettings(1, Duration.ofMinutes(10)),
				new UnreliableSlotStore(slots), listeners)
			.sources()
			.get(0);
	}

	public String ownerId(SeriesSource series) {
		return ((SlotOwner) PrivateFields.get(series, "owner")).id();
	}

	private static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(60));
	}

	private OrdinalRange reserve(SeriesSource series) {
		OrdinalRange range = series.reserve(BLOCK_SIZE, deadline());
		LongStream.range(range.start(), range.end()).forEach((ordinal) -> {
			if (!this.ordinals.add(ordinal)) {
				this.repeatedOrdinals.add(ordinal);
			}
		});
		return range;
	}

	/**
	 * Reserve blocks with the clone and the original in turn, and renew both leases in
	 * every tenth round, starting with the first.
	 */
	public void run(int rounds) {
		for (int i = 0; i < rounds; i++) {
			reserve(this.clone);
			reserve(this.original);
			if (i % 10 == 0) {
				this.original.renew(deadline());
				this.clone.renew(deadline());
			}
		}
	}

	/**
	 * Give back a block through the original or the clone. The block belongs to the
	 * series that the original owned when it was cloned.
	 */
	public long giveBack(SeriesSource series, OrdinalRange block) {
		return series.giveBack(List.of(block), deadline());
	}

	public void dropMemory() {
		this.original.dropMemory();
		this.clone.dropMemory();
	}

}
