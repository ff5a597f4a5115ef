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
 * Remembers how far each key space has been reserved. That no id repeats rests on what an
 * implementation promises here:
 * <ol>
 * <li>{@link #reserve reserve} returns only after the reservation is durable. If that
 * cannot be known for sure, it throws, and the ordinals are lost rather than handed
 * out.</li>
 * <li>No ordinal is part of two ranges that {@code reserve} returned, whichever instance
 * asks and from wherever, unless {@link #giveBack giveBack} returned {@code true} for it
 * in between.</li>
 * <li>{@code giveBack} succeeds only while the range is at the end of the last
 * reservation: not if another instance has reserved since, even if it has given that back
 * again. A store draws a token for each reservation and remembers the last one.</li>
 * <li>A definition changes by {@link #redefine redefine} only. From then on nothing is
 * reserved by an instance that has read, or replaced, another one.</li>
 * <li>No operation takes part in, or has any effect on, a transaction of the calling
 * thread.</li>
 * </ol>
 * Operations may block until their deadline, not longer; within it they retry whatever is
 * worth retrying. They are called by many threads. Arguments that cannot be used are
 * refused before anything else, see {@link StoreArguments}.
 *
 * @since 0.1.0
 */
public interface KeySpaceStore extends UsageHistory.Store {

	/**
	 * Describe this store. Does no I/O.
	 * @return what operators should know
	 */
	StoreDescription describe();

	/**
	 * Create a key space, or find out that it exists. Of several instances that create
	 * the same one, all get what the first one stored.
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
	 * Replace the definition of a key space, as when a secret is added, if it is the one
	 * that this instance knows and no more than some ordinals are reserved. It takes one
	 * ordinal to find that out.
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
				"Go on with the secrets that it was created with, or begin another key space.");
	}

	/**
	 * Reserve the next ordinals of a key space.
	 * @param name the name of the key space
	 * @param count how many, at least 1
	 * @param bound the end of the ordinals to reserve from, exclusive: the caller's own
	 * idea of the capacity, which may be lower than the stored one
	 * @param deadline how long this may take
	 * @return the range; shorter than asked for if fewer are left, or if the store grants
	 * no more at once; empty only if none is left
	 * @throws IdStoreUnavailableException if the store did not answer in time, or it
	 * cannot be known whether it did what was asked
	 * @throws KeySpaceRegressionException if the key space does not exist any more
	 */
	OrdinalRange reserve(String name, long count, long bound, Deadline deadline);

	/**
	 * Reserve ordinals that are never to be used, as an operator asks for.
	 * @param name the name of the key space
	 * @param count how many, at least 1
	 * @param bound the end of the ordinals to reserve from, exclusive
	 * @param deadline how long this may take
	 * @return the range; shorter than asked for if fewer are left
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	default OrdinalRange skip(String name, long count, long bound, Deadline deadline) {
		return reserve(name, count, bound, deadline);
	}

	/**
	 * Give the unused end of the last reservation back, if no reservation and no other
	 * give-back came after it. Called once for a range and never repeated: if the outcome
	 * is in doubt, the range is abandoned.
	 * @param name the name of the key space
	 * @param range ordinals that this caller has reserved and that will never be used, of
	 * more than one reservation if they follow one another without a gap
	 * @param deadline how long this may take
	 * @return whether the ordinals are free again
	 * @throws IllegalArgumentException if the range begins before what was reserved
	 * @throws IdStoreUnavailableException if the store did not answer in time, or it
	 * cannot be known whether it did what was asked
	 */
	boolean giveBack(String name, OrdinalRange range, Deadline deadline);

	/**
	 * Read what is stored of a key space.
	 * @param name the name of the key space
	 * @param deadline how long this may take
	 * @return the key space as stored, or empty if it does not exist
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	Optional<StoredKeySpace> read(String name, Deadline deadline);

	/**
	 * Read how a key space came to be reserved. A store that keeps no history leaves
	 * this, and {@link #replaceHistory}, as it is; each instance then goes by what it has
	 * seen itself.
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
	 * Count ids that were made without being reserved. Makes none, and nothing depends on
	 * it but what is reported of their number. Whatever a store does before it reserves,
	 * as its server may have lost something, it must not do here.
	 * @param name the name of the key space
	 * @param count how many, zero or more
	 * @param deadline how long this may take
	 * @throws IllegalArgumentException if there would be more than 2^63 - 1
	 * @throws IdStoreUnavailableException if the store did not answer in time; they may
	 * have been counted all the same
	 */
	void count(String name, long count, Deadline deadline);

	/**
	 * Replace the history of a key space, unless another instance was faster.
	 * @param name the name of the key space
	 * @param known the history as it was read
	 * @param replacement what to store in its place
	 * @param deadline how long this may take
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	@Override
	default void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
	}

	/**
	 * What a store remembers of a key space.
	 *
	 * @param name the name of the key space, its key in the store
	 * @param definition the definition under which it was created
	 * @param capacity the highest upper bound any instance has asked for
	 * @param nextOrdinal the first ordinal that is not reserved yet, which is also how
	 * many are reserved
	 * @since 0.1.0
	 */
	record StoredKeySpace(String name, String definition, long capacity, long nextOrdinal) {

		private static final String CLOSED = "closed: ";

		/**
		 * Create what is remembered.
		 * @throws IllegalArgumentException if a value is missing, or the ordinal negative
		 */
		public StoredKeySpace {
			InvalidSettingException.requireGiven(StoredKeySpace.class, "name", name);
			InvalidSettingException.requireGiven(StoredKeySpace.class, "definition", definition);
			StoreArguments.least(StoredKeySpace.class, "nextOrdinal", nextOrdinal, 0);
		}

		/**
		 * Return the definition that closes a key space: no instance has opened it with
		 * that, so none reserves anything or gives anything back from then on.
		 * @param definition the definition of the open key space
		 * @return what to replace it by
		 */
		public static String close(String definition) {
			return CLOSED + InvalidSettingException.requireGiven(StoredKeySpace.class, "definition", definition);
		}

		/**
		 * Make sure that the definition is still the one under which this application
		 * opened the key space.
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
	 * What operators should know about a store.
	 *
	 * @param type the kind of store, such as {@code jdbc} or {@code memory}
	 * @param database the product behind it, or {@code null} if there is none
	 * @param warnings what could lose reservations and cannot be fixed from here, such as
	 * a server that acknowledges commits before they are on disk
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
		 * Return this range together with the one that was reserved before it.
		 * @param before what the same instance has reserved before, {@code null} if
		 * nothing
		 * @return all ordinals up to the end of this range that follow one another
		 * without a gap
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
