package dev.idspring.soak;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what happened.
 */
final class Tally {

	private static final int COMPLAINTS_KEPT = 20;

	private final ConcurrentMap<String, LongAdder> drawn = new ConcurrentHashMap<>();

	private final LongAdder faults = new LongAdder();

	private final LongAdder started = new LongAdder();

	private final LongAdder notStarted = new LongAdder();

	private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

	void drawn(String strategy, int count) {
		this.drawn.computeIfAbsent(strategy, (key) -> new LongAdder()).add(count);
	}

	void failed() {
		this.faults.increment();
	}

	void started() {
		this.started.increment();
	}

	void notStarted() {
		this.notStarted.increment();
	}

	/**
	 * Note what must not happen.
	 */
	void complain(String complaint) {
		if (this.complaints.size() < COMPLAINTS_KEPT) {
			this.complaints.add(complaint);
		}
	}

	long faults() {
		return this.faults.sum();
	}

	Set<String> strategies() {
		return this.drawn.keySet();
	}

	Collection<String> complaints() {
		return this.complaints;
	}

	@Override
	public String toString() {
		return this.started + " applications, " + this.notStarted + " not started, " + this.faults
				+ " failures felt, ids drawn " + Map.copyOf(this.drawn);
	}

}
