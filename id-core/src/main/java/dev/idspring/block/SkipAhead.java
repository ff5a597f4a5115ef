package dev.idspring.block;

import java.util.Optional;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OrdinalRange;
import dev.idspring.store.StoredKeySpace;
import dev.idspring.worker.Deadline;

/**
 * Moves a key space ahead, so that ordinals which may have been handed out before its
 * store went backwards are not handed out again.
 *
 * @param keySpaceName the name of the key space
 * @param by how many ordinals to skip, at least 1
 * @since 0.1.0
 */
public record SkipAhead(String keySpaceName, long by) {

	/**
	 * Create a skip.
	 * @throws IllegalArgumentException if the number is not positive
	 */
	public SkipAhead {
		InvalidSettingException.require(by >= 1, SkipAhead.class, "by", by, "must be at least 1");
	}

	/**
	 * Tell what the skip would do. Changes nothing.
	 * @param store the store of the key space
	 * @param deadline how long this may take
	 * @return a sentence or two
	 * @throws IdSetupException if the key space does not exist
	 */
	public String plan(KeySpaceStore store, Deadline deadline) {
		StoredKeySpace stored = stored(store, deadline);
		// the counter may stand beyond, after a fail-over
		long left = Math.max(0, stored.capacity() - stored.nextOrdinal());
		long skipped = Math.min(this.by, left);
		return "Key space '" + this.keySpaceName + "' stands at ordinal " + stored.nextOrdinal() + " of "
				+ stored.capacity() + ". Skipping ahead by " + this.by + " would move it to "
				+ (stored.nextOrdinal() + skipped) + ": " + skipped + " keys would never be handed out again, and "
				+ (left - skipped) + " would be left.";
	}

	/**
	 * Skip ahead: reserve the ordinals and never use them.
	 * @param store the store of the key space
	 * @param deadline how long this may take
	 * @return what was skipped
	 * @throws IdSetupException if the key space does not exist
	 */
	public OrdinalRange run(KeySpaceStore store, Deadline deadline) {
		return store.skip(this.keySpaceName, this.by, stored(store, deadline).capacity(), deadline);
	}

	/**
	 * Find the key space.
	 * @param store the store of the key space
	 * @param deadline how long this may take
	 * @return what the store remembers of it
	 * @throws IdSetupException if the key space does not exist
	 */
	public StoredKeySpace stored(KeySpaceStore store, Deadline deadline) {
		Optional<StoredKeySpace> stored = store.read(this.keySpaceName, deadline);
		return stored.orElseThrow(() -> new IdSetupException(
				"Cannot skip ahead: there is no key space '" + this.keySpaceName + "' in the store.",
				"Name a row of the key space table, which is the name of the generator unless it has been given"
						+ " another key space."));
	}

}
