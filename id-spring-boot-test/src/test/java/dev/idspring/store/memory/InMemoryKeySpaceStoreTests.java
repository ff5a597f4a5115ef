package dev.idspring.store.memory;

import dev.idspring.store.KeySpaceStore;
import dev.idspring.test.KeySpaceStoreContract;

/**
 * Tests for {@link InMemoryKeySpaceStore}.
 */
class InMemoryKeySpaceStoreTests extends KeySpaceStoreContract {

	private final InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();

	@Override
	protected boolean redefines() {
		return false;
	}

	@Override
	protected KeySpaceStore newStore() {
		return this.store;
	}

}
