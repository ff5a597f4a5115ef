package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.idspring.monitor.KeySpaceSnapshot;
import dev.idspring.slot.Slot;
import dev.idspring.slot.StoredSlot;

/**
 * Tells all listeners, in the order in which they were added.
 */
record NodeListeners(List<NodeListener> listeners) implements NodeListener {

	@Override
	public void claimed(String generator, Slot slot) {
		this.listeners.forEach((listener) -> listener.claimed(generator, slot));
	}

	@Override
	public void lost(String generator, Slot slot, StoredSlot now) {
		this.listeners.forEach((listener) -> listener.lost(generator, slot, now));
	}

	@Override
	public void reserved(String generator, long number, Instant windowEnd) {
		this.listeners.forEach((listener) -> listener.reserved(generator, number, windowEnd));
	}

	@Override
	public void failed(String generator, RuntimeException failure, Duration left) {
		this.listeners.forEach((listener) -> listener.failed(generator, failure, left));
	}

	@Override
	public void low(String generator, KeySpaceSnapshot keySpace) {
		this.listeners.forEach((listener) -> listener.low(generator, keySpace));
	}

	@Override
	public void stopped(String generator, RuntimeException reason) {
		this.listeners.forEach((listener) -> listener.stopped(generator, reason));
	}

}
