package dev.idspring.benchmarks.virtual;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The results for virtual threads.
 *
 * @param jdk the version of the JVM, or {@code null} if nothing was measured
 * @param threads the number of threads
 * @param idsPerThread the number of ids that each thread drew
 * @param idsPerSecond the rate of all threads together, by the name of the contestant
 */
public record VirtualResults(@Nullable String jdk, int threads, int idsPerThread,
		@Nullable Map<String, Double> idsPerSecond) {

	/**
	 * Return the rate of a contestant.
	 * @param name the name of the contestant
	 * @return ids per second, or {@code null} if the contestant was not measured
	 */
	public @Nullable Double speed(String name) {
		return (this.idsPerSecond != null) ? this.idsPerSecond.get(name) : null;
	}

}
