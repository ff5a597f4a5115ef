package dev.idspring.soak;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts what happened to the applications of one database, and sees to it that no id
 * comes twice.
 */
final class Tally {

	private static final int COMPLAINTS_KEPT = 20;

	private final Map<String, LongAdder> drawn = new LinkedHashMap<>();

	private final Map<String, Marks> marks = new LinkedHashMap<>();

	private final LongAdder faults = new LongAdder();

	private final LongAdder started = new LongAdder();

	private final LongAdder notStarted = new LongAdder();

	private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

	Tally() {
		for (String strategy : SoakApplication.STRATEGIES) {
			this.drawn.put(strategy, new LongAdder());
			this.marks.put(strategy, new Marks(strategy));
		}
	}

	/**
	 * Return what knows which ids of a strategy there have been.
	 */
	Marks marks(String strategy) {
		return this.marks.get(strategy);
	}

	void drawn(String strategy, int count) {
		this.drawn.get(strategy).add(count);
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

	/**
	 * Return how many ids there are of each strategy.
	 */
	Map<String, Long> counts() {
		return this.drawn.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (count) -> count.getValue().sum(), Long::sum, TreeMap::new));
	}

	Collection<String> complaints() {
		return this.complaints;
	}

	@Override
	public String toString() {
		return this.started + " applications, " + this.notStarted + " not started, " + this.faults
				+ " failures felt, ids drawn " + counts();
	}

}
