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
 * Counts ids and failures of the applications on one database, and records violations.
 */
final class Tally {

	private static final int MAX_VIOLATIONS = 20;

	private final Map<String, LongAdder> drawn = new LinkedHashMap<>();

	private final Map<String, Marks> marks = new LinkedHashMap<>();

	private final LongAdder faults = new LongAdder();

	private final LongAdder started = new LongAdder();

	private final LongAdder notStarted = new LongAdder();

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	Tally() {
		for (String strategy : SoakApplication.STRATEGIES) {
			this.drawn.put(strategy, new LongAdder());
			this.marks.put(strategy, new Marks(strategy));
		}
	}

	/**
	 * Return the detector of duplicate ids of a strategy.
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

	void addViolation(String violation) {
		if (this.violations.size() < MAX_VIOLATIONS) {
			this.violations.add(violation);
		}
	}

	long faults() {
		return this.faults.sum();
	}

	/**
	 * Return the number of ids drawn from each strategy.
	 */
	Map<String, Long> counts() {
		return this.drawn.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (count) -> count.getValue().sum(), Long::sum, TreeMap::new));
	}

	Collection<String> violations() {
		return this.violations;
	}

	@Override
	public String toString() {
		return this.started + " applications, " + this.notStarted + " not started, " + this.faults
				+ " failures seen, ids drawn " + counts();
	}

}
