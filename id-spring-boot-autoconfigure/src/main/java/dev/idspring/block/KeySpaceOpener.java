package dev.idspring.block;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.clock.Deadline;
import dev.idspring.clock.TimeSource;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings;

/**
 * Creates a key space in its store or, if it exists, makes sure that the settings agree
 * with it. What the settings leave open is taken from the store, by whoever created the
 * key space and by whoever came a moment too late alike.
 */
final class KeySpaceOpener {

	private final String name;

	private final KeySpaceSettings settings;

	private final KeySpaceStore store;

	private final Reservations.Factory reservations;

	KeySpaceOpener(String name, KeySpaceSettings settings, KeySpaceStore store, Reservations.Factory reservations) {
		this.name = name;
		this.settings = settings;
		this.store = store;
		this.reservations = reservations;
	}

	/**
	 * Open the key space on the supply: the caller may be in a transaction, which must
	 * not be touched.
	 */
	OpenedKeySpace open(String generator, TimeSource timeSource, Duration timeout, Supply supply) {
		Deadline deadline = Deadline.after(timeSource, timeout);
		CompletableFuture<OpenedKeySpace> opened = new CompletableFuture<>();
		supply.execute(() -> {
			try {
				opened.complete(open(generator, timeSource, deadline));
			}
			catch (Throwable ex) {
				opened.completeExceptionally(ex);
			}
		});
		try {
			return Waiting.on(opened, deadline, (problem, cause) -> new IdStoreUnavailableException(
					"Key space '" + this.name + "' could not be opened: " + problem + ".", cause));
		}
		catch (IdStoreUnavailableException ex) {
			if (ex.getCause() instanceof IdGenerationException more) {
				throw more;
			}
			throw ex;
		}
	}

	private OpenedKeySpace open(String generator, TimeSource timeSource, Deadline deadline) {
		KeySpace wanted = this.settings.resolve(null);
		StoredKeySpace stored = this.store.create(this.name, wanted.definition(), wanted.capacity(), deadline);
		KeySpace keySpace = this.settings.resolve(stored.definition());
		if (!keySpace.definition().equals(stored.definition())) {
			throw new KeySpaceMismatchException("Key space '" + this.name + "' was created as '" + stored.definition()
					+ "' but the configuration asks for '" + keySpace.definition()
					+ "'. A definition is fixed when a key space is created; only its upper bound may be raised.");
		}
		if (keySpace.capacity() > stored.capacity()) {
			this.store.raiseCapacity(this.name, keySpace.capacity(), deadline);
		}
		return new OpenedKeySpace(this.name, keySpace,
				this.reservations.open(generator, stored, keySpace, timeSource, deadline));
	}

}
