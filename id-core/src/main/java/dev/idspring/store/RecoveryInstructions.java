package dev.idspring.store;

import java.time.Duration;
import java.util.Locale;

import dev.idspring.DurationText;
import dev.idspring.keyspace.KeySpace;

/**
 * Recovery instructions that are appended to failure messages.
 *
 * @since 0.1.0
 */
public final class RecoveryInstructions {

	/** Marks a number that is not known. */
	public static final long UNKNOWN = -1;

	private RecoveryInstructions() {
	}

	/**
	 * Return the instructions for a key space whose keys are all used. If the key space
	 * has an upper bound, the instructions name the Spring Boot property to change, and
	 * the Java parameter for applications without Spring Boot.
	 * @param generator the name of the generator
	 * @param keySpace the key space of the generator
	 * @return a sentence
	 */
	public static String raiseBound(String generator, KeySpace keySpace) {
		String bound = keySpace.boundParameter();
		if (bound == null) {
			return "Use another key space, but only for a table that has no rows yet.";
		}
		String strategy = keySpace.definition().split(" ", 2)[0];
		String prefix = generator.equals("default") ? "ids." : "ids.generators." + generator + ".";
		String property = bound.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
		// two properties set the maximum length, and a user may set only one of them
		String alias = property.equals("max-length") ? " or " + prefix + "text." + property + ", whichever you use"
				: "";
		return "Raise the upper bound of the key space (" + prefix + strategy + "." + property + alias
				+ ", or the setting " + bound
				+ " in Java), or use another key space, but only for a table that has no rows yet.";
	}

	/**
	 * Return the instructions for a counter whose store has lost reservations.
	 * @param keySpaceName the name of the key space
	 * @param atLeast the minimum number of ids that were lost, or {@link #UNKNOWN}
	 * @return one or more sentences
	 */
	public static String skipAhead(String keySpaceName, long atLeast) {
		return skipAhead(keySpaceName, atLeast, "");
	}

	/**
	 * Return the instructions for a key space of series whose store has lost
	 * reservations.
	 * @param keySpaceName the name of the key space
	 * @param atLeast the minimum number of ids that were lost in a series, or
	 * {@link #UNKNOWN}
	 * @param series the minimum number of series that were lost, or {@link #UNKNOWN}
	 * @return one or more sentences
	 */
	public static String skipSeriesAhead(String keySpaceName, long atLeast, long series) {
		return skipAhead(keySpaceName, atLeast,
				" --ids.skip-ahead.series=" + atLeast(series, "how many series may have been started since"));
	}

	/**
	 * Return the instructions for a counter whose store may have lost reservations.
	 * @param keySpaceName the name of the key space
	 * @return one or more sentences
	 */
	public static String skipAheadIfLost(String keySpaceName) {
		return "If a backup was restored or a lagging replica was promoted, run "
				+ skipAheadCommand(keySpaceName, UNKNOWN, "");
	}

	/**
	 * Return the steps that recreate a key space after it has vanished from its store.
	 * These steps must precede all other instructions. An instance that draws ids before
	 * the lost ids are skipped would issue the lost ids again.
	 * @param setting the setting that an instance needs to create the key space, such as
	 * {@code ids.redis.initialize=always}, or an empty string if it needs none
	 * @return one or more sentences
	 */
	public static String createAgain(String setting) {
		return "Stop all instances. Start one" + (setting.isEmpty() ? "" : " with " + setting)
				+ " that gets no requests, so that it creates the key space again without drawing ids, and stop it"
				+ (setting.isEmpty() ? "." : ". Remove this setting.");
	}

	private static String skipAhead(String keySpaceName, long atLeast, String seriesOption) {
		return "A backup was restored or a lagging replica was promoted, so ids would repeat. Run "
				+ skipAheadCommand(keySpaceName, atLeast, seriesOption);
	}

	private static String skipAheadCommand(String keySpaceName, long atLeast, String seriesOption) {
		String keySpace = "--ids.skip-ahead.key-space=" + keySpaceName;
		String argument = keySpaceName.matches("[A-Za-z0-9._-]+") ? keySpace
				: '"' + keySpace.replaceAll("[\"\\\\$`]", "\\\\$0") + '"';
		return "java -jar <application>.jar --ids.command=skip-ahead " + argument + " --ids.skip-ahead.by="
				+ atLeast(atLeast, "how many ids may be lost") + seriesOption
				+ " to see what the command would do. Then run it again with --ids.skip-ahead.confirm=true, and restart"
				+ " all instances.";
	}

	private static String atLeast(long number, String placeholder) {
		return "<" + ((number != UNKNOWN) ? number + " or more" : placeholder) + ">";
	}

	/**
	 * Return the instructions for time-based generators whose store has lost
	 * reservations.
	 * @param waitingTime how long to wait until the clock has passed all times that may
	 * be in use
	 * @return one or more sentences
	 */
	public static String awaitTime(Duration waitingTime) {
		return "A backup was restored or a lagging replica was promoted, so ids could repeat. Stop all instances, wait"
				+ " for " + DurationText.rounded(waitingTime)
				+ " so that the clock passes all times that may be in use, and start them again. Do not run the"
				+ " command skip-ahead, which is only for counters.";
	}

}
