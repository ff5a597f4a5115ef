package dev.idspring.test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.idspring.KeySpaceRegressionException;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The part of {@link SlotStoreContract} that tests how owners, their clones and operators
 * change slots.
 */
abstract class SlotChangeContract extends SlotClaimContract {

	@Test
	void renewAndAdvanceRenewTheLease() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		assertThat(newStore(Duration.ofMinutes(8)).renew(NAME, SPACE, slot, owner, deadline()).owner())
			.isEqualTo(owner.id());
		assertThat(claim(newStore(Duration.ofMinutes(16)), owner()).number()).isEqualTo(1);
		newStore(Duration.ofMinutes(16)).advance(NAME, SPACE, slot, owner, 1_000, deadline());
		assertThat(newStore(Duration.ofMinutes(24)).read(NAME, 0, deadline()).orElseThrow().isLeased()).isTrue();
		assertThat(newStore(Duration.ofMinutes(30)).read(NAME, 0, deadline()).orElseThrow().isLeased()).isFalse();
	}

	@Test
	void repeatedAdvanceChangesTheSlotOnce() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		for (int attempt = 0; attempt < 2; attempt++) {
			StoredSlot stored = newStore().advance(NAME, SPACE, slot, owner, 1_000, deadline());
			assertThat(stored.slot()).isEqualTo(slot.at(1_000));
			assertThat(owner.owns(stored)).isTrue();
			assertThat(owner.isLatest(stored)).isEqualTo(attempt == 0);
		}
		assertThat(newStore().advance(NAME, SPACE, slot, owner, 500, deadline()).slot()).isEqualTo(slot.at(1_000));
	}

	@Test
	void advanceOfADeletedSlotThrowsARegressionException() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		forget(slot);
		SlotStore store = newStore();
		// a message may begin with "Slot 0", or contain "slot 0"
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> store.advance(NAME, SPACE, slot, owner, 10, deadline()))
			.withMessageContaining("lot 0");
		assertThat(store.read(NAME, 0, deadline())).isEqualTo(Optional.empty());
		assertThat(store.readCurrent(NAME, 0, deadline())).isEqualTo(Optional.empty());
	}

	@Test
	void releaseBelowThePositionAtTheClaimIsRejected() {
		createKeySpace(NAME);
		SlotOwner formerOwner = owner();
		Slot slot = claim(newStore(), formerOwner);
		Slot advanced = newStore().advance(NAME, SPACE, slot, formerOwner, slot.position() + 50, deadline()).slot();
		assertThat(newStore().release(NAME, advanced, formerOwner, slot.position() + 20, deadline())).isTrue();
		SlotOwner owner = owner();
		Slot claimed = claim(newStore(LEASE.multipliedBy(2)), owner);
		assertThat(claimed.position()).isEqualTo(slot.position() + 20);
		Slot last = newStore().advance(NAME, SPACE, claimed, owner, slot.position() + 70, deadline()).slot();
		assertRejected("position", () -> newStore().release(NAME, last, owner, slot.position() + 19, deadline()));
		assertThat(newStore().read(NAME, last.number(), deadline()).orElseThrow().slot()).isEqualTo(last);
		assertThat(newStore().readCurrent(NAME, last.number(), deadline()).orElseThrow().slot()).isEqualTo(last);
		assertThat(newStore().release(NAME, last, owner, slot.position() + 20, deadline())).isTrue();
	}

	@Test
	void skipAdvancesEverySlotAndTheNextNumber() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot first = claim(newStore(), owner);
		Slot second = claim(newStore(), owner());
		newStore().advance(NAME, SPACE, first, owner, 999_950, deadline());
		newStore().skip(NAME, 100, 3, deadline());
		assertThat(newStore().read(NAME, 0, deadline()).orElseThrow().slot()).isEqualTo(first.at(1_000_000));
		assertThat(newStore().read(NAME, 1, deadline()).orElseThrow().slot()).isEqualTo(second.at(1_000_100));
		assertThat(newStore().advance(NAME, SPACE, first.at(999_950), owner, 1_000_000, deadline()).owner())
			.as("a slot skipped to its end has no owner")
			.isNull();
		assertThat(claim(newStore(), owner()).number()).isEqualTo(1);
		assertThat(claim(newStore(), owner()).number()).isEqualTo(5);
	}

	@Test
	void skipBeyondTheMaximumIsRejected() {
		createKeySpace(NAME);
		claim(newStore(), owner());
		assertRejected("slots", () -> newStore().skip(NAME, 0, Long.MAX_VALUE, deadline()));
		assertThat(newStore().list(NAME, deadline()).next()).isEqualTo(1);
		newStore().skip(NAME, Long.MAX_VALUE, Long.MAX_VALUE - 1, deadline());
		assertThat(newStore().list(NAME, deadline()).next()).isEqualTo(Long.MAX_VALUE);
		assertThat(newStore().list(NAME, deadline()).slots()).isEmpty();
	}

	/**
	 * Assert that a call is rejected with a message that names a parameter.
	 */
	static void assertRejected(String parameter, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(parameter);
	}

	@Test
	void everyChangeWritesANewToken() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Set<String> tokens = new HashSet<>();
		Slot slot = claim(newStore(), owner);
		tokens.add(token());
		newStore().claim(NAME, SPACE, owner, deadline());
		tokens.add(token());
		newStore().claim(NAME, 0, SPACE, owner, deadline());
		tokens.add(token());
		newStore().advance(NAME, SPACE, slot, owner, 100, deadline());
		tokens.add(token());
		newStore().renew(NAME, SPACE, slot.at(100), owner, deadline());
		tokens.add(token());
		newStore().release(NAME, slot.at(100), owner, 50, deadline());
		tokens.add(token());
		assertThat(tokens).hasSize(6).doesNotContainNull();
	}

	private @Nullable String token() {
		return newStore().read(NAME, 0, deadline()).orElseThrow().token();
	}

	/**
	 * The clone of a process begins with a copy of the owner, which knows the same
	 * tokens.
	 */
	@Test
	void cloneCannotChangeASlotThatTheOriginalHasChanged() {
		createKeySpace(NAME);
		SlotOwner owner = owner();
		Slot slot = claim(newStore(), owner);
		SlotOwner clone = owner.copy();
		StoredSlot advanced = newStore().advance(NAME, SPACE, slot, owner, 1_000, deadline());
		assertThat(owner.owns(advanced)).isTrue();
		assertThat(owner.isLatest(advanced)).isTrue();
		for (StoredSlot found : List.of(newStore().advance(NAME, SPACE, slot, clone, 1_000, deadline()),
				newStore().advance(NAME, SPACE, slot.at(1_000), clone, 2_000, deadline()),
				newStore().renew(NAME, SPACE, slot.at(1_000), clone, deadline()),
				newStore().claim(NAME, 0, SPACE, clone, deadline()))) {
			assertThat(found.slot()).isEqualTo(slot.at(1_000));
			assertThat(found.token()).isEqualTo(advanced.token());
			assertThat(clone.owns(found)).isFalse();
			assertThat(clone.isCloned(found)).isTrue();
		}
		assertThat(newStore().release(NAME, slot.at(1_000), clone, 0, deadline())).isFalse();
		assertThat(claim(newStore(), clone).number()).isEqualTo(1);
		assertThat(newStore().release(NAME, slot.at(1_000), owner, 1_000, deadline())).isTrue();
	}

	@Test
	void alternatingClonesReserveNoPositionTwice() {
		createKeySpace(NAME);
		Clone first = new Clone(owner(), null);
		first.reserve();
		Clone second = new Clone(first.owner.copy(), first.slot);
		Set<Long> positions = new HashSet<>();
		for (int i = 0; i < 60; i++) {
			assertThat(positions.add(second.reserve())).isTrue();
			assertThat(positions.add(first.reserve())).isTrue();
		}
		assertThat(first.detectedClones + second.detectedClones).isEqualTo(1);
	}

	/**
	 * One of two clones of a process. It reserves 100 positions at a time.
	 */
	private final class Clone {

		private SlotOwner owner;

		private @Nullable Slot slot;

		private int detectedClones;

		Clone(SlotOwner owner, @Nullable Slot slot) {
			this.owner = owner;
			this.slot = slot;
		}

		/**
		 * Reserve the next 100 positions, and return the first of them.
		 */
		long reserve() {
			while (true) {
				Slot from = (this.slot != null) ? this.slot : claim(newStore(), this.owner);
				StoredSlot stored = newStore().advance(NAME, SPACE, from, this.owner, from.position() + 100,
						deadline());
				if (this.owner.owns(stored)) {
					this.slot = stored.slot();
					return from.position();
				}
				assertThat(this.owner.isCloned(stored)).isTrue();
				this.detectedClones++;
				this.slot = null;
				this.owner = owner();
			}
		}

	}

}
