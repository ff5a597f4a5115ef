package dev.idspring.recycled;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.GeneratorSnapshot.SeriesSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.store.BlockSource;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.Reservations;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ordinals from series. A series belongs to one writer at a time. Series s
 * begins at the ordinal {@code s * seriesSize}.
 */
public final class SeriesReservations implements Reservations, SlotSpace {

	/** How many used-up series are remembered and checked. */
	private static final int MAX_USED_UP_REMEMBERED = 32;

	private final String generator;

	/** The name of the key space. */
	private final String name;

	private final KeySpace keySpace;

	private final long seriesSize;

	private final SlotStore store;

	private final Listeners listeners;

	private final List<Series> sources;

	private final AtomicLong remaining;

	private volatile boolean leaseVerified;

	private volatile SlotListing listing = new SlotListing(0, List.of());

	public SeriesReservations(String generator, OpenedKeySpace opened, long seriesSize, SeriesSettings settings,
			SlotStore store, Listeners listeners) {
		this.generator = generator;
		this.name = opened.stored().name();
		this.keySpace = opened.keySpace();
		this.seriesSize = seriesSize;
		this.store = store;
		this.listeners = listeners;
		this.remaining = new AtomicLong(this.keySpace.capacity());
		this.sources = Stream.generate(() -> new Series(SlotOwner.random(settings.lease())))
			.limit(settings.perInstance())
			.toList();
	}

	@Override
	public List<Series> sources() {
		return this.sources;
	}

	@Override
	public long count() {
		return this.keySpace.capacity() / this.seriesSize;
	}

	@Override
	public long start(long number) {
		return number * this.seriesSize;
	}

	@Override
	public long end(long number) {
		return start(number) + this.seriesSize;
	}

	private long number(long ordinal) {
		return ordinal / this.seriesSize;
	}

	@Override
	public void refresh(Deadline deadline) {
		SlotListing found = this.store.list(this.name, deadline);
		// series begun after the number of the next one was read count as untouched
		List<StoredSlot> begun = found.slots().stream().filter((row) -> row.slot().number() < found.next()).toList();
		this.listing = new SlotListing(found.next(), begun);
		this.remaining.set(untouched(found) + begun.stream().mapToLong(this::remainingOf).sum());
	}

	private void verifyLease(Duration lease) {
		if (!this.leaseVerified) {
			this.leaseVerified = true;
			this.listeners.verifyLease(this.listing.slots().stream().filter(StoredSlot::live).count(), lease);
		}
	}

	/**
	 * Count ordinals that were reserved since the store was last read.
	 */
	private void countReserved(long count) {
		this.remaining.updateAndGet((known) -> Math.max(0, known - count));
	}

	private long untouched(SlotListing found) {
		return this.keySpace.capacity() - start(Math.min(found.next(), count()));
	}

	private long remainingOf(StoredSlot stored) {
		return isOurs(stored) ? stored.slot().end() - stored.slot().position() : 0;
	}

	// the bound of this instance may be lower
	private boolean isOurs(StoredSlot stored) {
		return stored.slot().end() <= this.keySpace.capacity();
	}

	@Override
	public long reserved() {
		return this.keySpace.capacity() - remaining();
	}

	private long remaining() {
		return this.remaining.get();
	}

	@Override
	public boolean isReserved(long ordinal) {
		long number = number(ordinal);
		SlotListing known = this.listing;
		return number < known.next() && known.slots()
			.stream()
			.noneMatch((stored) -> stored.slot().number() == number && stored.slot().position() <= ordinal);
	}

	@Override
	public SeriesSnapshot series() {
		SlotListing known = this.listing;
		Set<@Nullable String> own = this.sources.stream()
			.map((source) -> source.owner.id())
			.collect(Collectors.toSet());
		List<SeriesSnapshot.Series> series = new ArrayList<>();
		long held = 0;
		long abandoned = 0;
		for (StoredSlot stored : known.slots().stream().filter(this::isOurs).toList()) {
			Slot slot = stored.slot();
			series.add(new SeriesSnapshot.Series(slot.number(), this.keySpace.key(slot.position()),
					this.keySpace.key(slot.end() - 1), stored.live(), own.contains(stored.owner()), stored.leaseAge()));
			held += stored.live() ? remainingOf(stored) : 0;
			abandoned += stored.live() ? 0 : remainingOf(stored);
		}
		return new SeriesSnapshot(series, held, abandoned, untouched(known));
	}

