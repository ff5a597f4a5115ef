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

import dev.idspring.IdSetupException;
import dev.idspring.store.NetworkFailure;
import dev.idspring.worker.Deadline;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A pool of connections that only the stores use, with these rules:
 * <ol>
 * <li>Connections do not reconnect automatically. The command {@code WAITAOF} waits until
 * disks have confirmed the writes of its own connection. After a reconnect, the command
 * would not wait for earlier writes.</li>
 * <li>Only one thread at a time uses a connection. Any failure closes the connection, so
 * a late answer is never read.</li>
 * <li>A failure also closes all idle connections, because they may be broken, too. On a
 * reused connection, the answer of a script must arrive within half of the remaining
 * time. The other half remains for a retry on a new connection.</li>
 * <li>On each new connection, the store first verifies that the server is ready and that
 * its writes are durable, because the server may be another one after a fail-over.</li>
 * </ol>
 */
final class RedisConnections implements AutoCloseable {

	/**
	 * The maximum number of connections. A change occupies its connection until the disks
	 * have confirmed the change.
	 */
	private static final int MAX_CONNECTIONS = 8;

	private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(10);

	private final LettuceConnectionFactory factory;

	private final byte[] key;

	private final ConnectionWork<?> inspection;

	private final Deque<RedisChannel> idle = new ConcurrentLinkedDeque<>();

	private final Semaphore permits = new Semaphore(MAX_CONNECTIONS, true);

	private volatile boolean closed;

	/**
	 * Create an empty pool.
	 * @param factory the factory that provides the address and the client's options
	 * @param key any key of the stores. All of their keys are in one hash slot
	 * @param inspection the work that runs first on each new connection
	 */
	RedisConnections(LettuceConnectionFactory factory, byte[] key, ConnectionWork<?> inspection) {
		this.key = key;
		this.inspection = inspection;
		this.factory = new LettuceConnectionFactory(configuration(factory), clientConfiguration(factory));
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
		if (factory.getSocketConfiguration() != null) {
			return factory.getSocketConfiguration();
		}
		rejectStaticServers(factory);
		return factory.getStandaloneConfiguration();
	}

	/**
	 * Reject a factory with static addresses of a master and its replicas. Such a factory
	 * does not expose these addresses and reports localhost instead.
	 */
	private static void rejectStaticServers(LettuceConnectionFactory factory) {
		Object configuration;
		try {
			configuration = new DirectFieldAccessor(factory).getPropertyValue("configuration");
		}
		catch (BeansException ex) {
			// this version of Spring Data has no such field
			return;
		}
		if (configuration instanceof StaticMasterReplicaConfiguration) {
			throw new IdSetupException(
					"The LettuceConnectionFactory has static addresses of a master and its replicas"
							+ " (RedisStaticMasterReplicaConfiguration). With them, a fail-over is not detected.",
					"Use the addresses of Sentinels (spring.data.redis.sentinel.*), or declare a"
							+ " LettuceConnectionFactory for the master alone, marked with @IdsRedisConnectionFactory.");
		}
	}

	private static LettuceClientConfiguration clientConfiguration(LettuceConnectionFactory factory) {
		LettuceClientConfiguration template = factory.getClientConfiguration();
		ClientOptions.Builder options = template.getClientOptions()
			.map(ClientOptions::mutate)
			.orElseGet(() -> (factory.getClusterConfiguration() != null) ? ClusterClientOptions.builder()
					: ClientOptions.builder());
		Duration timeout = template.getCommandTimeout();
		LettuceClientConfiguration.LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.commandTimeout((timeout.compareTo(LONGEST_HANDSHAKE) < 0) ? timeout : LONGEST_HANDSHAKE)
			.shutdownTimeout(template.getShutdownTimeout())
			.shutdownQuietPeriod(template.getShutdownQuietPeriod())
			.clientOptions(options.autoReconnect(false).timeoutOptions(TimeoutOptions.create()).build());
		template.getClientResources().ifPresent(builder::clientResources);
		template.getClientName().ifPresent(builder::clientName);
		template.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
		if (template.isUseSsl()) {
			LettuceClientConfiguration.LettuceSslClientConfigurationBuilder ssl = builder.useSsl()
				.verifyPeer(template.getVerifyMode());
			if (template.isStartTls()) {
				ssl.startTls();
			}
		}
		return builder.build();
	}

