package dev.idspring.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.SlotStore.Advance;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SharedRenewals}.
 */
@Timeout(60)
class SharedRenewalsTests {

	private static final SlotSpace SPACE = TestSlots.series(100, 1_000);

	private final CountingStore store = new CountingStore();

	private final Lease first = lease("b");

	private final Lease second = lease("a");

	private final Lease third = lease("b");

	@Test
	void othersAreTakenAlongInTheOrderOfTheirRows() {
		this.second.wanted = 10;
		this.third.wanted = 1_020;
		StoredSlot stored = renew(this.first);
		assertThat(stored.owner()).isEqualTo(this.first.owner.id());
		assertThat(this.store.transactions).containsExactly(List.of("a/0", "b/0", "b/1"));
		assertThat(this.second.slot.position()).isEqualTo(10);
		assertThat(this.third.slot.position()).isEqualTo(1_020);
		assertThat(this.first.renewals).as("learns by itself").hasValue(0);
	}

	@Test
	void whoOffersNothingOrHasLeftIsNotTakenAlong() {
		this.second.wanted = -1;
		this.store.renewals().leave(this.third);
		renew(this.first);
		assertThat(this.store.transactions).containsExactly(List.of("b/0"));
		assertThat(this.second.renewals).hasValue(0);
	}

	@Test
	void whoIsBusyIsNotWaitedFor() throws Exception {
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch over = new CountDownLatch(1);
		Thread worker = new Thread(() -> {
			this.second.turn().lock();
			try {
				busy.countDown();
				over.await(50, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			finally {
				this.second.turn().unlock();
			}
		});
		worker.start();
		busy.await();
		renew(this.first);
		assertThat(this.store.transactions).containsExactly(List.of("b/0", "b/1"));
		over.countDown();
		worker.join();
	}

	@Test
	void whoHasLostItsSlotLearnsNothingAndHurtsNobody() {
		Slot slot = this.second.slot;
		this.store.release("a", slot, this.second.owner, 0, deadline());
		assertThat(renew(this.first).owner()).isEqualTo(this.first.owner.id());
		assertThat(this.second.renewals).hasValue(0);
		assertThat(this.third.renewals).hasValue(1);
	}

	@Test
	void failureThatAnotherMayHaveCausedIsTriedAlone() {
		this.store.failure = new KeySpaceRegressionException("planted");
		assertThat(renew(this.first).owner()).isEqualTo(this.first.owner.id());
		assertThat(this.store.transactions).containsExactly(List.of("a/0", "b/0", "b/1"), List.of("b/0"));
		assertThat(this.second.renewals).hasValue(0);
		assertTurnsAreFree();
	}

	@Test
	void storeThatDoesNotAnswerIsNotAskedTwice() {
		this.store.failure = new IdStoreUnavailableException("planted");
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> renew(this.first));
		assertThat(this.store.transactions).hasSize(1);
		assertTurnsAreFree();
	}

	@Test
	void errorLeavesNoTurnTaken() {
		this.third.failure = new StackOverflowError("planted");
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> renew(this.first));
		assertTurnsAreFree();
	}

	private void assertTurnsAreFree() {
		AtomicInteger free = new AtomicInteger();
		Thread other = new Thread(() -> List.of(this.first, this.second, this.third)
			.forEach((lease) -> free.addAndGet(lease.turn().tryLock() ? 1 : 0)));
		other.start();
		try {
			other.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		assertThat(free).hasValue(3);
	}

	private StoredSlot renew(Lease lease) {
		lease.turn().lock();
		try {
			return this.store.renewals().advance(this.store, lease, lease.advance(), deadline());
		}
		finally {
			lease.turn().unlock();
		}
	}

	private Lease lease(String keySpace) {
		SlotOwner owner = SlotOwner.random(Duration.ofMinutes(1));
		Lease lease = new Lease(keySpace, owner,
				this.store.claim(keySpace, SPACE, owner, deadline()).orElseThrow().slot());
		this.store.renewals().join(lease);
		return lease;
	}

	private static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(30));
	}

	/**
	 * A member that wants its slot at a position.
	 */
	private static final class Lease extends SharedRenewals.Member {

		private final String keySpace;

		private final SlotOwner owner;

		private Slot slot;

		private long wanted;

		private @Nullable Error failure;

		private final AtomicInteger renewals = new AtomicInteger();

		Lease(String keySpace, SlotOwner owner, Slot slot) {
			super(TimeSource.system());
			this.keySpace = keySpace;
			this.owner = owner;
			this.slot = slot;
			this.wanted = slot.position();
		}

		Advance advance() {
			return new Advance(this.keySpace, SPACE, this.slot, this.owner, this.wanted);
		}

		@Override
		protected Duration settledLease() {
			return this.owner.settledLease();
		}

		@Override
		protected @Nullable Advance offer() {
			if (this.failure != null) {
				throw this.failure;
			}
			return (this.wanted >= 0) ? advance() : null;
		}

		@Override
		protected void renewed(StoredSlot stored) {
			this.renewals.incrementAndGet();
			this.slot = stored.slot();
		}

	}

	/**
	 * A store that writes down what it is asked for at once.
	 */
	private static final class CountingStore extends DelegatingSlotStore {

		private final List<List<String>> transactions = new ArrayList<>();

		private @Nullable RuntimeException failure;

		CountingStore() {
			super(new InMemorySlotStore(TimeSource.system()));
		}

		@Override
		public List<StoredSlot> advanceAll(List<Advance> advances, Deadline deadline) {
			this.transactions.add(advances.stream().map((one) -> one.keySpace() + "/" + one.slot().number()).toList());
			RuntimeException failure = this.failure;
			this.failure = null;
			if (failure != null) {
				throw failure;
			}
			return super.advanceAll(advances, deadline);
		}

	}

}
