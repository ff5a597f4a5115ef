package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.redis.RedisDatabase;
import dev.idspring.redis.RedisSettings;
import dev.idspring.store.NetworkFailure;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * Opens the stores on a Valkey or Redis server, through dedicated connections.
 */
final class RedisStoreConnector extends StoreConnector {

	/**
	 * The properties that configure the address of the server. The failure analysis
	 * prints their values. Therefore the list does not name the group
	 * {@code spring.data.redis}, which includes the password.
	 */
	private static final List<String> ADDRESS_PROPERTIES = List.of("spring.data.redis.url", "spring.data.redis.host",
			"spring.data.redis.port", "spring.data.redis.database", "spring.data.redis.sentinel.nodes",
			"spring.data.redis.cluster.nodes");

	private final LettuceConnectionFactory connections;

	private final IdsRedisProperties properties;

	/**
	 * Whether the connection factory is marked for ids rather than shared with the
	 * application.
	 */
	private final boolean forIds;

	private @Nullable RedisDatabase database;

	RedisStoreConnector(LettuceConnectionFactory connections, IdsRedisProperties properties, boolean forIds,
			Duration timeout, TimeSource timeSource) {
		super(StoreType.REDIS, timeout, timeSource);
		this.connections = connections;
		this.properties = properties;
		this.forIds = forIds;
	}

	/**
	 * Connect to the server.
	 * @param otherWork work that the calling thread does in the meantime. It must not use
	 * the server
	 */
	RedisDatabase connect(Runnable otherWork) {
		RedisDatabase database = open(() -> RedisDatabase.open(this.connections, settings(), deadline()), otherWork);
		this.database = database;
		return database;
	}

	@Override
	Object resource() {
		return this.connections;
	}

	@Override
	public void close() {
		if (this.database != null) {
			this.database.close();
		}
	}

	private RedisSettings settings() {
		return new RedisSettings(this.properties.keyPrefix(), this.properties.local(), this.properties.replicas(),
				this.properties.initialize() == IdsRedisProperties.Initialize.ALWAYS, this.properties.acceptDataLoss(),
				this.properties.failoverMargin(), this.properties.failoverLag());
	}

	@Override
	IdStoreUnavailableException unreachable(String problem, RuntimeException cause) {
		String sentence = StringUtils.trimTrailingCharacter(problem, '.') + ". ";
		String remedy = NetworkFailure.of(cause).map(NetworkFailure::remedy).orElseGet(StoreType.REDIS::advice)
				+ DRIVER_HINT;
		return this.forIds
				? new UnreachableException(
						sentence + "This is the server of the LettuceConnectionFactory that is marked with"
								+ " @IdsRedisConnectionFactory.",
						List.of(), remedy, cause)
				: new UnreachableException(sentence + "The address of the server comes from spring.data.redis: "
						+ this.connections.getHostName() + ":" + this.connections.getPort()
						+ ", unless Sentinels or a cluster are configured, or the application declares a"
						+ " RedisConnectionFactory itself.", ADDRESS_PROPERTIES, remedy, cause);
	}

}
