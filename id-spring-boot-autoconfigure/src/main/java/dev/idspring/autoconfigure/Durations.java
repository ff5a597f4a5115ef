package dev.idspring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * Writes durations as they stand in configuration files. Spring Boot's own style writes
 * all of them in one unit.
 */
final class Durations {

	private static final List<Map.Entry<String, ChronoUnit>> UNITS = List.of(Map.entry("d", ChronoUnit.DAYS),
			Map.entry("h", ChronoUnit.HOURS), Map.entry("m", ChronoUnit.MINUTES), Map.entry("s", ChronoUnit.SECONDS),
			Map.entry("ms", ChronoUnit.MILLIS), Map.entry("us", ChronoUnit.MICROS), Map.entry("ns", ChronoUnit.NANOS));

	private Durations() {
	}

	/**
	 * Write a duration in the largest unit that it is a whole number of.
	 */
	static String print(Duration duration) {
		if (duration.isZero()) {
			return "0s";
		}
		for (Map.Entry<String, ChronoUnit> unit : UNITS) {
			Duration one = unit.getValue().getDuration();
			long count = duration.dividedBy(one);
			if (one.multipliedBy(count).equals(duration)) {
				return count + unit.getKey();
			}
		}
		return duration.toString();
	}

}
