package dev.idspring.store.rules;

import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import dev.idspring.store.KeySpaceStore;
import dev.idspring.test.KeySpaceStoreContract;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the contract of key space stores on {@link FileStores.KeySpaces}, whose superclass
 * implements all rules.
 */
class FileKeySpaceStoreTests extends KeySpaceStoreContract {

	private final Lock lock = new ReentrantLock();

	@TempDir
	private Path folder;

	@Override
	protected KeySpaceStore newStore() {
		return new FileStores(this.folder, this.lock).new KeySpaces();
	}

}
