package dev.idspring.redis;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.idspring.worker.Deadline;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections of the stores' own.
 * <ol>
 * <li>None reconnects by itself. {@code WAITAOF} waits for what <em>its</em> connection
 * has written, so on another one it would confirm what it knows nothing of.</li>
 * <li>Each is used by one thread at a time, and is closed when anything went wrong: what
 * comes late is read by nobody.</li>
 * </ol>
 */
final class RedisConnections implements AutoCloseable {

	/** A change that waits for the disk keeps its connection to itself. */
	private static final int MOST = 8;

	private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(10);

	private final LettuceConnectionFactory factory;

	private final byte[] key;

	private final Deque<RedisChannel> idle = new ConcurrentLinkedDeque<>();

	private final Semaphore permits = new Semaphore(MOST, true);

	private volatile boolean closed;

	/**
	 * Create connections.
	 * @param factory says where to connect to
	 * @param key a key of the hash slot that is used
	 */
	RedisConnections(LettuceConnectionFactory factory, byte[] key) {
		this.key = key;
		this.factory = new LettuceConnectionFactory(configuration(factory), client(factory));
		this.factory.setShareNativeConnection(false);
		this.factory.afterPropertiesSet();
		this.factory.start();
	}

	private static RedisConfiguration configuration(LettuceConnectionFactory factory) {
		if (factory.getClusterConfiguration() != null) {
			return factory.getClusterConfiguration();
		}
		if (factory.getSentinelConfiguration() != null) {
			return factory.getSentinelConfiguration();
		}
		return (factory.getSocketConfiguration() != null) ? factory.getSocketConfiguration()
				: factory.getStandaloneConfiguration();
	}

	private static LettuceClientConfiguration client(LettuceConnectionFactory factory) {
		LettuceClientConfiguration given = factory.getClientConfiguration();
		ClientOptions.Builder options = given.getClientOptions()
			.map(ClientOptions::mutate)
			.orElseGet(() -> (factory.getClusterConfiguration() != null) ? ClusterClientOptions.builder()
					: ClientOptions.builder());
		Duration timeout = given.getCommandTimeout();
		LettuceClientConfiguration.LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.commandTimeout((timeout.compareTo(LONGEST_HANDSHAKE) < 0) ? timeout : LONGEST_HANDSHAKE)
			.shutdownTimeout(given.getShutdownTimeout())
			.shutdownQuietPeriod(given.getShutdownQuietPeriod())
			.clientOptions(options.autoReconnect(false).timeoutOptions(TimeoutOptions.create()).build());
		given.getClientResources().ifPresent(builder::clientResources);
		given.getClientName().ifPresent(builder::clientName);
		given.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
		if (given.isUseSsl()) {
			LettuceClientConfiguration.LettuceSslClientConfigurationBuilder ssl = builder.useSsl()
				.verifyPeer(given.getVerifyMode());
			if (given.isStartTls()) {
				ssl.startTls();
			}
		}
		return builder.build();
	}

	/**
	 * Use a connection.
	 * @throws RedisFailure if there is none, or what was done with it failed: then nobody
	 * knows what became of it
	 */
	<T> T use(Use<T> use, Deadline deadline) throws RedisFailure {
		if (!await(deadline)) {
			throw RedisFailure.of("all " + MOST + " connections are in use", null);
		}
		try {
			RedisChannel channel = this.idle.pollFirst();
			// one that the server closed would fail for nothing
			while (channel != null && !channel.isOpen()) {
				channel.close();
				channel = this.idle.pollFirst();
			}
			if (channel == null) {
				channel = connect(deadline);
			}
			boolean done = false;
			try {
				T result = use.with(channel);
				done = true;
				return result;
			}
			finally {
				if (done && !this.closed) {
					this.idle.addFirst(channel);
				}
				else {
					channel.close();
					refresh();
				}
			}
		}
		finally {
			this.permits.release();
		}
	}

	private boolean await(Deadline deadline) throws RedisFailure {
		try {
			return this.permits.tryAcquire(Math.max(1, deadline.remaining().toNanos()), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw RedisFailure.permanent("the thread was interrupted", ex);
		}
	}

	private RedisChannel connect(Deadline deadline) throws RedisFailure {
		if (this.closed) {
			throw RedisFailure.permanent("the store is closed", null);
		}
		CompletableFuture<RedisChannel> connected = CompletableFuture
			.supplyAsync(() -> RedisChannel.connect(this.factory, this.key), RedisConnections::run);
		boolean used = false;
		try {
			RedisChannel channel = get(connected, deadline, "cannot connect");
			used = true;
			return channel;
		}
		finally {
			// nobody waits for one that comes late
			if (!used) {
				connected.thenAccept(RedisChannel::close);
				refresh();
			}
		}
	}

	private static void run(Runnable task) {
		Thread thread = new Thread(task, "ids-redis-connect");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Let the next connection know who is in charge.
	 */
	private void refresh() {
		if (!this.closed && this.factory.getNativeClient() instanceof RedisClusterClient cluster) {
			cluster.refreshPartitionsAsync();
		}
	}

	/**
	 * Wait for an answer.
	 */
	static <T> T get(Future<T> answer, Deadline deadline, String what) throws RedisFailure {
		try {
			return answer.get(Math.max(1, deadline.remaining().toNanos()), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw RedisFailure.of(what + ": no answer in time", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw RedisFailure.permanent("the thread was interrupted", ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = (ex.getCause() != null) ? ex.getCause() : ex;
			String message = String.valueOf(cause.getMessage());
			throw isPermanent(message) ? RedisFailure.permanent(message, cause)
					: RedisFailure.of(what + ": " + message, cause);
		}
	}

	private static boolean isPermanent(String message) {
		return message.startsWith("NOPERM") || message.startsWith("WRONGTYPE") || message.startsWith("NOAUTH")
				|| message.startsWith("WRONGPASS") || message.startsWith("ERR");
	}

	@Override
	public void close() {
		this.closed = true;
		this.factory.destroy();
	}

	/**
	 * What is done with a connection.
	 *
	 * @param <T> the type of the result
	 */
	interface Use<T> {

		T with(RedisChannel channel) throws RedisFailure;

	}

}