	/**
	 * Run work on a connection.
	 * @throws RedisFailure if no connection is available, or if the work failed. In the
	 * latter case, the server may have executed the commands of the work
	 */
	<T> T use(ConnectionWork<T> work, Deadline deadline) throws RedisFailure {
		if (!acquirePermit(deadline)) {
			throw RedisFailure
				.of("all " + MAX_CONNECTIONS + " connections are waiting for the server, which answers too slowly:"
						+ " check its load and its appendfsync setting", null);
		}
		try {
			RedisChannel idleChannel = pollIdle();
			Deadline answerDeadline = (idleChannel != null)
					? Deadline.after(deadline.timeSource(), deadline.remaining().dividedBy(2)) : deadline;
			RedisChannel channel = (idleChannel != null) ? idleChannel : connect(deadline);
			boolean succeeded = false;
			try {
				if (idleChannel == null) {
					this.inspection.run(channel, deadline);
				}
				T result = work.run(channel, answerDeadline);
				succeeded = true;
				return result;
			}
			finally {
				if (!succeeded || this.closed) {
					channel.close();
					closeIdle();
					refreshTopology();
				}
				else if (channel.isOpen()) {
					this.idle.addFirst(channel);
				}
			}
		}
		finally {
			this.permits.release();
		}
	}

	/**
	 * Remove an open connection from the idle connections and return it. Return
	 * {@code null} if there is none.
	 */
	private @Nullable RedisChannel pollIdle() {
		RedisChannel channel = this.idle.pollFirst();
		while (channel != null && !channel.isOpen()) {
			channel.close();
			channel = this.idle.pollFirst();
		}
		return channel;
	}

	private void closeIdle() {
		for (RedisChannel channel = this.idle.pollFirst(); channel != null; channel = this.idle.pollFirst()) {
			channel.close();
		}
	}

	private boolean acquirePermit(Deadline deadline) throws RedisFailure {
		try {
			return this.permits.tryAcquire(Math.max(1, deadline.remaining().toNanos()), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	private RedisChannel connect(Deadline deadline) throws RedisFailure {
		if (this.closed) {
			throw RedisFailure.permanent("the store is closed", null);
		}
		CompletableFuture<RedisChannel> pendingChannel = CompletableFuture
			.supplyAsync(() -> RedisChannel.connect(this.factory, this.key), RedisConnections::runInThread);
		boolean isReturned = false;
		try {
			RedisChannel channel = get(pendingChannel, deadline, "cannot connect" + toAddress());
			isReturned = true;
			return channel;
		}
		finally {
			// if the connection is opened too late to be used, close it
			if (!isReturned) {
				pendingChannel.thenAccept(RedisChannel::close);
				refreshTopology();
			}
		}
	}

	/**
	 * Return "to" and the address of the server, for messages. Return an empty string for
	 * a cluster or Sentinels, because they have several addresses.
	 */
	private String toAddress() {
		RedisSocketConfiguration socket = this.factory.getSocketConfiguration();
		if (socket != null) {
			return " to " + socket.getSocket();
		}
		return (this.factory.getClusterConfiguration() != null || this.factory.getSentinelConfiguration() != null) ? ""
				: " to " + this.factory.getHostName() + ":" + this.factory.getPort();
	}

	private static void runInThread(Runnable task) {
		Thread thread = new Thread(task, "ids-redis-connect");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Start to reload the topology of a cluster, so that later connections are opened to
	 * the node that then stores the keys.
	 */
	private void refreshTopology() {
		if (!this.closed && this.factory.getNativeClient() instanceof RedisClusterClient cluster) {
			cluster.refreshPartitionsAsync();
		}
	}

	/**
	 * Wait for an answer.
	 * @param what the operation or command, for failure messages
	 */
	static <T> T get(Future<T> answer, Deadline deadline, String what) throws RedisFailure {
		try {
			return answer.get(Math.max(1, deadline.remaining().toNanos()), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw RedisFailure.of(what + ": no answer in time", ex);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = (ex.getCause() != null) ? ex.getCause() : ex;
			String reason = reason(cause);
			throw isPermanent(reason) ? RedisFailure.permanent(reason, cause)
					: RedisFailure.of(what + ": " + reason, cause);
		}
	}

	/**
	 * Return the reason for a failure: the message of the server, or a general
	 * description. The messages of the client are not used, because they may contain
	 * addresses with passwords.
	 */
	private static String reason(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof RedisCommandExecutionException) {
				return String.valueOf(cause.getMessage());
			}
		}
		return NetworkFailure.of(failure)
			.map((network) -> network.describe(null))
			.orElseGet(() -> "the client failed (" + failure.getClass().getSimpleName() + ")");
	}

	static RedisFailure interrupted(InterruptedException ex) {
		Thread.currentThread().interrupt();
		return RedisFailure.permanent("the thread was interrupted", ex);
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
	 * Work that uses a connection.
	 *
	 * @param <T> the type of the result
	 */
	interface ConnectionWork<T> {

		/**
		 * Run the work.
		 * @param answerDeadline the deadline for an answer, not later than that of the
		 * caller
		 */
		T run(RedisChannel channel, Deadline answerDeadline) throws RedisFailure;

	}

}
