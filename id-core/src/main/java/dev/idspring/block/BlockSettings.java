package dev.idspring.block;

import java.time.Duration;

/**
 * How many ordinals are reserved ahead of use, and how long callers wait for them.
 *
 * @param size how many ordinals the first blocks hold; blocks grow from there with use
 * and shrink back to it
 * @param maxSize how many ordinals a block holds at most
 * @param waitTimeout how long a caller waits at most when no id is left in memory; also
 * the limit for each attempt at the store; from 100 milliseconds to an hour
 * @param outageReserve for how long an outage of the store should be bridged by ids in
 * memory, at the rate measured so far; zero for no more than the usual block ahead
 * @since 0.1.0
 */
public record BlockSettings(long size, long maxSize, Duration waitTimeout, Duration outageReserve) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public BlockSettings {
		check(size >= 1, "size", size, "must be at least 1");
		check(maxSize >= size, "max-size", maxSize, "must be at least block.size, which is " + size);
		check(waitTimeout.compareTo(Duration.ofMillis(100)) >= 0 && waitTimeout.compareTo(Duration.ofHours(1)) <= 0,
				"wait-timeout", waitTimeout, "must be between 100ms and 1h");
		check(!outageReserve.isNegative() && outageReserve.compareTo(Duration.ofDays(1)) <= 0, "outage-reserve",
				outageReserve, "must be between 0s and 1d");
	}

	/**
	 * Return the default settings.
	 * @return blocks of 1,000 to 5,000,000 ordinals, a wait of at most 5 seconds, no
	 * reserve for outages
	 */
	public static BlockSettings defaults() {
		return new BlockSettings(1_000, 5_000_000, Duration.ofSeconds(5), Duration.ZERO);
	}

	private static void check(boolean valid, String name, Object value, String rule) {
		if (!valid) {
			throw new IllegalArgumentException("block." + name + " is " + value + " but " + rule);
		}
	}

}
