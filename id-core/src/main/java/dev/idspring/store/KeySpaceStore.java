package dev.idspring.store;

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
 * Stores the first unreserved ordinal of each key space. A key space is the set of ids of
 * a generator. An ordinal is the position of an id in its key space. No id is issued
 * twice, because an implementation guarantees the following:
 * <ol>
 * <li>{@link #reserve reserve} returns only after the reservation is durable. If that is
 * uncertain, {@code reserve} throws an exception, and the ordinals are never issued.</li>
 * <li>{@code reserve} never returns the same ordinal twice, to any instance, unless
 * {@link #giveBack giveBack} has meanwhile returned {@code true} for the ordinal.</li>
 * <li>{@code giveBack} returns {@code true} only if the range is at the end of the last
 * reservation. If another instance has reserved ordinals since, {@code giveBack} returns
 * {@code false}, even if that instance has given them back. To detect this, a store
 * writes a new token with each reservation.</li>
 * <li>Only {@link #redefine redefine} changes a definition. Afterwards, an instance that
 * knows an earlier definition cannot reserve ordinals.</li>
 * <li>No operation runs in a transaction of the calling thread, or affects one.</li>
 * </ol>
 * An operation blocks at most until its deadline. Most operations retry after transient
 * failures. Many threads may call the operations concurrently. Every operation first
 * validates its arguments, see {@link StoreArguments}.
 *
 * @since 0.1.0
 */
public interface KeySpaceStore extends UsageHistory.Store {

	/**
	 * Describe this store. This method does no I/O.
	 * @return the description
	 */
	StoreDescription describe();

	/**
	 * Create a key space, or read it if it exists. If several instances create it at the
	 * same time, all get the state that the first one stored.
	 * @param name the name of the key space: at most 100 printable ASCII characters
	 * @param definition the settings that determine the order of the ids, to store if the
	 * key space does not exist: at most 500 printable ASCII characters
	 * @param capacity the number of ordinals, to store if the key space does not exist: 1
	 * to 2^63 - 1
	 * @param deadline the time by which the operation must end
	 * @return the stored key space
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	StoredKeySpace create(String name, String definition, long capacity, Deadline deadline);

	/**
	 * Raise the stored capacity of a key space. A capacity lower than the stored one has
	 * no effect.
	 * @param name the name of the key space
	 * @param capacity the new number of ordinals
	 * @param deadline the time by which the operation must end
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	void raiseCapacity(String name, long capacity, Deadline deadline);

	/**
	 * Replace the definition of a key space, for example to add a secret. The definition
	 * changes only if the stored one is {@code known}, and at most {@code most} ordinals
	 * are reserved. The operation may also discard one ordinal, unless {@code most} is
	 * {@link Long#MAX_VALUE}.
	 * @param name the name of the key space
	 * @param known the definition that this instance has read
	 * @param replacement the new definition
	 * @param most the maximum number of ordinals that may be reserved already
	 * @param deadline the time by which the operation must end
	 * @return the key space after the operation
	 * @throws IdSetupException if this store cannot replace definitions
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	default StoredKeySpace redefine(String name, String known, String replacement, long most, Deadline deadline) {
		throw new IdSetupException("This store cannot add secrets to key space '" + name + "'.",
				"Use the secrets that the key space was created with, or create another key space.");
	}

	/**
	 * Reserve the next ordinals of a key space.
	 * @param name the name of the key space
	 * @param count how many ordinals, at least 1
	 * @param bound the end of the ordinals that may be reserved, exclusive: the capacity
	 * in the settings of the caller, which may be lower than the stored one
	 * @param deadline the time by which the operation must end
	 * @return the range; empty only if no ordinals are left. The range is shorter than
	 * requested if fewer ordinals are left, or if the store limits the size of a
	 * reservation
	 * @throws IdStoreUnavailableException if the store did not answer in time, or if the
	 * outcome is unknown
	 * @throws KeySpaceRegressionException if the key space no longer exists
	 */
	OrdinalRange reserve(String name, long count, long bound, Deadline deadline);

	/**
	 * Reserve ordinals that will never be used, at the request of an operator.
	 * @param name the name of the key space
	 * @param count how many ordinals, at least 1
	 * @param bound the end of the ordinals that may be reserved, exclusive
	 * @param deadline the time by which the operation must end
	 * @return the range; shorter than requested if fewer ordinals are left
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	default OrdinalRange skip(String name, long count, long bound, Deadline deadline) {
		return reserve(name, count, bound, deadline);
	}

	/**
	 * Give back the unused end of the last reservation, if no other reservation or
	 * give-back followed. Call this method only once for each range. If the outcome is
	 * unknown, treat the range as lost.
	 * @param name the name of the key space
	 * @param range ordinals that the caller has reserved and will never use; they may
	 * span several consecutive reservations
	 * @param deadline the time by which the operation must end
	 * @return whether the ordinals can be reserved again
	 * @throws IllegalArgumentException if the range begins before the ordinals that the
	 * caller has reserved
	 * @throws IdStoreUnavailableException if the store did not answer in time, or if the
	 * outcome is unknown
	 */
	boolean giveBack(String name, OrdinalRange range, Deadline deadline);

	/**
	 * Read the stored state of a key space.
	 * @param name the name of the key space
	 * @param deadline the time by which the operation must end
	 * @return the stored key space, or empty if it does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Optional<StoredKeySpace> read(String name, Deadline deadline);

	/**
	 * Read the history of the reservations of a key space. The history is used to
	 * forecast when the key space will be used up. A store without histories overrides
	 * neither this method nor {@link #replaceHistory}.
	 * @param name the name of the key space
	 * @param deadline the time by which the operation must end
	 * @return the history, or empty if there is none
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	@Override
	default Optional<StoredHistory> readHistory(String name, Deadline deadline) {
		return Optional.empty();
	}

	/**
	 * Add ids that were generated without a reservation, such as time-based ids, to the
	 * reported number of ids. This number is only a statistic. Therefore, unlike
	 * {@link #reserve}, this method does not check whether the server may have lost data.
	 * @param name the name of the key space
	 * @param count how many ids to add, zero or more
	 * @param deadline the time by which the operation must end
	 * @throws IllegalArgumentException if the sum would exceed 2^63 - 1
	 * @throws IdStoreUnavailableException if the store did not answer in time; the ids
	 * may have been added nevertheless, even several times
	 */
	void count(String name, long count, Deadline deadline);

	/**
	 * Replace the history of a key space. Nothing changes if another instance has
	 * replaced the history since it was read.
	 * @param name the name of the key space
	 * @param known the history that was read
	 * @param replacement the new history
	 * @param deadline the time by which the operation must end
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	@Override
	default void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
	}

	/**
	 * The stored state of a key space.
	 *
	 * @param name the name of the key space, which identifies it in the store
	 * @param definition the current definition of the key space
	 * @param capacity the highest number of ordinals that any instance has configured
	 * @param nextOrdinal the first unreserved ordinal, which equals the number of
	 * reserved ordinals
	 * @since 0.1.0
	 */
	record StoredKeySpace(String name, String definition, long capacity, long nextOrdinal) {

		private static final String CLOSED = "closed: ";

		/**
		 * Create a stored state.
		 * @throws IllegalArgumentException if a value is missing, or the ordinal is
		 * negative
		 */
		public StoredKeySpace {
			InvalidSettingException.requireGiven(StoredKeySpace.class, "name", name);
			InvalidSettingException.requireGiven(StoredKeySpace.class, "definition", definition);
			StoreArguments.requireAtLeast(StoredKeySpace.class, "nextOrdinal", nextOrdinal, 0);
		}

		/**
		 * Return the definition that closes a key space. As soon as this definition is
		 * stored, no instance can open the key space, reserve ordinals or give them back.
		 * @param definition the definition of the open key space
		 * @return the definition of the closed key space
		 */
		public static String close(String definition) {
			return CLOSED + InvalidSettingException.requireGiven(StoredKeySpace.class, "definition", definition);
		}

		/**
		 * Verify that this application opened the key space with the stored definition.
		 * @param openedDefinition the definition with which this application opened the
		 * key space, or {@code null} if it has not opened it
		 * @throws KeySpaceMismatchException if the stored definition differs
		 */
		public void verifyDefinition(@Nullable String openedDefinition) {
			if (openedDefinition == null || openedDefinition.equals(this.definition)) {
				return;
			}
			if (this.definition.equals(close(openedDefinition))) {
				throw KeySpaceMismatchException.ofClosed(this.name, this.definition, openedDefinition);
			}
			if (TextSettings.addsSecrets(this.definition, openedDefinition)) {
				throw KeySpaceMismatchException.ofSecrets(this.name, this.definition, openedDefinition);
			}
			throw new KeySpaceMismatchException(KeySpaceMismatchException.Reason.DEFINITION,
					"The definition of key space '" + this.name + "' was '" + openedDefinition
							+ "' when this application opened the key space, but is '" + this.definition
							+ "' now. Restart the application with the correct definition.",
					this.definition, openedDefinition);
		}

	}

	/**
	 * Describes a store for operators.
	 *
	 * @param type the kind of store, such as {@code jdbc} or {@code memory}
	 * @param database the name of the database product, or {@code null} if there is none
	 * @param warnings risks that the application cannot prevent, for example a server
	 * that acknowledges commits before they are on disk
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
	 * A range of consecutive ordinals of a key space.
	 *
	 * @param start the first ordinal
	 * @param end the first ordinal after the range; equal to the start if the range is
	 * empty
	 * @since 0.1.0
	 */
	record OrdinalRange(long start, long end) {

		/**
		 * Create a range.
		 * @throws IllegalArgumentException if a bound is negative, or if the end is
		 * before the start
		 */
		public OrdinalRange {
			if (start < 0 || end < start) {
				throw new IllegalArgumentException("Not a range of ordinals: from " + start + " to " + end);
			}
		}

		/**
		 * Join this range with the previous one, if this range begins where the previous
		 * one ends.
		 * @param before the previous reservation of the same instance, or {@code null} if
		 * there is none
		 * @return the joined range, or this range if the ranges are not contiguous
		 */
		public OrdinalRange after(@Nullable OrdinalRange before) {
			return (before != null && before.end == this.start) ? new OrdinalRange(before.start, this.end) : this;
		}

		/**
		 * Return the number of ordinals in the range.
		 * @return zero or more
		 */
		public long size() {
			return this.end - this.start;
		}

		/**
		 * Return whether the range contains no ordinals.
		 * @return {@code true} if the size is zero
		 */
		public boolean isEmpty() {
			return this.end == this.start;
		}

	}

}
