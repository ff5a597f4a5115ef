package dev.idspring.redis;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.worker.Deadline;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The server that the stores share, behind a {@link LettuceConnectionFactory}: one
 * server, one that Sentinels watch, or a cluster.
 *
 * @since 0.1.0
 */
public final class RedisDatabase implements AutoCloseable {

	private final RedisSettings settings;

	private RedisDatabase(RedisSettings settings) {
		this.settings = settings;
	}

	/**
	 * Open a server: make sure that it keeps what it confirms.
	 * @param factory says where the server is and how to connect. Its connections are not
	 * used, as those of the stores never reconnect by themselves
	 * @param settings how the server is used
	 * @param deadline how long this may take
	 * @return the database, to be closed
	 * @throws IdSetupException if the server may lose what it confirms
	 * @throws IdStoreUnavailableException if it did not answer in time
	 */
	public static RedisDatabase open(LettuceConnectionFactory factory, RedisSettings settings, Deadline deadline) {
		return new RedisDatabase(settings);
	}

	/**
	 * Describe this database.
	 * @return what operators should know
	 */
	public StoreDescription describe() {
		throw new UnsupportedOperationException(this.settings.keyPrefix());
	}

	/**
	 * Close the connections.
	 */
	@Override
	public void close() {
	}

}
