package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import dev.idspring.InvalidSettingException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.keyspace.RecycledSettings;
import dev.idspring.monitor.SeriesSnapshot;
import dev.idspring.store.Slot;
import dev.idspring.store.SlotListing;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoredKeySpace;
import dev.idspring.store.StoredSlot;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ordinals from series, each of which belongs to one writer at a time.
 *
 * @since 0.1.0
 */
public final class SeriesReservations implements Reservations {

	private final String keySpaceName;

	private final KeySpace keySpace;

	private final SeriesSpace space;

	private final SlotStore store;

	private final List<Series> sources;

	private final AtomicLong remaining;

	private volatile SlotListing listing = new SlotListing(0, List.of());

	private SeriesReservations(String generator, String keySpaceName, KeySpace keySpace, SlotStore store,
			SeriesSettings settings) {
		this.keySpaceName = keySpaceName;
		this.keySpace = keySpace;
		this.space = new SeriesSpace(settings.seriesSize(), keySpace.capacity());
		this.store = store;
		this.remaining = new AtomicLong(keySpace.capacity());
		List<Series> sources = new ArrayList<>();
		for (int i = 0; i < settings.seriesPerInstance(); i++) {
			sources.add(new Series(this, generator, keySpaceName, this.space, store, settings.listener(),
					SlotOwner.random(settings.lease())));
		}
		this.sources = List.copyOf(sources);
	}

	/**
	 * Make generators reserve from series.
	 * @param store what remembers the series
	 * @param settings how to use them
	 * @return to be given to the builder of the generator
	 */
	public static Factory factory(SlotStore store, SeriesSettings settings) {
		return new Factory() {

			@Override
			public Reservations open(String generator, StoredKeySpace stored, KeySpace keySpace, TimeSource timeSource,
					Deadline deadline) {
				SeriesReservations reservations = new SeriesReservations(generator, stored.name(), keySpace, store,
						settings);
				reservations.refresh(deadline);
				return reservations;
			}

			@Override
			public void verify(KeySpaceSettings keySpace) {
				InvalidSettingException.require(
						keySpace instanceof RecycledSettings recycled && recycled.seriesSize() == settings.seriesSize(),
						SeriesSettings.class, "seriesSize", settings.seriesSize(),
						"must be that of the key space, which is " + keySpace);
			}

		};
	}

	@Override
	public List<Series> sources() {
		return this.sources;
	}

	@Override
	public void refresh(Deadline deadline) {
		SlotListing found = begun(this.store.list(this.keySpaceName, deadline));
		this.listing = found;
		this.remaining.set(untouched(found) + found.slots().stream().mapToLong(this::left).sum());
	}

	/**
	 * Leave out what was begun after the number of the next one was read: it counts as
	 * untouched.
	 */
	private static SlotListing begun(SlotListing found) {
		return new SlotListing(found.next(),
				found.slots().stream().filter((stored) -> stored.slot().number() < found.next()).toList());
	}

	/**
	 * Take note of ordinals that were reserved since the store was last asked.
	 */
	void reserved(long count) {
		this.remaining.updateAndGet((known) -> Math.max(0, known - count));
	}

	private long untouched(SlotListing found) {
		return this.keySpace.capacity() - this.space.start(Math.min(found.next(), this.space.count()));
	}

	private long left(StoredSlot stored) {
		return isOurs(stored) ? stored.slot().end() - stored.slot().position() : 0;
	}

	/**
	 * Return whether a series lies within the bound that this instance knows.
	 */
	private boolean isOurs(StoredSlot stored) {
		return stored.slot().end() <= this.keySpace.capacity();
	}

	@Override
	public long reserved() {
		return this.keySpace.capacity() - remaining();
	}

	long remaining() {
		return this.remaining.get();
	}

	@Override
	public boolean isReserved(long ordinal) {
		long number = this.space.number(ordinal);
		SlotListing known = this.listing;
		return number < known.next() && known.slots()
			.stream()
			.noneMatch((stored) -> stored.slot().number() == number && stored.slot().position() <= ordinal);
	}

	@Override
	public SeriesSnapshot series() {
		SlotListing known = this.listing;
		Set<@Nullable String> own = this.sources.stream().map(Series::ownerId).collect(Collectors.toSet());
		List<SeriesSnapshot.Series> series = new ArrayList<>();
		long held = 0;
		long abandoned = 0;
		for (StoredSlot stored : known.slots().stream().filter(this::isOurs).toList()) {
			Slot slot = stored.slot();
			series.add(new SeriesSnapshot.Series(slot.number(), this.keySpace.key(slot.position()),
					this.keySpace.key(slot.end() - 1), stored.live(), own.contains(stored.owner()), stored.leaseAge()));
			held += stored.live() ? left(stored) : 0;
			abandoned += stored.live() ? 0 : left(stored);
		}
		return new SeriesSnapshot(series, held, abandoned, untouched(known));
	}

	/**
	 * How a generator uses series.
	 *
	 * @param seriesSize how many keys a series has
	 * @param seriesPerInstance over how many series the threads of this instance are
	 * spread, from 1 to 1,000
	 * @param lease how long after a writer was last heard of its series may be taken over
	 * @param listener is told when series change hands
	 */
	public record SeriesSettings(long seriesSize, int seriesPerInstance, Duration lease, SlotListener listener) {

		/**
		 * Create settings.
		 * @throws IllegalArgumentException if a value is out of range; the message names
		 * it
		 */
		public SeriesSettings {
			InvalidSettingException.require(seriesSize >= 1, SeriesSettings.class, "seriesSize", seriesSize,
					"must be at least 1");
			InvalidSettingException.requireRange(SeriesSettings.class, "seriesPerInstance", seriesPerInstance, 1,
					1_000);
			SlotOwner.verifyLease(SeriesSettings.class, lease);
		}

	}

}
