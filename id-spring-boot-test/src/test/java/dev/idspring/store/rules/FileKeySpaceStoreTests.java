package dev.idspring.store.rules;

import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import dev.idspring.store.KeySpaceStore;
import dev.idspring.test.KeySpaceStoreContract;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a store of key spaces on plain files, which has no rule of its own, does all
 * that a store must.
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