	/**
	 * Reserves windows of one series after the other. This is the strategy
	 * {@code recycled}, as published for insert-heavy tables: a writer adopts the
	 * abandoned series with the lowest next key, or else begins a new one.
	 * <p>
	 * Why no ordinal is issued twice:
	 * <ol>
	 * <li>A window is handed out only after {@link SlotStore#advance} moved the series
	 * beyond it, on condition that we still own it and its position is the end of our
	 * last window.</li>
	 * <li>The next owner of a series begins at its position. The ordinals in our memory
	 * are below it, so we may finish them, however late, and nothing more. Our next
	 * advance finds that the series is not ours, and we claim another.</li>
	 * <li>If the result of an advance is unknown, its window is not handed out. If it had
	 * succeeded, the series is at a higher position than we know, and we continue from
	 * there.</li>
	 * <li>If a clone of this process moved the series, its token is not ours
	 * ({@link SlotOwner}). We then become a new owner and claim another series.</li>
	 * <li>A series below the position we know, or a missing series, means that the store
	 * went backwards. Every advance and renewal checks for that. Before we reserve from
	 * another series, we check the last one. After we lose a series, perhaps because the
	 * store lost data, we also check those we used up. They have no other owner either,
	 * unless the store lost their end and another instance used them up again.</li>
	 * <li>A used-up series is never adopted ({@link Slot#isUsedUp}), so it stays ours
	 * until we know whether all of its last window was used.</li>
	 * </ol>
	 * Windows are topped up: memory never holds more ordinals than one window, plus a
	 * reserve for outages if configured. A crash loses no more.
	 * <p>
	 * Only used by the worker of its server, except for {@link #remaining()}.
	 */
	final class Series implements BlockSource {

		/** Replaced when a clone of this process is detected, or memory is dropped. */
		private volatile SlotOwner owner;

		/** The series that we own and can reserve from. */
		private volatile @Nullable Slot current;

		/** Our series as the store last confirmed it. */
		private @Nullable StoredSlot last;

		/** The latest series that we have used up, the last one at the end. */
		private final Deque<StoredSlot> usedUp = new ArrayDeque<>();

		/** Whether a series was lost since the used-up ones were last checked. */
		private boolean lost;

		private Series(SlotOwner owner) {
			this.owner = owner;
		}

		@Override
		public OrdinalRange reserve(long count, Deadline deadline) {
			while (true) {
				Slot held = this.current;
				Slot slot = (held != null) ? held : claim(deadline);
				if (slot == null) {
					return new OrdinalRange(0, 0);
				}
				long end = slot.position() + Math.min(count, slot.end() - slot.position());
				StoredSlot stored = callStore(() -> SeriesReservations.this.store.advance(SeriesReservations.this.name,
						SeriesReservations.this, slot, this.owner, end, deadline));
				if (updateIfOwned(slot, stored, end)) {
					countReserved(end - slot.position());
					return new OrdinalRange(slot.position(), end);
				}
				if (this.owner.owns(stored) && stored.slot().position() == slot.position()) {
					throw new IdStoreUnavailableException("The store did not advance series " + slot.number()
							+ " of key space '" + SeriesReservations.this.name + "', although this instance owns it.");
				}
			}
		}

		private <T> T callStore(Supplier<T> question) {
			try {
				return question.get();
			}
			catch (KeySpaceRegressionException ex) {
				throw new KeySpaceRegressionException(ex.getMessage() + " " + RecoveryInstructions.skipSeriesAhead(
						SeriesReservations.this.name, RecoveryInstructions.UNKNOWN, RecoveryInstructions.UNKNOWN), ex);
			}
		}

		private @Nullable Slot claim(Deadline deadline) {
			Optional<Slot> claimed = callStore(() -> SeriesReservations.this.store.claim(SeriesReservations.this.name,
					SeriesReservations.this, this.owner, deadline))
				.map(StoredSlot::slot);
			verifyKnown(deadline);
			claimed.ifPresent((slot) -> {
				this.current = slot;
				SeriesReservations.this.listeners.inform((listener, name) -> listener.claimed(name, slot.number()));
			});
			callStore(() -> {
				SeriesReservations.this.refresh(deadline);
				return true;
			});
			SeriesReservations.this.verifyLease(this.owner.lease());
			return claimed.orElse(null);
		}

		/**
		 * Check the series we had before: if the store went backwards, it may have
		 * offered us ordinals that we have used up. A store that has lost data skips
		 * ahead when a series is claimed, so the claim comes first.
		 */
		private void verifyKnown(Deadline deadline) {
			StoredSlot last = this.last;
			if (last != null) {
				StoredSlot stored = read(last.slot(), deadline);
				this.lost |= !isSameOwner(last, stored);
				this.last = isSkippedByStore(stored) ? null : last;
			}
			if (this.lost) {
				this.usedUp.removeIf((slot) -> isSkippedByStore(verifyUsedUp(slot, deadline)));
				this.lost = false;
			}
		}

		private static boolean isSameOwner(StoredSlot known, StoredSlot stored) {
			return Objects.equals(known.owner(), stored.owner());
		}

		private StoredSlot read(Slot known, Deadline deadline) {
			return requireNotBehind(known,
					SeriesReservations.this.store.read(SeriesReservations.this.name, known.number(), deadline)
						.orElse(null));
		}

