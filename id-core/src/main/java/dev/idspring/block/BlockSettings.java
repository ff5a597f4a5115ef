package dev.idspring.block;

import java.time.Duration;

import dev.idspring.InvalidSettingException;

/**
 * How many ordinals (positions of ids in their key space) are reserved ahead of use, and
 * how long callers wait for more.
 *
 * @param size the initial number of ordinals per block; blocks grow with the rate of use,
 * and shrink back to this size when the rate falls
 * @param maxSize the maximum number of ordinals per block, unless waiting callers need
 * more
 * @param waitTimeout the longest time that a caller waits when too few ids are in memory,
 * and the time limit for each access to the store; from 100 milliseconds to an hour
 * @param outageReserve how long the ids in memory should last at the measured rate of use
 * while the store is unavailable; from zero (no reserve) to a day
 * @since 0.1.0
 */
public record BlockSettings(long size, long maxSize, Duration waitTimeout, Duration outageReserve) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range; the message names the
	 * value
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
	 * @return blocks of 1,000 to 5,000,000 ordinals, a wait of at most 5 seconds, and no
	 * reserve for outages
	 */
	public static BlockSettings defaults() {
		return new BlockSettings(1_000, 5_000_000, Duration.ofSeconds(5), Duration.ZERO);
	}

	/**
	 * Verify that a wait timeout is in range.
	 * @param waitTimeout the wait timeout
	 * @return the given wait timeout
	 * @throws InvalidSettingException if it is out of range
	 */
	public static Duration verifyWaitTimeout(Duration waitTimeout) {
		InvalidSettingException.requireRange(BlockSettings.class, "waitTimeout", waitTimeout, Duration.ofMillis(100),
				Duration.ofHours(1));
		return waitTimeout;
	}

}
