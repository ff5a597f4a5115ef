package dev.idspring.block;

/**
 * Tests for {@link InMemoryKeySpaceStore}.
 */
class InMemoryKeySpaceStoreTests extends AbstractKeySpaceStoreTests {

	private final InMemoryKeySpaceStore store = new InMemoryKeySpaceStore();

	@Override
	protected KeySpaceStore instance() {
		return this.store;
	}

}
