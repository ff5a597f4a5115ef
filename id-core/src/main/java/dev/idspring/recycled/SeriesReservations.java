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
 * Reserves ordinals (positions of ids in their key space) from series. A series is a
 * range of {@code seriesSize} consecutive ordinals. Only one owner at a time reserves
 * from a series. A {@link SlotStore} stores each series as a slot. The position of the
 * slot is the first ordinal that is not reserved.
 */
public final class SeriesReservations implements Reservations, SlotSpace {

	/** How many used-up series are remembered, so that they can be checked later. */
	private static final int MAX_USED_UP_REMEMBERED = 32;

	private final String generator;

	/** The name of the key space. */
	private final String name;

	private final KeySpace keySpace;

	private final long seriesSize;

	private final SlotStore store;

	private final Listeners listeners;

	private final List<SeriesSource> sources;

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
		this.sources = Stream.generate(() -> new SeriesSource(SlotOwner.random(settings.lease())))
			.limit(settings.perInstance())
			.toList();
	}

	@Override
	public List<SeriesSource> sources() {
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
		SlotListing found = callStore(() -> this.store.list(this.name, deadline));
		// ignore series that were started after the store read the number of the next new
		// series, because neverClaimed counts their ordinals
		List<StoredSlot> startedSeries = found.slots()
			.stream()
			.filter((stored) -> stored.slot().number() < found.next())
			.toList();
		this.listing = new SlotListing(found.next(), startedSeries);
		this.remaining.set(neverClaimed(found) + startedSeries.stream().mapToLong(this::remainingOf).sum());
	}

	private <T> T callStore(Supplier<T> call) {
		try {
			return call.get();
		}
		catch (KeySpaceRegressionException ex) {
			throw new KeySpaceRegressionException(ex.getMessage() + " " + RecoveryInstructions
				.skipSeriesAhead(this.name, RecoveryInstructions.UNKNOWN, RecoveryInstructions.UNKNOWN), ex);
		}
	}

	/** On the first call, notify listeners if the lease causes too many renewals. */
	private void verifyLease(Duration lease) {
		if (!this.leaseVerified) {
			this.leaseVerified = true;
			this.listeners.verifyLease(this.listing.slots().stream().filter(StoredSlot::isLeased).count(), lease);
		}
	}

	/**
	 * Subtract the ordinals that this instance has just reserved, because
	 * {@link #remaining} is read from the store only from time to time.
	 */
	private void subtractReserved(long count) {
		this.remaining.updateAndGet((known) -> Math.max(0, known - count));
	}

	private long neverClaimed(SlotListing found) {
		return this.keySpace.capacity() - start(Math.min(found.next(), count()));
	}

	private long remainingOf(StoredSlot stored) {
		return isWithinBound(stored) ? stored.slot().end() - stored.slot().position() : 0;
	}

	// another instance may be configured with a higher capacity, and may have started
	// series above the capacity of this instance
	private boolean isWithinBound(StoredSlot stored) {
		return stored.slot().end() <= this.keySpace.capacity();
	}

	@Override
	public long reserved() {
		return this.keySpace.capacity() - this.remaining.get();
	}

	@Override
	public boolean isReserved(long ordinal) {
		long number = number(ordinal);
		SlotListing knownListing = this.listing;
		return number < knownListing.next() && knownListing.slots()
			.stream()
			.noneMatch((stored) -> stored.slot().number() == number && stored.slot().position() <= ordinal);
	}

	@Override
	public SeriesSnapshot series() {
		SlotListing knownListing = this.listing;
		Set<@Nullable String> ownIds = this.sources.stream()
			.map((source) -> source.owner.id())
			.collect(Collectors.toSet());
		List<SeriesSnapshot.Series> series = new ArrayList<>();
		long held = 0;
		long abandoned = 0;
		for (StoredSlot stored : knownListing.slots().stream().filter(this::isWithinBound).toList()) {
			Slot slot = stored.slot();
			series.add(new SeriesSnapshot.Series(slot.number(), this.keySpace.key(slot.position()),
					this.keySpace.key(slot.end() - 1), stored.isLeased(), ownIds.contains(stored.owner()),
					stored.leaseAge()));
			held += stored.isLeased() ? remainingOf(stored) : 0;
			abandoned += stored.isLeased() ? 0 : remainingOf(stored);
		}
		return new SeriesSnapshot(series, held, abandoned, neverClaimed(knownListing));
	}

	/**
	 * Reserves from one series after another. Each reservation returns a range of
	 * ordinals, called a window. A source without a series claims an abandoned series
	 * (released, or with an expired lease). Of several, it claims the one with the lowest
	 * position. If there is none, it claims a new series.
	 * <p>
	 * A crash loses the ordinals in memory, and those of a reservation that is under way.
	 * A reservation therefore refills memory only to the size of one block. It requests
	 * more for a bulk call, or if a reserve for outages is configured.
	 * <p>
	 * Any thread may call {@link #remaining()} and {@link #renewalInterval()}. Only the
	 * engine's thread that accesses the store may call the other methods.
	 */
	final class SeriesSource implements BlockSource {

		// Why no ordinal is issued twice:
		//
		// 1. A window is handed out only after SlotStore.advance() has set the position
		// of the series to the end of the window. The store advances the position only if
		// this source still owns the series, and if the position is the start of the
		// window.
		//
		// 2. The next owner of a series begins at the position of the series. The
		// ordinals in the memory of this instance are below that position, so this
		// instance may still hand them out, however late. At its next advance, this
		// source finds that the series has another owner, and claims another series.
		//
		// 3. If the result of an advance is unknown, its window is not handed out. If the
		// advance has succeeded nevertheless, the next window begins at the higher
		// position in the store.
		//
		// 4. Each advance writes a token to the series. If a clone of this process has
		// advanced the series, the token does not belong to this source (see SlotOwner).
		// The source then becomes a new owner, and claims another series.
		//
		// 5. If a series is below its known position, or is missing, the store has
		// returned to an earlier state. Every advance and renewal checks the series for
		// that. Before the source reserves from another series, it checks the previous
		// one. After it loses a series, it also checks the used-up series that it
		// remembers. If a used-up series has another owner, the store has returned to an
		// earlier state, too: it lost the last reservations from that series, so another
		// instance claimed the series and used it up a second time.
		//
		// 6. No instance claims a used-up series (see Slot.isUsedUp). This source
		// therefore still owns the series that it has used up, and can give back unused
		// ordinals at the end of such a series.

		/** Replaced if a clone of this process is detected or the memory is dropped. */
		private volatile SlotOwner owner;

		/**
		 * The series that this source owns and can reserve from, or {@code null} if there
		 * is none.
		 */
		private volatile @Nullable Slot currentSeries;

		/** The latest series of this source, as the store last confirmed it. */
		private @Nullable StoredSlot lastSeries;

		/**
		 * The last used-up series of this source, at most
		 * {@link SeriesReservations#MAX_USED_UP_REMEMBERED}, oldest first.
		 */
		private final Deque<StoredSlot> usedUpSeries = new ArrayDeque<>();

		/**
		 * Whether this source has lost a series since it last checked the used-up series.
		 */
		private boolean seriesLost;

		private SeriesSource(SlotOwner owner) {
			this.owner = owner;
		}

		@Override
		public OrdinalRange reserve(long count, Deadline deadline) {
			while (true) {
				Slot ownedSlot = this.currentSeries;
				Slot slot = (ownedSlot != null) ? ownedSlot : claim(deadline);
				if (slot == null) {
					return new OrdinalRange(0, 0);
				}
				long end = slot.position() + Math.min(count, slot.end() - slot.position());
				StoredSlot stored = callStore(() -> SeriesReservations.this.store.advance(SeriesReservations.this.name,
						SeriesReservations.this, slot, this.owner, end, deadline));
				if (updateIfOwned(slot, stored, end)) {
					subtractReserved(end - slot.position());
					return new OrdinalRange(slot.position(), end);
				}
				if (this.owner.owns(stored) && stored.slot().position() == slot.position()) {
					throw new IdStoreUnavailableException("The store did not advance series " + slot.number()
							+ " of key space '" + SeriesReservations.this.name + "', although this instance owns it.");
				}
			}
		}

		private @Nullable Slot claim(Deadline deadline) {
			Optional<Slot> claimedSlot = callStore(() -> SeriesReservations.this.store
				.claim(SeriesReservations.this.name, SeriesReservations.this, this.owner, deadline))
				.map(StoredSlot::slot);
			verifyPreviousSeries(deadline);
			claimedSlot.ifPresent((slot) -> {
				this.currentSeries = slot;
				SeriesReservations.this.listeners
					.notifyListeners((listener, generator) -> listener.claimed(generator, slot.number()));
			});
			refresh(deadline);
			verifyLease(this.owner.lease());
			return claimedSlot.orElse(null);
		}

		/**
		 * Verify that the store has not returned to an earlier state, in which it could
		 * offer ordinals that are already used. This method checks the previous series of
		 * this source and, if the source has lost a series, also the used-up ones. Call
		 * it only after a claim or a renewal, because the first of these after a
		 * fail-over makes the store advance all series. Before that, the previous series
		 * may be below its known position, although the store will advance it far enough.
		 */
		private void verifyPreviousSeries(Deadline deadline) {
			StoredSlot lastSeries = this.lastSeries;
			if (lastSeries != null) {
				StoredSlot stored = read(lastSeries, deadline);
				this.seriesLost |= !isSameOwner(lastSeries, stored);
				this.lastSeries = isSkippedByStore(stored) ? null : lastSeries;
			}
			if (this.seriesLost) {
				this.usedUpSeries.removeIf((slot) -> isSkippedByStore(verifyUsedUp(slot, deadline)));
				this.seriesLost = false;
			}
		}

		private static boolean isSameOwner(StoredSlot known, StoredSlot stored) {
			return Objects.equals(known.owner(), stored.owner());
		}

		private StoredSlot read(StoredSlot known, Deadline deadline) {
			SlotStore store = SeriesReservations.this.store;
			String name = SeriesReservations.this.name;
			long number = known.slot().number();
			StoredSlot stored = callStore(() -> store.read(name, number, deadline)
				.filter((slot) -> slot.slot().position() >= known.slot().position() && isSameOwner(known, slot))
				// a replica that lags behind may have answered
				.or(() -> store.readCurrent(name, number, deadline))).orElse(null);
			return requireNotBehind(known.slot(), stored);
		}

		private StoredSlot verifyUsedUp(StoredSlot known, Deadline deadline) {
			StoredSlot stored = read(known, deadline);
			if (stored.owner() != null && !isSameOwner(known, stored)) {
				throw wentBackwards(known.slot(), "belongs to another instance, which has used it up again");
			}
			return stored;
		}

		/**
		 * Return whether the store has skipped a series to its end, so that no instance
		 * can own it. A store does this when it may have lost data. Such a series is not
		 * checked again, because the store may no longer know it after another fail-over.
		 */
		private static boolean isSkippedByStore(StoredSlot stored) {
			return stored.owner() == null && stored.slot().isUsedUp();
		}

		/**
		 * Record the state of a series that the store returned.
		 * @return {@code true} if this source owns the series, and the latest attempt of
		 * this source has left the series at {@code position}
		 */
		private boolean updateIfOwned(Slot slot, StoredSlot stored, long position) {
			this.currentSeries = null;
			requireNotBehind(slot, stored);
			if (!this.owner.owns(stored)) {
				this.seriesLost = true;
				if (this.owner.isCloned(stored)) {
					this.owner = this.owner.successor();
					SeriesReservations.this.listeners
						.notifyListeners((listener, generator) -> listener.cloned(generator, slot.number()));
				}
				else {
					SeriesReservations.this.listeners
						.notifyListeners((listener, generator) -> listener.lost(generator, slot.number()));
				}
				return false;
			}
			this.lastSeries = stored;
			if (stored.slot().isUsedUp()) {
				this.usedUpSeries.add(stored);
				if (this.usedUpSeries.size() > MAX_USED_UP_REMEMBERED) {
					this.usedUpSeries.remove();
				}
			}
			this.currentSeries = stored.slot().isUsedUp() ? null : stored.slot();
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

		private KeySpaceRegressionException wentBackwards(Slot known, String problem) {
			return new KeySpaceRegressionException("The store of key space '" + SeriesReservations.this.name
					+ "' went backwards: series " + known.number() + " " + problem
					+ ", although it had already reached " + known.position() + " for generator '"
					+ SeriesReservations.this.generator + "'. " + RecoveryInstructions.skipSeriesAhead(
							SeriesReservations.this.name, RecoveryInstructions.UNKNOWN, RecoveryInstructions.UNKNOWN));
		}

		@Override
		public Duration renewalInterval() {
			return this.owner.lease().dividedBy(3);
		}

		@Override
		public void renew(Deadline deadline) {
			Slot slot = this.currentSeries;
			if (slot != null) {
				updateIfOwned(slot, callStore(() -> SeriesReservations.this.store.renew(SeriesReservations.this.name,
						SeriesReservations.this, slot, this.owner, deadline)), slot.position());
				if (this.seriesLost) {
					verifyPreviousSeries(deadline);
				}
			}
		}

		@Override
		public void dropMemory() {
			this.currentSeries = null;
			this.owner = this.owner.successor();
		}

		/**
		 * Release the current series, and those of the unused ordinals. If unused
		 * ordinals end at the position of a series, the position is set back to the start
		 * of these ordinals. A series that has another owner by now does not change.
		 */
		@Override
		public long giveBack(List<OrdinalRange> unused, Deadline deadline) {
			Map<Long, Slot> owned = new HashMap<>();
			List<OrdinalRange> descending = new ArrayList<>(unused);
			descending.sort(Comparator.comparingLong(OrdinalRange::end).reversed());
			for (OrdinalRange range : descending) {
				long number = number(range.start());
				owned.putIfAbsent(number, new Slot(number, range.end(), end(number)));
			}
			Slot currentSeries = this.currentSeries;
			if (currentSeries != null) {
				owned.put(currentSeries.number(), currentSeries);
			}
			long givenBackCount = 0;
			RuntimeException failure = null;
			for (Slot slot : owned.values()) {
				long position = startOfUnused(slot, descending);
				try {
					if (SeriesReservations.this.store.release(SeriesReservations.this.name, slot, this.owner, position,
							deadline)) {
						givenBackCount += slot.position() - position;
					}
				}
				catch (RuntimeException ex) {
					// continue with the other series
					failure = ex;
				}
			}
			if (failure != null) {
				throw failure;
			}
			return givenBackCount;
		}

		/**
		 * Return the start of the unused ordinals that reach, without a gap, up to the
		 * position of a series. Unused ordinals of the previous series do not count, even
		 * if they end where this series starts.
		 */
		private long startOfUnused(Slot slot, List<OrdinalRange> descending) {
			long position = slot.position();
			for (OrdinalRange range : descending) {
				boolean isContiguous = range.end() == position && number(range.start()) == slot.number();
				position = isContiguous ? range.start() : position;
			}
			return position;
		}

		@Override
		public long remaining() {
			Slot slot = this.currentSeries;
			// the known total may be outdated, and smaller than what is left in the
			// current series
			return Math.max(SeriesReservations.this.remaining.get(), (slot != null) ? slot.end() - slot.position() : 0);
		}

		@Override
		public boolean isUsedUp() {
			// other instances may have released series since the known total was read
			return false;
		}

		@Override
		public long nextCount(long size, long inMemory) {
			return (inMemory < size) ? size - inMemory : size;
		}

	}

}
