package dev.idspring.benchmarks;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of one part of the benchmarks.
 *
 * @param jdk the JDK that started the part, or {@code null} if the part has not run
 * @param ended when the part ended, or {@code null} if it has not run
 * @param load the load average of the system over the minute before the part began,
 * negative if unknown
 * @param problem why the part failed, or {@code null} if it succeeded or has not run
 */
public record Outcome(@Nullable String jdk, @Nullable Instant ended, double load, @Nullable String problem) {

	/**
	 * Return the name of the file with the outcome of a part.
	 */
	public static String file(String part) {
		return "outcome-" + part;
	}

}
