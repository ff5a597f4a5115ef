package dev.idspring.monitor;

import java.time.Duration;
import java.time.Instant;

import dev.idspring.InvalidSettingException;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a key space is low: few of its keys are left, or it will soon be used
 * up.
 *
 * @param remainingShare the share of unreserved keys, from 0 to 1, below which a key
 * space is low
 * @param horizon a key space is also low if it is projected to be used up within this
 * time
 * @since 0.1.0
 */
public record LowThreshold(double remainingShare, Duration horizon) {

	/**
	 * Create a threshold.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public LowThreshold {
		InvalidSettingException.require(remainingShare >= 0 && remainingShare <= 1, LowThreshold.class,
				"remainingShare", remainingShare, "must be from 0 to 1");
		InvalidSettingException.requireGiven(LowThreshold.class, "horizon", horizon);
		InvalidSettingException.require(!horizon.isNegative(), LowThreshold.class, "horizon", horizon,
				"must not be negative");
	}

	/**
	 * Return the default threshold.
	 * @return a threshold of 10 percent and 30 days
	 */
	public static LowThreshold defaults() {
		return new LowThreshold(0.1, Duration.ofDays(30));
	}

	/**
	 * Return whether a key space is low.
	 * @param keySpace the key space
	 * @param now the current instant
	 * @return {@code true} if the share or the time left is below its limit
	 */
	public boolean isReached(KeySpaceSnapshot keySpace, Instant now) {
		InvalidSettingException.requireGiven(LowThreshold.class, "keySpace", keySpace);
		InvalidSettingException.requireGiven(LowThreshold.class, "now", now);
		return keySpace.remaining().doubleValue() < this.remainingShare * keySpace.capacity().doubleValue()
				|| isWithinHorizon(keySpace.soonestEnd(), now);
	}

	private boolean isWithinHorizon(@Nullable Instant end, Instant now) {
		return end != null && Duration.between(now, end).compareTo(this.horizon) < 0;
	}

}
