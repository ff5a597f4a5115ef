package dev.idspring.store.memory;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;

import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore;
import dev.idspring.test.SlotStoreContract;
import dev.idspring.worker.TimeSource;

/**
 * Tests for {@link InMemorySlotStore}.
 */
class InMemorySlotStoreTests extends SlotStoreContract {

	private final ThreadLocal<Duration> clockOffset = ThreadLocal.withInitial(() -> Duration.ZERO);

	private final InMemorySlotStore store = new InMemorySlotStore(new TimeSource() {

		private final Instant start = Instant.parse("2026-01-01T00:00:00Z");

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public Instant instant() {
			return this.start.plus(InMemorySlotStoreTests.this.clockOffset.get());
		}

	});

	@Override
	protected SlotStore newStore() {
		return newStore(Duration.ZERO);
	}

	@Override
	protected SlotStore newStore(Duration clockOffset) {
		return (SlotStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { SlotStore.class },
				(proxy, method, arguments) -> {
					this.clockOffset.set(clockOffset);
					try {
						return method.invoke(this.store, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
					finally {
						this.clockOffset.remove();
					}
				});
	}

	@Override
	protected void createKeySpace(String name) {
		// nothing to do, because the key space is created together with its first slot
	}

	@Override
	protected void forget(Slot slot) {
		this.store.forget(NAME, slot.number());
	}

}
