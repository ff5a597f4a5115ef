package dev.idspring.redis;

import java.time.Duration;

import dev.idspring.InvalidSettingException;

/**
 * The settings of the stores on a Valkey or Redis server.
 *
 * @param keyPrefix the prefix of the names of all Redis keys: 1 to 50 letters, digits and
 * {@code . _ - :}. Each name contains the prefix in braces, so that a cluster stores all
 * keys in one hash slot
 * @param local whether the server itself must confirm that a change is on its disk: 1 if
 * it must, or 0 to rely on the replicas
 * @param replicas how many replicas must confirm that a change is on their disk: 0 to 100
 * @param initialize whether to create missing key spaces
 * @param acceptDataLoss whether to use a server even if it may lose confirmed writes or
 * evict keys. Ids may then repeat, and warnings state the reason
 * @param failoverMargin how many ids all instances together may reserve from a new key
 * space in one burst. After a burst, the rate is limited. Burst and rate rise with use.
 * After a fail-over or a restart of the server, a key space skips the ids that the server
 * could have reserved and then lost, but at most 1/64 of the ids that are left (with
 * recycled ids possibly more). With 0, reservations are not limited, no ids are skipped,
 * and ids may repeat after a fail-over
 * @param failoverLag the longest replication lag that a server may have when it takes
 * over, from 100 ms to 10 minutes. The new server reserves nothing for this long. All
 * instances must use the same value
 * @since 0.1.0
 */
public record RedisSettings(String keyPrefix, int local, int replicas, boolean initialize, boolean acceptDataLoss,
		long failoverMargin, Duration failoverLag) {

	private static final long DEFAULT_MARGIN = 1_000_000;

	private static final Duration DEFAULT_LAG = Duration.ofSeconds(5);

	/**
	 * Create settings.
	 * @throws InvalidSettingException if a value is invalid
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
				"must be 1 unless replicas confirm: otherwise no disk would confirm a reservation");
		InvalidSettingException.require(failoverMargin >= 0, RedisSettings.class, "failoverMargin", failoverMargin,
				"must not be negative: set how many ids may be reserved in one burst, or 0 for no protection");
		InvalidSettingException.requireRange(RedisSettings.class, "failoverLag", failoverLag, Duration.ofMillis(100),
				Duration.ofMinutes(10));
	}

	/**
	 * Return the default settings.
	 * @return settings with the prefix {@code ids}, one confirmation by the disk of the
	 * server, and no creation of missing key spaces
	 */
	public static RedisSettings defaults() {
		return new RedisSettings("ids", 1, 0, false, false, DEFAULT_MARGIN, DEFAULT_LAG);
	}

	/**
	 * Return the same settings with another prefix.
	 * @param prefix the prefix of the key names
	 * @return the settings
	 */
	public RedisSettings withKeyPrefix(String prefix) {
		return new RedisSettings(prefix, this.local, this.replicas, this.initialize, this.acceptDataLoss,
				this.failoverMargin, this.failoverLag);
	}

	/**
	 * Return the same settings with other required confirmations.
	 * @param local 1 if the disk of the server must confirm a change, otherwise 0
	 * @param replicas how many replicas must confirm that a change is on their disk
	 * @return the settings
	 */
	public RedisSettings withConfirmations(int local, int replicas) {
		return new RedisSettings(this.keyPrefix, local, replicas, this.initialize, this.acceptDataLoss,
				this.failoverMargin, this.failoverLag);
	}

	/**
	 * Return the same settings with the creation of key spaces enabled or disabled.
	 * @param initialize whether to create missing key spaces
	 * @return the settings
	 */
	public RedisSettings withInitialize(boolean initialize) {
		return new RedisSettings(this.keyPrefix, this.local, this.replicas, initialize, this.acceptDataLoss,
				this.failoverMargin, this.failoverLag);
	}

	/**
	 * Return the same settings with data loss accepted or rejected.
	 * @param accept whether to use a server even if it may lose confirmed writes
	 * @return the settings
	 */
	public RedisSettings withAcceptDataLoss(boolean accept) {
		return new RedisSettings(this.keyPrefix, this.local, this.replicas, this.initialize, accept,
				this.failoverMargin, this.failoverLag);
	}

	/**
	 * Return the same settings with another fail-over margin and lag.
	 * @param margin how many ids may be reserved in one burst, or 0 for no protection
	 * @param lag the longest replication lag that a server may have when it takes over
	 * @return the settings
	 */
	public RedisSettings withFailover(long margin, Duration lag) {
		return new RedisSettings(this.keyPrefix, this.local, this.replicas, this.initialize, this.acceptDataLoss,
				margin, lag);
	}

}
