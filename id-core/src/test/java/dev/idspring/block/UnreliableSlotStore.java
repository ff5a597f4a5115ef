package dev.idspring.block;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A slot store that can be unavailable, lose answers, and go backwards.
 */
public class UnreliableSlotStore implements SlotStore {

	private final SlotStore delegate;

	private volatile @Nullable Runnable whileDown;

	private volatile boolean loseAnswers;

	private volatile @Nullable Long unreleasableSlot;

	private volatile long firstSlotGoesBackBy;

	private volatile long readPositionsGoBackBy;

	public UnreliableSlotStore(SlotStore delegate) {
		this.delegate = delegate;
	}

	/**
	 * From now on, let all calls except {@link #skip} fail.
	 * @param beforeFailure called before a call fails, for example to let time pass
	 */
	public void goDown(Runnable beforeFailure) {
		this.whileDown = beforeFailure;
	}

	/**
	 * Let calls succeed again.
	 */
	public void comeBack() {
		this.whileDown = null;
	}

	/**
	 * Set whether answers are lost: slots are advanced and renewed, but the caller gets
	 * an exception.
	 */
	public void loseAnswers(boolean loseAnswers) {
		this.loseAnswers = loseAnswers;
	}

	/**
	 * From now on, fail to release the given slot.
	 */
	public void failReleaseOf(long number) {
		this.unreleasableSlot = number;
	}

	/**
	 * When slot 0 is advanced or renewed, return it at a position before the one that its
	 * owner knows.
	 */
	public void firstSlotGoesBackBy(long positions) {
		this.firstSlotGoesBackBy = positions;
	}

	/**
	 * When a slot is read, return it at a position before the stored one.
	 */
	public void readPositionsGoBackBy(long positions) {
		this.readPositionsGoBackBy = positions;
	}

	protected final <T> T callIfUp(Supplier<T> work) {
		Runnable whileDown = this.whileDown;
		if (whileDown != null) {
			whileDown.run();
			throw new IdStoreUnavailableException("injected: the store is down");
		}
		return work.get();
	}

	protected final StoredSlot answerTo(StoredSlot stored, Slot requested) {
		if (this.loseAnswers) {
			throw new IdStoreUnavailableException("injected: the answer is lost");
		}
		long back = (requested.number() == 0) ? this.firstSlotGoesBackBy : 0;
		return (back == 0) ? stored : at(stored, requested.position() - back);
	}

	private static StoredSlot at(StoredSlot stored, long position) {
		return new StoredSlot(stored.slot().at(position), stored.owner(), stored.token(), stored.leasedAt(),
				stored.leaseUntil(), stored.readAt());
	}

	@Override
	public Instant time(Deadline deadline) {
		return callIfUp(() -> this.delegate.time(deadline));
	}

	@Override
	public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
		return callIfUp(() -> this.delegate.claim(keySpace, space, owner, deadline));
	}

	@Override
	public StoredSlot claim(String keySpace, long number, SlotSpace space, SlotOwner owner, Deadline deadline) {
		return callIfUp(() -> this.delegate.claim(keySpace, number, space, owner, deadline));
	}

	@Override
	public StoredSlot advance(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, long position,
			Deadline deadline) {
		return callIfUp(() -> answerTo(this.delegate.advance(keySpace, space, slot, owner, position, deadline), slot));
	}

	@Override
	public StoredSlot renew(String keySpace, SlotSpace space, Slot slot, SlotOwner owner, Deadline deadline) {
		return callIfUp(() -> answerTo(this.delegate.renew(keySpace, space, slot, owner, deadline), slot));
	}

	@Override
	public boolean release(String keySpace, Slot slot, SlotOwner owner, long position, Deadline deadline) {
		if (Long.valueOf(slot.number()).equals(this.unreleasableSlot)) {
			throw new IdStoreUnavailableException("injected: not released");
		}
		return callIfUp(() -> this.delegate.release(keySpace, slot, owner, position, deadline));
	}

	@Override
	public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
		return callIfUp(() -> this.delegate.read(keySpace, number, deadline)
			.map((stored) -> at(stored, stored.slot().position() - this.readPositionsGoBackBy)));
	}

	@Override
	public SlotListing list(String keySpace, Deadline deadline) {
		return callIfUp(() -> this.delegate.list(keySpace, deadline));
	}

	@Override
	public void skip(String keySpace, long positions, long slots, Deadline deadline) {
		this.delegate.skip(keySpace, positions, slots, deadline);
	}

}
