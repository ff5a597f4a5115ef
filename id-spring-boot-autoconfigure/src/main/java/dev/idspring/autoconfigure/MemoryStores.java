package dev.idspring.autoconfigure;

import java.lang.ref.WeakReference;

import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.worker.TimeSource;

/**
 * The in-memory stores. All contexts that are open in a JVM at the same time share the
 * stores, except contexts with their own clock, as in a test. With separate stores,
 * contexts draw the same ids. The shared stores are discarded with the last context, even
 * if that context was abandoned without being closed.
 */
final class MemoryStores implements AutoCloseable {

	/**
	 * The shared stores. The reference is static, because the contexts of a JVM may have
	 * nothing else in common. It is weak, so the stores of abandoned contexts are freed.
	 */
	private static WeakReference<MemoryStores> sharedStores = new WeakReference<>(null);

	private final InMemoryKeySpaceStore keySpaces;

	private final InMemorySlotStore slots;

	private int openContexts;

	private MemoryStores(TimeSource timeSource) {
		this.keySpaces = new InMemoryKeySpaceStore(timeSource);
		this.slots = new InMemorySlotStore(timeSource);
	}

	/**
	 * Open the stores for one context.
	 * @param timeSource the clock of the context
	 */
	static MemoryStores open(TimeSource timeSource) {
		if (timeSource != TimeSource.system()) {
			return new MemoryStores(timeSource);
		}
		synchronized (MemoryStores.class) {
			MemoryStores stores = sharedStores.get();
			if (stores == null) {
				stores = new MemoryStores(timeSource);
				sharedStores = new WeakReference<>(stores);
			}
			stores.openContexts++;
			return stores;
		}
	}

	@Override
	public void close() {
		synchronized (MemoryStores.class) {
			this.openContexts--;
			if (this.openContexts == 0 && sharedStores.get() == this) {
				sharedStores = new WeakReference<>(null);
			}
		}
	}

	InMemoryKeySpaceStore keySpaces() {
		return this.keySpaces;
	}

	InMemorySlotStore slots() {
		return this.slots;
	}

}
