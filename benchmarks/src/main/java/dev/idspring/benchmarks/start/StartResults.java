package dev.idspring.benchmarks.start;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How long an application takes to start, in milliseconds from the start of its JVM.
 *
 * @param with with the starter, or {@code null} if nothing was measured
 * @param without without it
 * @param classesWith how many classes it loads with the starter
 * @param classesWithout and how many without it
 */
public record StartResults(@Nullable List<Long> with, @Nullable List<Long> without, @Nullable Double classesWith,
		@Nullable Double classesWithout) {

	/**
	 * Return the median.
	 */
	public static double median(List<Long> millis) {
		List<Long> sorted = millis.stream().sorted().toList();
		int middle = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
	}

}
