package dev.idspring.block;

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
import java.util.function.Supplier;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.OrdinalRange;
import dev.idspring.monitor.Listeners;
import dev.idspring.store.Slot;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoredSlot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Reserves windows of one series after the other. The strategy {@code recycled}, after
 * the scheme that was published for insert-heavy tables: a writer takes up the abandoned
 * series with the lowest next key, else begins a new one.
 * <p>
 * Why no ordinal comes twice:
 * <ol>
 * <li>A window is handed out only after {@link SlotStore#advance} moved the position of
 * the series beyond it, under the condition that we still owned the series and it stood
 * where our last window ended.</li>
 * <li>The next owner of a series begins at its position. What we have in memory lies
 * below, so we may finish that, however late, and nothing more: the next advance finds
 * that the series is not ours, and we claim another.</li>
 * <li>If it is not known whether an advance succeeded, its window is not handed out. If
 * it did, the series stands further on than we know, and we go on from there.</li>
 * <li>If a clone of this process moved the series, it has a token that is not ours
 * ({@link SlotOwner}). Then we become another owner, which claims another series.</li>
 * <li>A series that stands below where we left it, or has vanished, means that the store
 * went backwards. That is looked for at every advance and renewal, and before anything is
 * reserved from another series: then the last one is looked at, and after a loss, of
 * which a store that lacks something may be the reason, those as well that were used up
 * before. These have no other owner either, unless the store had lost their end, and
 * another instance has used them up once more.</li>
 * <li>A series that is used up is never adopted ({@link Slot#isUsedUp}), so it stays ours
 * until it is known whether all of its last window was used.</li>
 * </ol>
 * Windows are topped up rather than lined up: at no time are there more ordinals in
 * memory than one window has, or as many more as a reserve for outages asks for. That is
 * what a crash loses at most.
 * <p>
 * Only used by the supply thread of the server it belongs to, but for
 * {@link #remaining()}, which reads what that thread writes.
 */
final class Series implements BlockSource {

	/** How many series are looked at that were used up. */
	private static final int REMEMBERED = 32;

	private final SeriesReservations reservations;

	private final String generator;

	private final String keySpace;

	private final SeriesSpace space;

	private final SlotStore store;

	private final Listeners listeners;

	/** Replaced when a clone of this process is found, or memory is dropped. */
	private volatile SlotOwner owner;

	/** What we own and can reserve from. */
	private volatile @Nullable Slot current;

	/** What was last confirmed to us. */
	private @Nullable StoredSlot last;

	/** The latest that we have used up, the last one at the end. */
	private final Deque<StoredSlot> usedUp = new ArrayDeque<>();

	/** Whether a series was lost since those that are used up were looked at. */
	private boolean lost;

	Series(SeriesReservations reservations, String generator, String keySpace, SeriesSpace space, SlotStore store,
			Listeners listeners, SlotOwner owner) {
		this.reservations = reservations;
		this.generator = generator;
		this.keySpace = keySpace;
		this.space = space;
		this.store = store;
		this.listeners = listeners;
		this.owner = owner;
	}

	String ownerId() {
		return this.owner.id();
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
			StoredSlot stored = asked(
					() -> this.store.advance(this.keySpace, this.space, slot, this.owner, end, deadline));
			if (keep(slot, stored, end)) {
				this.reservations.reserved(end - slot.position());
				return new OrdinalRange(slot.position(), end);
			}
			if (this.owner.owns(stored) && stored.slot().position() == slot.position()) {
				throw new IdStoreUnavailableException("The store did not move series " + slot.number()
						+ " of key space '" + this.keySpace + "', although this instance owns it.");
			}
		}
	}

	private <T> T asked(Supplier<T> question) {
		try {
			return question.get();
		}
		catch (KeySpaceRegressionException ex) {
			throw new KeySpaceRegressionException(
					ex.getMessage() + " " + RecoveryInstructions.skipSeriesAhead(this.keySpace), ex);
		}
	}

	private @Nullable Slot claim(Deadline deadline) {
		Optional<Slot> claimed = asked(() -> this.store.claim(this.keySpace, this.space, this.owner, deadline))
			.map(StoredSlot::slot);
		verifyKnown(deadline);
		claimed.ifPresent((slot) -> {
			this.current = slot;
			this.listeners.tell((listener, name) -> listener.claimed(name, slot.number()));
		});
		asked(() -> {
			this.reservations.refresh(deadline);
			return true;
		});
		return claimed.orElse(null);
	}

	/**
	 * Look at the series we had before: when the store went backwards, we may have been
	 * offered what we have used up. A store that has lost something makes up for it when
	 * a series is claimed, so that comes first.
	 */
	private void verifyKnown(Deadline deadline) {
		StoredSlot last = this.last;
		if (last != null) {
			StoredSlot stored = read(last.slot(), deadline);
			this.lost |= !isSameOwner(last, stored);
			this.last = isPassedOver(stored) ? null : last;
		}
		if (this.lost) {
			this.usedUp.removeIf((slot) -> isPassedOver(verifyUsedUp(slot, deadline)));
			this.lost = false;
		}
	}

	private static boolean isSameOwner(StoredSlot known, StoredSlot stored) {
		return Objects.equals(known.owner(), stored.owner());
	}

	private StoredSlot read(Slot known, Deadline deadline) {
		return notBelow(known, this.store.read(this.keySpace, known.number(), deadline).orElse(null));
	}

	private StoredSlot verifyUsedUp(StoredSlot known, Deadline deadline) {
		StoredSlot stored = read(known.slot(), deadline);
		if (stored.owner() != null && !isSameOwner(known, stored)) {
			throw wentBackwards(known.slot(), "belongs to another instance");
		}
		return stored;
	}

	/**
	 * Return whether a series is used up and has no owner, as the store passes over what
	 * it may have lost: no instance gets it. After another loss nothing might be known of
	 * it.
	 */
	private static boolean isPassedOver(StoredSlot stored) {
		return stored.owner() == null && stored.slot().isUsedUp();
	}

	/**
	 * Remember what the store says of our slot.
	 * @return whether it is ours and the latest attempt has moved it where we want it
	 */
	private boolean keep(Slot slot, StoredSlot stored, long position) {
		this.current = null;
		notBelow(slot, stored);
		if (!this.owner.owns(stored)) {
			this.lost = true;
			if (this.owner.isCloned(stored)) {
				this.owner = SlotOwner.random(this.owner.lease());
				this.listeners.tell((listener, name) -> listener.cloned(name, slot.number()));
			}
			else {
				this.listeners.tell((listener, name) -> listener.lost(name, slot.number()));
			}
			return false;
		}
		this.last = stored;
		if (stored.slot().isUsedUp()) {
			this.usedUp.add(stored);
			if (this.usedUp.size() > REMEMBERED) {
				this.usedUp.remove();
			}
		}
		this.current = stored.slot().isUsedUp() ? null : stored.slot();
		return stored.slot().position() == position && this.owner.isLatest(stored);
	}

	private StoredSlot notBelow(Slot known, @Nullable StoredSlot stored) {
		if (stored == null) {
			throw wentBackwards(known, "has vanished");
		}
		if (stored.slot().position() < known.position()) {
			throw wentBackwards(known, "stands at ordinal " + stored.slot().position());
		}
		return stored;
	}

	private KeySpaceRegressionException wentBackwards(Slot known, String found) {
		return new KeySpaceRegressionException("The store of key space '" + this.keySpace + "' went backwards: series "
				+ known.number() + " " + found + ", but " + known.position() + " was confirmed to generator '"
				+ this.generator + "' before. " + RecoveryInstructions.skipSeriesAhead(this.keySpace));
	}

	@Override
	public Duration renewalInterval() {
		return this.owner.lease().dividedBy(3);
	}

	@Override
	public void renew(Deadline deadline) {
		Slot slot = this.current;
		if (slot != null) {
			keep(slot, asked(() -> this.store.renew(this.keySpace, this.space, slot, this.owner, deadline)),
					slot.position());
			if (this.lost) {
				verifyKnown(deadline);
			}
		}
	}

	/**
	 * Forget the series that we own, without giving anything back: another process may
	 * have the same memory.
	 */
	@Override
	public void dropMemory() {
		this.current = null;
		this.owner = SlotOwner.random(this.owner.lease());
	}

	/**
	 * Leave every series that we still own at the exact position up to which it was used.
	 * Should one of them not be ours any more, nothing changes.
	 */
	@Override
	public long giveBack(List<OrdinalRange> unused, Deadline deadline) {
		Map<Long, Slot> held = new HashMap<>();
		List<OrdinalRange> descending = new ArrayList<>(unused);
		descending.sort(Comparator.comparingLong(OrdinalRange::end).reversed());
		for (OrdinalRange range : descending) {
			long number = this.space.number(range.start());
			held.putIfAbsent(number, new Slot(number, range.end(), this.space.end(number)));
		}
		Slot current = this.current;
		if (current != null) {
			held.put(current.number(), current);
		}
		long free = 0;
		RuntimeException failure = null;
		for (Slot slot : held.values()) {
			long position = usedUpTo(slot, descending);
			try {
				if (this.store.release(this.keySpace, slot, this.owner, position, deadline)) {
					free += slot.position() - position;
				}
			}
			catch (RuntimeException ex) {
				// the others may be left all the same
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
		return free;
	}

	/**
	 * Return where the unused ordinals of a series begin that reach up to its position
	 * without a gap. The end of the series before is the same number, but not ours to
	 * give.
	 */
	private long usedUpTo(Slot slot, List<OrdinalRange> descending) {
		long position = slot.position();
		for (OrdinalRange range : descending) {
			boolean continues = range.end() == position && this.space.number(range.start()) == slot.number();
			position = continues ? range.start() : position;
		}
		return position;
	}

	@Override
	public long remaining() {
		Slot slot = this.current;
		// what is known of the whole may be behind what is known of our own
		return Math.max(this.reservations.remaining(), (slot != null) ? slot.end() - slot.position() : 0);
	}

	@Override
	public long next(long size, long inMemory) {
		return (inMemory < size) ? size - inMemory : size;
	}

}
