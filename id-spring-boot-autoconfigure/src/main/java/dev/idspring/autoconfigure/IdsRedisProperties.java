package dev.idspring.autoconfigure;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the store on a Valkey or Redis server.
 *
 * @param keyPrefix Prefix of the keys of the id store. In a cluster, all of these keys
 * are in the same hash slot.
 * @param local Whether a reservation must be on the disk of the server itself (1), or
 * only on the disks of replicas (0).
 * @param replicas Number of replicas that must confirm that a reservation is on their
 * disks.
 * @param initialize When to create key spaces that are missing on the server.
 * @param acceptDataLoss Whether to use a server that may lose confirmed writes or evict
 * keys. Ids may then repeat.
 * @param failoverMargin Maximum number of ids that all instances together may reserve
 * from a new key space in one burst. After a burst, the rate is limited. Both limits rise
 * with use. After a fail-over or a restart of the server, a key space skips as many ids
 * as the server could have reserved and then lost, but at most 1/64 of the ids that are
 * left (with recycled possibly more). The value 0 disables this protection, also for
 * nodes.
 * @param failoverLag Longest replication lag that a server may have when it takes over.
 * For this long after a fail-over, no ids are reserved. Must be the same for all
 * instances.
 * @since 0.1.0
 */
@ConfigurationProperties("ids.redis")
public record IdsRedisProperties(@DefaultValue("ids") String keyPrefix, @DefaultValue("1") Integer local,
		@DefaultValue("0") Integer replicas, @DefaultValue("never") Initialize initialize,
		@DefaultValue("false") Boolean acceptDataLoss, @DefaultValue("1000000") Long failoverMargin,
		@DefaultValue("5s") Duration failoverLag) {

	/**
	 * When to create key spaces that are missing on the server.
	 */
	public enum Initialize {

		/**
		 * Never. A missing key space prevents the application from starting, because the
		 * server may have lost it.
		 */
		NEVER,

		/**
		 * When a generator is opened and its key space is missing.
		 */
		ALWAYS

	}

}
