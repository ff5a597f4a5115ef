package dev.idspring.benchmarks.virtual;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How fast ids come to virtual threads.
 *
 * @param jdk the version of the JVM, or {@code null} if nothing was measured
 * @param threads how many threads there were
 * @param idsPerThread how many ids each of them drew
 * @param idsPerSecond what all of them together got, by the name of who gave
 */
public record VirtualResults(@Nullable String jdk, int threads, int idsPerThread,
		@Nullable Map<String, Double> idsPerSecond) {

	/**
	 * Return how fast ids came.
	 * @param name who gave them
	 * @return ids per second, or {@code null} if that was not measured
	 */
	public @Nullable Double speed(String name) {
		return (this.idsPerSecond != null) ? this.idsPerSecond.get(name) : null;
	}

}
