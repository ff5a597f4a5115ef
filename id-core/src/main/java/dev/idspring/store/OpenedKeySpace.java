package dev.idspring.store;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceMismatchException.Reason;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.text.TextSettings;
import dev.idspring.worker.Deadline;

/**
 * A key space whose settings were verified against the state in its store.
 *
 * @param keySpace the key space, including the settings that were taken from the store
 * @param stored the stored state
 * @since 0.1.0
 */
public record OpenedKeySpace(KeySpace keySpace, StoredKeySpace stored) {

	/**
	 * Open a key space. If it does not exist, create it in its store. Otherwise, verify
	 * that the settings match. Settings without a value are taken from the stored
	 * definition. If the settings add a secret or raise the upper bound, the stored key
	 * space is changed accordingly.
	 * @param name the name of the key space
	 * @param settings the settings of the key space, some of which may have no value
	 * @param text the settings of the text form of its keys
	 * @param store the store
	 * @param deadline the time by which the operation must end
	 * @return the key space
	 * @throws KeySpaceMismatchException if the key space exists with another definition
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public static OpenedKeySpace open(String name, KeySpaceSettings settings, TextSettings text, KeySpaceStore store,
			Deadline deadline) {
		KeySpace wantedKeySpace = settings.resolve(null).withText(text, name);
		StoredKeySpace stored = store.create(name, wantedKeySpace.definition(), wantedKeySpace.capacity(), deadline);
		KeySpace keySpace = settings.resolve(stored.definition()).withText(text, name);
		if (TextSettings.addsSecrets(keySpace.definition(), stored.definition())) {
			long firstOrdinal = text.firstOrdinalOfAddedSecret(stored.definition());
			stored = store.redefine(name, stored.definition(), keySpace.definition(), firstOrdinal, deadline);
			verifySecretsAdded(stored, keySpace.definition());
		}
		verify(stored, keySpace.definition(), keySpace.capacity(), store, deadline);
		return new OpenedKeySpace(keySpace, stored);
	}

	private static void verifySecretsAdded(StoredKeySpace stored, String definition) {
		if (TextSettings.addsSecrets(definition, stored.definition())) {
			throw new KeySpaceMismatchException(Reason.SECRET_FROM, "The secret that is added to key space '"
					+ stored.name()
					+ "' would also apply to ids that are already reserved, so the text form of existing ids would"
					+ " change. Set the 'from' of the secret to at least " + stored.nextOrdinal()
					+ ", the number of reserved ids.", stored.definition(), definition);
		}
	}

	/**
	 * Notify the listeners of a generator that the generator has opened the key space. If
	 * the settings have a lower capacity than the stored one, also notify the listeners
	 * of the difference.
	 * @param listeners the listeners
	 * @param snapshot the state of the generator
	 */
	public void inform(Listeners listeners, GeneratorSnapshot snapshot) {
		long capacity = this.keySpace.capacity();
		listeners
			.notifyListeners((listener, generator) -> listener.opened(generator, this.keySpace.summary(), snapshot));
		if (capacity < this.stored.capacity()) {
			listeners.notifyListeners((listener, generator) -> listener.lowered(generator, this.stored.name(), capacity,
					this.stored.capacity()));
		}
	}

	/**
	 * Verify the definition of a key space of time-based ids. If the key space does not
	 * exist yet, create it in its store. If the given end is later than the stored end,
	 * it replaces the stored end.
	 * @param name the name of the key space
	 * @param definition the definition, which must never change
	 * @param end the end of the time range, exclusive, which is stored as the capacity
	 * @param store the store
	 * @param deadline the time by which the operation must end
	 * @return the end that is stored now
	 * @throws KeySpaceMismatchException if the key space exists with another definition
	 * @throws IdStoreUnavailableException if the store did not answer in time
	 */
	public static long verifyDefinition(String name, String definition, long end, KeySpaceStore store,
			Deadline deadline) {
		StoredKeySpace stored = store.create(name, definition, end, deadline);
		verify(stored, definition, end, store, deadline);
		return Math.max(stored.capacity(), end);
	}

	private static void verify(StoredKeySpace stored, String definition, long capacity, KeySpaceStore store,
			Deadline deadline) {
		if (TextSettings.addsSecrets(stored.definition(), definition)) {
			throw KeySpaceMismatchException.ofSecrets(stored.name(), stored.definition(), definition);
		}
		if (stored.definition().startsWith(StoredKeySpace.close(""))) {
			throw KeySpaceMismatchException.ofClosed(stored.name(), stored.definition(), definition);
		}
		if (!definition.equals(stored.definition())) {
			throw KeySpaceMismatchException.ofDefinitions(stored.name(), stored.definition(), definition);
		}
		if (capacity > stored.capacity()) {
			store.raiseCapacity(stored.name(), capacity, deadline);
		}
	}

}
