package dev.idspring.autoconfigure;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the store on a Valkey or Redis server.
 *
 * @param keyPrefix What the keys of the id store begin with. All are in one hash slot of
 * a cluster.
 * @param local Number of disks of the server that a reservation waits for: 1, or 0 to
 * wait for replicas only.
 * @param replicas Number of replicas whose disks a reservation waits for.
 * @param initialize When to create key spaces that the server does not have.
 * @param acceptDataLoss Whether to use a server that may lose what it has confirmed or
 * drop keys. Ids may then repeat.
 * @param failoverMargin How many ids all instances together may reserve at once, and so
 * how far a key space skips ahead when another server has taken over or the server was
 * restarted. 0 for no limit and no skip.
 * @param failoverLag What a server that takes over may lack of the time before the
 * fail-over, for which it then reserves nothing. The same for all instances.
 * @since 0.1.0
 */
@ConfigurationProperties("ids.redis")
public record IdsRedisProperties(@DefaultValue("ids") String keyPrefix, @DefaultValue("1") int local,
		@DefaultValue("0") int replicas, @DefaultValue("never") Initialize initialize,
		@DefaultValue("false") boolean acceptDataLoss, @DefaultValue("1000000") long failoverMargin,
		@DefaultValue("5s") Duration failoverLag) {

	/**
	 * When key spaces are created.
	 */
	public enum Initialize {

		/**
		 * Never: one that is missing stops the start, as the server may have lost it.
		 */
		NEVER,

		/**
		 * When a generator finds none of its name.
		 */
		ALWAYS

	}

}
