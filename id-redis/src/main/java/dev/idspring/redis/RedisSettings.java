package dev.idspring.redis;

import java.time.Duration;

import dev.idspring.InvalidSettingException;

/**
 * How a Valkey or Redis server is used.
 *
 * @param keyPrefix what the names of the keys begin with, in braces: 1 to 50 letters,
 * digits and {@code . _ - :}. The braces keep the keys of all key spaces in one hash slot
 * @param local on how many disks of the server itself a change is before it is used: 1,
 * or 0 to leave that to the replicas
 * @param replicas on how many disks of replicas it is beside that: 0 to 100
 * @param initialize whether key spaces that are missing are created
 * @param acceptDataLoss whether a server is used that may lose what it has confirmed, or
 * drop keys: ids may then repeat, and warnings say why
 * @param failoverMargin how many ids all instances together may reserve at once, and so
 * how far a key space skips ahead when another server has taken over or the server was
 * restarted; 0 for no limit and no skip
 * @param failoverLag what a server that takes over may lack of the time before the
 * fail-over, from 100 ms to 10 min. For as long it then reserves nothing. The same for
 * all instances
 * @since 0.1.0
 */
public record RedisSettings(String keyPrefix, int local, int replicas, boolean initialize, boolean acceptDataLoss,
		long failoverMargin, Duration failoverLag) {

	private static final long DEFAULT_MARGIN = 1_000_000;

	private static final Duration DEFAULT_LAG = Duration.ofSeconds(5);

	/**
	 * Create settings.
	 * @throws InvalidSettingException if a value cannot be used
	 */
	public RedisSettings {
		InvalidSettingException.requireGiven(RedisSettings.class, "keyPrefix", keyPrefix);
		InvalidSettingException.require(keyPrefix.matches("[A-Za-z0-9._:-]{1,50}"), RedisSettings.class, "keyPrefix",
				keyPrefix, "must be 1 to 50 letters, digits and . _ - :");
		InvalidSettingException.require(local == 0 || local == 1, RedisSettings.class, "local", local,
				"must be 1, or 0 to wait for replicas only");
		InvalidSettingException.require(replicas >= 0 && replicas <= 100, RedisSettings.class, "replicas", replicas,
				"must be 0 to 100");
		InvalidSettingException.require(local + replicas > 0 || acceptDataLoss, RedisSettings.class, "local", local,
				"must be 1 unless replicas confirm: ids would be used that are on no disk");
		InvalidSettingException.require(failoverMargin >= 0, RedisSettings.class, "failoverMargin", failoverMargin,
				"must not be negative: say how many ids a fail-over may lose, or 0 to do nothing about it");
		InvalidSettingException.requireRange(RedisSettings.class, "failoverLag", failoverLag, Duration.ofMillis(100),
				Duration.ofMinutes(10));
	}

	/**
	 * Return the default settings.
	 * @return settings that wait for the disk of the server, and create nothing
	 */
	public static RedisSettings defaults() {
		return new RedisSettings("ids", 1, 0, false, false, DEFAULT_MARGIN, DEFAULT_LAG);
	}

	/**
	 * Return the same settings with another prefix.
	 * @param prefix what the names of the keys begin with
	 * @return the settings
	 */
	public RedisSettings withKeyPrefix(String prefix) {
		return new RedisSettings(prefix, this.local, this.replicas, this.initialize, this.acceptDataLoss,
				this.failoverMargin, this.failoverLag);
	}

	/**
	 * Return the same settings with other confirmations.
	 * @param local 1 for the disk of the server, else 0
	 * @param replicas on how many disks of replicas a change is before it is used
	 * @return the settings
	 */
	public RedisSettings withConfirmations(int local, int replicas) {
		return new RedisSettings(this.keyPrefix, local, replicas, this.initialize, this.acceptDataLoss,
				this.failoverMargin, this.failoverLag);
	}

	/**
	 * Return the same settings, which create key spaces or do not.
	 * @param initialize whether key spaces that are missing are created
	 * @return the settings
	 */
	public RedisSettings withInitialize(boolean initialize) {
		return new RedisSettings(this.keyPrefix, this.local, this.replicas, initialize, this.acceptDataLoss,
				this.failoverMargin, this.failoverLag);
	}

	/**
	 * Return the same settings, which accept any server or do not.
	 * @param accept whether ids may repeat
	 * @return the settings
	 */
	public RedisSettings withAcceptDataLoss(boolean accept) {
		return new RedisSettings(this.keyPrefix, this.local, this.replicas, this.initialize, accept,
				this.failoverMargin, this.failoverLag);
	}

	/**
	 * Return the same settings for other fail-overs.
	 * @param margin how many ids a fail-over may lose, 0 to do nothing about it
	 * @param lag what a server that takes over may lack
	 * @return the settings
	 */
	public RedisSettings withFailover(long margin, Duration lag) {
		return new RedisSettings(this.keyPrefix, this.local, this.replicas, this.initialize, this.acceptDataLoss,
				margin, lag);
	}

}
