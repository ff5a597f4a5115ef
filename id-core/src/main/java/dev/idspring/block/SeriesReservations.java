package dev.idspring.block;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.Listeners;
import dev.idspring.monitor.SeriesSnapshot;
import dev.idspring.store.Slot;
import dev.idspring.store.SlotListing;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoredSlot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ordinals from series, each of which belongs to one writer at a time.
 */
final class SeriesReservations implements Reservations {

	private final String keySpaceName;

	private final KeySpace keySpace;

	private final SeriesSpace space;

	private final SlotStore store;

	private final List<Series> sources;

	private final AtomicLong remaining;

	private volatile SlotListing listing = new SlotListing(0, List.of());

	SeriesReservations(String generator, OpenedKeySpace opened, long seriesSize, SeriesSettings settings,
			SlotStore store, Listeners listeners) {
		this.keySpaceName = opened.stored().name();
		this.keySpace = opened.keySpace();
		this.space = new SeriesSpace(seriesSize, this.keySpace.capacity());
		this.store = store;
		this.remaining = new AtomicLong(this.keySpace.capacity());
		this.sources = IntStream.range(0, settings.perInstance())
			.mapToObj((i) -> new Series(this, generator, this.keySpaceName, this.space, store, listeners,
					SlotOwner.random(settings.lease())))
			.toList();
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

}
