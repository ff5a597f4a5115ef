package dev.idspring.benchmarks;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How a part ended.
 *
 * @param jdk on what, or {@code null} if it has not run
 * @param ended when, or {@code null} if it has not run
 * @param load how many threads of other programs and ours waited for a core on average in
 * the minute before it began, negative if the system does not tell
 * @param problem what went wrong, or {@code null} if nothing did
 */
public record Outcome(@Nullable String jdk, @Nullable Instant ended, double load, @Nullable String problem) {

	/**
	 * Return the name of the file for a part.
	 */
	public static String file(String part) {
		return "outcome-" + part;
	}

}
