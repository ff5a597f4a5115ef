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
 * Counts ids and failures of the applications on one database. Records violations, such
 * as a repeated id.
 */
final class Tally {

	private static final int MAX_VIOLATIONS = 20;

	private final Map<String, LongAdder> idCounts = new LinkedHashMap<>();

	private final Map<String, DuplicateDetector> detectors = new LinkedHashMap<>();

	private final LongAdder failures = new LongAdder();

	private final LongAdder starts = new LongAdder();

	private final LongAdder failedStarts = new LongAdder();

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	Tally() {
		for (String strategy : SoakApplication.STRATEGIES) {
			this.idCounts.put(strategy, new LongAdder());
			this.detectors.put(strategy, new DuplicateDetector(strategy));
		}
	}

	/**
	 * Return the detector of duplicate ids of a strategy.
	 */
	DuplicateDetector detector(String strategy) {
		return this.detectors.get(strategy);
	}

	void countDrawn(String strategy, int count) {
		this.idCounts.get(strategy).add(count);
	}

	void countFailure() {
		this.failures.increment();
	}

	void countStart() {
		this.starts.increment();
	}

	void countFailedStart() {
		this.failedStarts.increment();
	}

	void addViolation(String violation) {
		if (this.violations.size() < MAX_VIOLATIONS) {
			this.violations.add(violation);
		}
	}

	long failures() {
		return this.failures.sum();
	}

	/**
	 * Return the number of ids drawn with each strategy.
	 */
	Map<String, Long> idCounts() {
		return this.idCounts.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (count) -> count.getValue().sum(), Long::sum, TreeMap::new));
	}

	Collection<String> violations() {
		return this.violations;
	}

	@Override
	public String toString() {
		return this.starts + " applications, " + this.failedStarts + " not started, " + this.failures
				+ " failures seen, ids drawn " + idCounts();
	}

}
