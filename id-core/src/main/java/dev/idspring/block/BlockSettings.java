package dev.idspring.block;

import java.time.Duration;

import dev.idspring.InvalidSettingException;

/**
 * How many ordinals are reserved ahead of use, and how long callers wait for them.
 *
 * @param size how many ordinals the first blocks hold; blocks grow from there with use
 * and shrink back to it
 * @param maxSize how many ordinals a block holds at most
 * @param waitTimeout how long a caller waits at most when no id is left in memory; also
 * the limit for each attempt at the store; from 100 milliseconds to an hour
 * @param outageReserve how long an outage of the store the ids in memory should bridge,
 * at the rate measured so far; zero for only the usual block ahead
 * @since 0.1.0
 */
public record BlockSettings(long size, long maxSize, Duration waitTimeout, Duration outageReserve) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names it
	 */
	public BlockSettings {
		InvalidSettingException.require(size >= 1, BlockSettings.class, "size", size, "must be at least 1");
		InvalidSettingException.require(maxSize >= size, BlockSettings.class, "maxSize", maxSize,
				"must be at least %s, which is " + size, "size");
		verifyWaitTimeout(waitTimeout);
		InvalidSettingException.requireRange(BlockSettings.class, "outageReserve", outageReserve, Duration.ZERO,
				Duration.ofDays(1));
	}

	/**
	 * Return the default settings.
	 * @return blocks of 1,000 to 5,000,000 ordinals, a wait of at most 5 seconds, no
	 * reserve for outages
	 */
	public static BlockSettings defaults() {
		return new BlockSettings(1_000, 5_000_000, Duration.ofSeconds(5), Duration.ZERO);
	}

	/**
	 * Verify how long a caller waits at most.
	 * @param waitTimeout the time
	 * @return the same time
	 * @throws InvalidSettingException if it is out of range
	 */
	public static Duration verifyWaitTimeout(Duration waitTimeout) {
		InvalidSettingException.requireRange(BlockSettings.class, "waitTimeout", waitTimeout, Duration.ofMillis(100),
				Duration.ofHours(1));
		return waitTimeout;
	}

}