		private StoredSlot verifyUsedUp(StoredSlot known, Deadline deadline) {
			StoredSlot stored = read(known.slot(), deadline);
			if (stored.owner() != null && !isSameOwner(known, stored)) {
				throw wentBackwards(known.slot(), "belongs to another instance");
			}
			return stored;
		}

		/**
		 * Return whether the store skips a series for all instances, because it may have
		 * lost data. After another loss the store might not know the series at all.
		 */
		private static boolean isSkippedByStore(StoredSlot stored) {
			return stored.owner() == null && stored.slot().isUsedUp();
		}

		/**
		 * Remember our slot as the store returned it.
		 * @return whether it is ours and the latest attempt has moved it to that position
		 */
		private boolean updateIfOwned(Slot slot, StoredSlot stored, long position) {
			this.current = null;
			requireNotBehind(slot, stored);
			if (!this.owner.owns(stored)) {
				this.lost = true;
				if (this.owner.isCloned(stored)) {
					this.owner = this.owner.successor();
					SeriesReservations.this.listeners.inform((listener, name) -> listener.cloned(name, slot.number()));
				}
				else {
					SeriesReservations.this.listeners.inform((listener, name) -> listener.lost(name, slot.number()));
				}
				return false;
			}
			this.last = stored;
			if (stored.slot().isUsedUp()) {
				this.usedUp.add(stored);
				if (this.usedUp.size() > MAX_USED_UP_REMEMBERED) {
					this.usedUp.remove();
				}
			}
			this.current = stored.slot().isUsedUp() ? null : stored.slot();
			return stored.slot().position() == position && this.owner.isLatest(stored);
		}

		private StoredSlot requireNotBehind(Slot known, @Nullable StoredSlot stored) {
			if (stored == null) {
				throw wentBackwards(known, "has vanished");
			}
			if (stored.slot().position() < known.position()) {
				throw wentBackwards(known, "is at ordinal " + stored.slot().position());
			}
			return stored;
		}

		private KeySpaceRegressionException wentBackwards(Slot known, String found) {
			return new KeySpaceRegressionException("The store of key space '" + SeriesReservations.this.name
					+ "' went backwards: series " + known.number() + " " + found + ", but " + known.position()
					+ " was confirmed to generator '" + SeriesReservations.this.generator + "' before. "
					+ RecoveryInstructions.skipSeriesAhead(SeriesReservations.this.name, RecoveryInstructions.UNKNOWN,
							RecoveryInstructions.UNKNOWN));
		}

		@Override
		public Duration renewalInterval() {
			return this.owner.lease().dividedBy(3);
		}

		@Override
		public void renew(Deadline deadline) {
			Slot slot = this.current;
			if (slot != null) {
				updateIfOwned(slot, callStore(() -> SeriesReservations.this.store.renew(SeriesReservations.this.name,
						SeriesReservations.this, slot, this.owner, deadline)), slot.position());
				if (this.lost) {
					verifyKnown(deadline);
				}
			}
		}

		@Override
		public void dropMemory() {
			this.current = null;
			this.owner = this.owner.successor();
		}

		/**
		 * Release every series that we still own at the exact position up to which it was
		 * used. A series that is no longer ours does not change.
		 */
		@Override
		public long giveBack(List<OrdinalRange> unused, Deadline deadline) {
			Map<Long, Slot> held = new HashMap<>();
			List<OrdinalRange> descending = new ArrayList<>(unused);
			descending.sort(Comparator.comparingLong(OrdinalRange::end).reversed());
			for (OrdinalRange range : descending) {
				long number = number(range.start());
				held.putIfAbsent(number, new Slot(number, range.end(), end(number)));
			}
			Slot current = this.current;
			if (current != null) {
				held.put(current.number(), current);
			}
			long free = 0;
			RuntimeException failure = null;
			for (Slot slot : held.values()) {
				long position = startOfUnused(slot, descending);
				try {
					if (SeriesReservations.this.store.release(SeriesReservations.this.name, slot, this.owner, position,
							deadline)) {
						free += slot.position() - position;
					}
				}
				catch (RuntimeException ex) {
					// the others can still be released
					failure = ex;
				}
			}
			if (failure != null) {
				throw failure;
			}
			return free;
		}

		/**
		 * Return the start of the unused ordinals that reach up to the position of a
		 * series without a gap. Those of the previous series do not count, although they
		 * may end where this one starts.
		 */
		private long startOfUnused(Slot slot, List<OrdinalRange> descending) {
			long position = slot.position();
			for (OrdinalRange range : descending) {
				boolean continues = range.end() == position && number(range.start()) == slot.number();
				position = continues ? range.start() : position;
			}
			return position;
		}

		@Override
		public long remaining() {
			Slot slot = this.current;
			// the known total may be older than our own series
			return Math.max(SeriesReservations.this.remaining(), (slot != null) ? slot.end() - slot.position() : 0);
		}

		@Override
		public long next(long size, long inMemory) {
			return (inMemory < size) ? size - inMemory : size;
		}

	}

}
