package dev.idspring.store.rules;

import java.util.Optional;

import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import org.jspecify.annotations.Nullable;

/**
 * Implements every write as a read and a compare-and-set of the whole key space. This
 * class is for stores that have no other atomic operation, and whose server never fails
 * over.
 *
 * @param <X> the exception of a failed read or write
 * @since 0.1.0
 */
public abstract class ReplacingKeySpaceAccess<X extends Exception> implements KeySpaceAccess<X> {

	/**
	 * Replace the state of the key space in one atomic step, if the state is unchanged
	 * since it was read.
	 * @param before the state that was read
	 * @param after the new state
	 * @return whether the state was replaced
	 * @throws X if the outcome is unknown
	 */
	protected abstract boolean replace(KeySpaceView before, KeySpaceView after) throws X;

	@Override
	public Optional<Reserved> reserve(String definition, @Nullable String server, String token, long count, long bound)
			throws X {
		for (;;) {
			KeySpaceView view = view().orElse(null);
			if (view == null || !view.keySpace().definition().equals(definition)
					|| view.keySpace().nextOrdinal() > bound - count) {
				return Optional.empty();
			}
			long next = view.keySpace().nextOrdinal();
			if (replace(view, withReservation(view, next + count, token))) {
				return Optional.of(new Reserved(new OrdinalRange(next, next + count), token, null));
			}
		}
	}

	@Override
	public boolean giveBack(String definition, Reserved reserved, OrdinalRange range) throws X {
		Optional<KeySpaceView> view = view().filter((found) -> found.keySpace().definition().equals(definition)
				&& found.keySpace().nextOrdinal() == range.end() && found.reservation().equals(reserved.token()));
		return view.isPresent() && replace(view.get(), withReservation(view.get(), range.start(), ""));
	}

	@Override
	public void redefine(String known, String replacement, long most, @Nullable String server) throws X {
		change((stored) -> (stored.definition().equals(known) && stored.nextOrdinal() <= most)
				? new StoredKeySpace(stored.name(), replacement, stored.capacity(), stored.nextOrdinal()) : stored);
	}

	@Override
	public void raiseCapacity(long capacity) throws X {
		change((stored) -> new StoredKeySpace(stored.name(), stored.definition(), Math.max(capacity, stored.capacity()),
				stored.nextOrdinal()));
	}

	@Override
	public void skip(long end) throws X {
		change((stored) -> withNextOrdinal(stored, Math.max(end, stored.nextOrdinal())));
	}

	@Override
	public boolean count(long count) throws X {
		return change((stored) -> (stored.nextOrdinal() <= Long.MAX_VALUE - count)
				? withNextOrdinal(stored, stored.nextOrdinal() + count) : null);
	}

	/**
	 * Change the key space, and retry if another instance has changed it since the read.
	 * @param change computes the new key space, or returns {@code null} to change nothing
	 * @return {@code false} if the key space does not exist, or if {@code change}
	 * returned {@code null}
	 */
	private boolean change(Change change) throws X {
		for (;;) {
			KeySpaceView view = view().orElse(null);
			StoredKeySpace changed = (view != null) ? change.of(view.keySpace()) : null;
			if (view == null || changed == null) {
				return false;
			}
			if (replace(view, new KeySpaceView(changed, view.hasSlots(), view.reservation(), view.fence()))) {
				return true;
			}
		}
	}

	private static KeySpaceView withReservation(KeySpaceView view, long next, String token) {
		return new KeySpaceView(withNextOrdinal(view.keySpace(), next), view.hasSlots(), token, view.fence());
	}

	private static StoredKeySpace withNextOrdinal(StoredKeySpace stored, long next) {
		return new StoredKeySpace(stored.name(), stored.definition(), stored.capacity(), next);
	}

	/**
	 * Computes the new state of a key space.
	 */
	private interface Change {

		@Nullable StoredKeySpace of(StoredKeySpace stored);

	}

}
