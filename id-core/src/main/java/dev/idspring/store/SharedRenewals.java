package dev.idspring.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.store.SlotStore.Advance;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of all generators of a process in one transaction: the first that is
 * due takes the others along.
 * <p>
 * Why each renewal is safe, and no thread hangs:
 * <ol>
 * <li>A thread that works with the slot of a member holds its {@linkplain Member#turn
 * turn}. Only threads that talk to the store do, never callers of a generator.</li>
 * <li>The turns of others are tried, and not waited for. So no two threads wait for each
 * other, and who is busy renews by itself.</li>
 * <li>A turn is held until the deadline of one attempt at most, and no error leaves it
 * taken: nothing is allocated between taking it and remembering that.</li>
 * <li>Each slot is moved under its own condition, as if it were alone
 * ({@link SlotStore#advance}).</li>
 * <li>A member whose attempt failed makes the next one alone, and is not taken along
 * until one succeeds: so a locked row stops one member, not all.</li>
 * <li>A member learns of plain success only. In any other case it knows of an attempt
 * whose outcome is unknown, and goes on by itself when it is due.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class SharedRenewals {

	/** How often a lease is renewed before it would end. */
	private static final int RENEWALS = 3;

	private final Set<Member> members = ConcurrentHashMap.newKeySet();

	/**
	 * Have the lease of a member renewed with those of others.
	 * @param member the member, until it {@linkplain #leave leaves}
	 */
	public void join(Member member) {
		this.members.add(member);
	}

	/**
	 * Renew no lease of a member any more.
	 * @param member the member
	 */
	public void leave(Member member) {
		this.members.remove(member);
	}

	/**
	 * Move a slot, or renew its lease, and those of other members that are due soon.
	 * @param store remembers the slots
	 * @param member whose slot it is, and whose turn the calling thread holds
	 * @param own how the slot is to be
	 * @param deadline how long this may take
	 * @return the slot as it is afterwards
	 */
	public StoredSlot advance(SlotStore store, Member member, Advance own, Deadline deadline) {
		Member[] others = this.members.toArray(new Member[0]);
		int taken = 0;
		try {
			List<Offered> offered = new ArrayList<>();
			for (Member other : others) {
				if (other != member && !member.alone && !other.alone && other.turn.tryLock()) {
					others[taken++] = other;
					Advance advance = other.offer();
					if (advance != null) {
						offered.add(new Offered(other, advance));
					}
					else {
						others[--taken].turn.unlock();
					}
				}
			}
			// if this fails the next attempt is made alone, and does not hold up the
			// others
			member.alone = true;
			StoredSlot stored = offered.isEmpty() ? advanceAlone(store, own, deadline)
					: advance(store, new Offered(member, own), offered, deadline);
			member.alone = false;
			return stored;
		}
		finally {
			for (int i = 0; i < taken; i++) {
				others[i].turn.unlock();
			}
		}
	}

	private static StoredSlot advance(SlotStore store, Offered own, List<Offered> offered, Deadline deadline) {
		List<Offered> all = new ArrayList<>(offered);
		all.add(own);
		// two processes that share key spaces never wait for each other's rows in a
		// circle
		all.sort(Comparator.comparing((Offered one) -> one.advance.keySpace())
			.thenComparing((one) -> one.advance.slot().number()));
		List<StoredSlot> stored;
		try {
			stored = store.advanceAll(all.stream().map(Offered::advance).toList(), deadline);
		}
		catch (IdStoreUnavailableException ex) {
			throw ex;
		}
		catch (IdGenerationException ex) {
			// whose fault it is will be seen when each goes on by itself
			return advanceAlone(store, own.advance, deadline);
		}
		for (int i = 0; i < stored.size(); i++) {
			Offered one = all.get(i);
			if (one != own && one.isDone(stored.get(i))) {
				one.member.takenAlong = true;
				one.member.noteRenewal();
				one.member.renewed(stored.get(i));
			}
		}
		return stored.get(all.indexOf(own));
	}

	private static StoredSlot advanceAlone(SlotStore store, Advance advance, Deadline deadline) {
		return store.advanceAll(List.of(advance), deadline).get(0);
	}

	/**
	 * Has a lease that is renewed with others.
	 *
	 * @since 0.1.0
	 */
	public abstract static class Member {

		private final Lock turn = new ReentrantLock();

		private final TimeSource timeSource;

		/** Whether the last attempt failed, or is under way. */
		private volatile boolean alone;

		/** When the lease was last renewed. */
		private volatile long renewedAt;

		/** Whether another member has renewed it since. */
		private volatile boolean takenAlong;

		/**
		 * Create a member.
		 * @param timeSource tells how long ago the lease was renewed
		 */
		protected Member(TimeSource timeSource) {
			this.timeSource = timeSource;
		}

		/**
		 * Return the lock that a thread holds while it works with the slot.
		 * @return the turn
		 */
		protected final Lock turn() {
			return this.turn;
		}

		/**
		 * Return the lease by which renewals are planned.
		 * @return the lease
		 */
		protected abstract Duration settledLease();

		/**
		 * Note that the lease was renewed just now.
		 */
		protected final void noteRenewal() {
			this.renewedAt = this.timeSource.nanoTime();
		}

		/**
		 * Note that the member looks after its lease itself again.
		 */
		protected final void goAlone() {
			this.takenAlong = false;
		}

		/**
		 * Return how long ago the lease was renewed.
		 * @return the time since then
		 */
		protected final Duration sinceRenewal() {
			return Duration.ofNanos(this.timeSource.nanoTime() - this.renewedAt);
		}

		/**
		 * Return whether the lease was renewed less than half an interval ago.
		 * @return whether it was
		 */
		protected final boolean isFresh() {
			return sinceRenewal().multipliedBy(2 * RENEWALS).compareTo(settledLease()) < 0;
		}

		/**
		 * Return whether another member renewed the lease with its own not long ago.
		 * @return whether it did
		 */
		public final boolean isTakenAlong() {
			return this.takenAlong && isFresh();
		}

		/**
		 * Return how long to wait for the next renewal.
		 * @return a third of the lease, less what has passed since another member renewed
		 * it
		 */
		protected final Duration untilRenewal() {
			Duration interval = settledLease().dividedBy(RENEWALS);
			return isTakenAlong() ? interval.minus(sinceRenewal()) : interval;
		}

		/**
		 * Say how the slot should be, if that is due soon and nothing else is to be done.
		 * @return the slot and its position, or {@code null}
		 */
		protected abstract @Nullable Advance offer();

		/**
		 * Learn that the slot is now as it was offered.
		 * @param stored the slot
		 */
		protected abstract void renewed(StoredSlot stored);

	}

	private record Offered(Member member, Advance advance) {

		boolean isDone(StoredSlot stored) {
			return this.advance.owner().isLatest(stored) && stored.slot().position() == this.advance.position();
		}

	}

}
