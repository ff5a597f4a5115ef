package dev.idspring.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.text.TextSettings;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Stores the first unreserved ordinal of each key space. No id repeats because an
 * implementation guarantees the following:
 * <ol>
 * <li>{@link #reserve reserve} returns only after the reservation is durable. If it is
 * not certain of that, it throws, and the ordinals are lost rather than issued.</li>
 * <li>No ordinal is part of two ranges that {@code reserve} returned to any instances,
 * unless {@link #giveBack giveBack} returned {@code true} for it in between.</li>
 * <li>{@code giveBack} succeeds only while the range is at the end of the last
 * reservation. It fails if another instance has reserved since, even if that reservation
 * was given back. A store draws a token for each reservation and remembers the last
 * one.</li>
 * <li>Only {@link #redefine redefine} changes a definition. From then on, an instance
 * that knows another definition cannot reserve.</li>
 * <li>No operation takes part in, or has any effect on, a transaction of the calling
 * thread.</li>
 * </ol>
 * Operations may block until their deadline, not longer; within it they retry transient
 * failures. They are called by many threads. Invalid arguments are rejected before
 * anything else, see {@link StoreArguments}.
 *
 * @since 0.1.0
 */
public interface KeySpaceStore extends UsageHistory.Store {

	/**
	 * Describe this store. Does no I/O.
	 * @return information for operators
	 */
	StoreDescription describe();

	/**
	 * Create a key space, or read the existing one. If several instances create the same
	 * one, all get what the first one stored.
	 * @param name the name of the key space: at most 100 printable ASCII characters
	 * @param definition the definition to store if it does not exist: at most 500
	 * printable ASCII characters
	 * @param capacity the upper bound to store if it does not exist: 1 to 2^63 - 1
	 * @param deadline how long this may take
	 * @return the key space as stored, whichever instance created it
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	StoredKeySpace create(String name, String definition, long capacity, Deadline deadline);

	/**
	 * Raise the stored upper bound of a key space. Never lowers it.
	 * @param name the name of the key space
	 * @param capacity the new upper bound
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	void raiseCapacity(String name, long capacity, Deadline deadline);

	/**
	 * Replace the definition of a key space, for example to add a secret. Does so only if
	 * it is the one that this instance knows and not too many ordinals are reserved. This
	 * check uses up one ordinal.
	 * @param name the name of the key space
	 * @param known the definition that this instance has read
	 * @param replacement the new one
	 * @param most how many ordinals may be reserved
	 * @param deadline how long this may take
	 * @return the key space as it is afterwards
	 * @throws IdSetupException if this store cannot do that
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	default StoredKeySpace redefine(String name, String known, String replacement, long most, Deadline deadline) {
		throw new IdSetupException("This store cannot add secrets to key space '" + name + "'.",
				"Continue with the secrets that it was created with, or begin another key space.");
	}

	/**
	 * Reserve the next ordinals of a key space.
	 * @param name the name of the key space
	 * @param count how many, at least 1
	 * @param bound the end of the ordinals to reserve from, exclusive: the capacity in
	 * the caller's settings, which may be lower than the stored one
	 * @param deadline how long this may take
	 * @return the range; shorter than requested if fewer are left, or if the store grants
	 * no more at once; empty only if none is left
	 * @throws IdStoreUnavailableException if the store did not answer in time, or the
	 * outcome is unknown
	 * @throws KeySpaceRegressionException if the key space does not exist any more
	 */
	OrdinalRange reserve(String name, long count, long bound, Deadline deadline);

	/**
	 * Reserve ordinals that will never be used, as requested by an operator.
	 * @param name the name of the key space
	 * @param count how many, at least 1
	 * @param bound the end of the ordinals to reserve from, exclusive
	 * @param deadline how long this may take
	 * @return the range; shorter than requested if fewer are left
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	default OrdinalRange skip(String name, long count, long bound, Deadline deadline) {
		return reserve(name, count, bound, deadline);
	}

	/**
	 * Give back the unused end of the last reservation, if no other reservation or
	 * give-back followed it. Call this once for a range and do not retry: if the outcome
	 * is unknown, the range is abandoned.
	 * @param name the name of the key space
	 * @param range ordinals that this caller has reserved and that will never be used;
	 * they may span several reservations without a gap between them
	 * @param deadline how long this may take
	 * @return whether the ordinals are free again
	 * @throws IllegalArgumentException if the range begins before the reservations
	 * @throws IdStoreUnavailableException if the store did not answer in time, or the
	 * outcome is unknown
	 */
	boolean giveBack(String name, OrdinalRange range, Deadline deadline);

	/**
	 * Read the stored state of a key space.
	 * @param name the name of the key space
	 * @param deadline how long this may take
	 * @return the key space as stored, or empty if it does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Optional<StoredKeySpace> read(String name, Deadline deadline);

	/**
	 * Read the history of a key space's reservations. A store without history does not
	 * override this and {@link #replaceHistory}; each instance then relies on its own
	 * observations.
	 * @param name the name of the key space
	 * @param deadline how long this may take
	 * @return the history, or empty if there is none
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	@Override
	default Optional<StoredHistory> readHistory(String name, Deadline deadline) {
		return Optional.empty();
	}

	/**
	 * Count ids that were generated without a reservation. Generates none; only the
	 * reported number of ids depends on it. The checks for a server that may have lost
	 * data, which precede a reservation, must not run here.
	 * @param name the name of the key space
	 * @param count how many, zero or more
	 * @param deadline how long this may take
	 * @throws IllegalArgumentException if there would be more than 2^63 - 1
	 * @throws IdStoreUnavailableException if the store did not answer in time; the ids
	 * may have been counted nevertheless
	 */
	void count(String name, long count, Deadline deadline);

	/**
	 * Replace the history of a key space, unless another instance has already replaced
	 * it.
	 * @param name the name of the key space
	 * @param known the history as it was read
	 * @param replacement the new history
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	@Override
	default void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
	}

	/**
	 * The stored state of a key space.
	 *
	 * @param name the name of the key space, its key in the store
	 * @param definition the definition under which it was created
	 * @param capacity the highest upper bound that any instance has requested
	 * @param nextOrdinal the first unreserved ordinal, which is also the number of
	 * reserved ones
	 * @since 0.1.0
	 */
	record StoredKeySpace(String name, String definition, long capacity, long nextOrdinal) {

		private static final String CLOSED = "closed: ";

		/**
		 * Create a stored state.
		 * @throws IllegalArgumentException if a value is missing, or the ordinal negative
		 */
		public StoredKeySpace {
			InvalidSettingException.requireGiven(StoredKeySpace.class, "name", name);
			InvalidSettingException.requireGiven(StoredKeySpace.class, "definition", definition);
			StoreArguments.least(StoredKeySpace.class, "nextOrdinal", nextOrdinal, 0);
		}

		/**
		 * Return the definition that closes a key space. No instance has opened it with
		 * that definition, so from then on none can reserve or give back.
		 * @param definition the definition of the open key space
		 * @return the replacement
		 */
		public static String close(String definition) {
			return CLOSED + InvalidSettingException.requireGiven(StoredKeySpace.class, "definition", definition);
		}

		/**
		 * Verify that the definition is still the one with which this application opened
		 * the key space.
		 * @param opened that definition, or {@code null} if it has not opened it
		 * @throws KeySpaceMismatchException if it is another
		 */
		public void verifyDefinition(@Nullable String opened) {
			if (opened == null || opened.equals(this.definition)) {
				return;
			}
			if (this.definition.equals(close(opened))) {
				throw KeySpaceMismatchException.ofClosed(this.name, this.definition, opened);
			}
			if (TextSettings.addsSecrets(this.definition, opened)) {
				throw KeySpaceMismatchException.ofSecrets(this.name, TextSettings.secrets(this.definition),
						TextSettings.secrets(opened));
			}
			throw new KeySpaceMismatchException(
					"Key space '" + this.name + "' was '" + opened + "' when this application opened it, and is '"
							+ this.definition + "' now. Restart the application with the definition that is right.",
					this.definition, opened);
		}

	}

	/**
	 * Information for operators about a store.
	 *
	 * @param type the kind of store, such as {@code jdbc} or {@code memory}
	 * @param database the product behind it, or {@code null} if there is none
	 * @param warnings risks of losing reservations that this library cannot remove, such
	 * as a server that acknowledges commits before they are on disk
	 * @since 0.1.0
	 */
	record StoreDescription(String type, @Nullable String database, List<String> warnings) {

		/**
		 * Create a description.
		 * @throws IllegalArgumentException if a value is missing
		 */
		public StoreDescription {
			InvalidSettingException.requireGiven(StoreDescription.class, "type", type);
			warnings = InvalidSettingException.requireElements(StoreDescription.class, "warnings", warnings);
		}

	}

	/**
	 * Consecutive ordinals of a key space.
	 *
	 * @param start the first ordinal
	 * @param end the first ordinal after the range; equal to the start if the range is
	 * empty
	 * @since 0.1.0
	 */
	record OrdinalRange(long start, long end) {

		/**
		 * Create a range.
		 * @throws IllegalArgumentException if the bounds are negative or out of order
		 */
		public OrdinalRange {
			if (start < 0 || end < start) {
				throw new IllegalArgumentException("Not a range of ordinals: from " + start + " to " + end);
			}
		}

		/**
		 * Return this range joined with the one that was reserved before it.
		 * @param before the previous reservation of the same instance, {@code null} if
		 * there is none
		 * @return all contiguous ordinals up to the end of this range
		 */
		public OrdinalRange after(@Nullable OrdinalRange before) {
			return (before != null && before.end == this.start) ? new OrdinalRange(before.start, this.end) : this;
		}

		/**
		 * Return how many ordinals there are in the range.
		 * @return zero or more
		 */
		public long size() {
			return this.end - this.start;
		}

		/**
		 * Return whether there is no ordinal in the range.
		 * @return {@code true} if the size is zero
		 */
		public boolean isEmpty() {
			return this.end == this.start;
		}

	}

}
