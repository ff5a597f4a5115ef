package dev.idspring.block;

import java.time.Duration;
import java.util.List;

import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.recycled.SeriesReservations;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.SlotStore;
import dev.idspring.text.TextSettings;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;

/**
 * Reserves ordinals from one series of a key space. No generator is needed.
 */
public final class TestSeries {

	private final BlockSource source;

	private TestSeries(BlockSource source) {
		this.source = source;
	}

	public static TestSeries open(String name, RecycledSettings settings, KeySpaceStore keySpaces, SlotStore slots,
			Duration lease) {
		OpenedKeySpace opened = OpenedKeySpace.open(name, settings, TextSettings.none(), keySpaces, deadline());
		SeriesReservations reservations = new SeriesReservations(name, opened, settings.seriesSize(),
				new SeriesSettings(1, lease), slots, new Listeners(name, "recycled", List.of()));
		reservations.refresh(deadline());
		return new TestSeries(reservations.sources().get(0));
	}

	public OrdinalRange reserve(long count) {
		return this.source.reserve(count, deadline());
	}

	public void renew() {
		this.source.renew(deadline());
	}

	private static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(30));
	}

}
