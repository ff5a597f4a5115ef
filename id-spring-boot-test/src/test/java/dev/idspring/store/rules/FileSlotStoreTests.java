package dev.idspring.store.rules;

import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.time.Duration;

import dev.idspring.store.SlotStore;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.test.SlotStoreContract;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the contract of slot stores on {@link FileStores.Slots}, which implements none of
 * the rules itself.
 */
class FileSlotStoreTests extends SlotStoreContract {

	private final Lock lock = new ReentrantLock();

	@TempDir
	private Path folder;

	@Override
	protected SlotStore newStore() {
		return newStore(Duration.ZERO);
	}

	@Override
	protected SlotStore newStore(Duration clockOffset) {
		return new FileStores(this.folder, this.lock).new Slots(clockOffset);
	}

	@Override
	protected void createKeySpace(String name) {
		// nothing to do, because the file is created together with the first slot
	}

	@Override
	protected void forget(Slot slot) {
		new FileStores(this.folder, this.lock).new Slots(Duration.ZERO).forget(NAME, slot.number());
	}

}
