package dev.idspring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import dev.idspring.worker.Deadline;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A connection to the Valkey or Redis server that stores the keys of the id store.
 *
 * @param connection the connection to the server or to its cluster, to be closed after
 * use
 * @param server the connection to the server, through which commands are sent
 */
record RedisChannel(StatefulConnection<byte[], byte[]> connection, StatefulRedisConnection<byte[], byte[]> server) {

	/**
	 * How long to wait for an answer that is not needed. If the answer arrives within
	 * this time, the connection can be reused.
	 */
	private static final Duration GRACE = Duration.ofMillis(100);

	/**
	 * The maximum time that one {@code WAITAOF} waits for the disks of replicas. Then the
	 * command is sent again.
	 */
	private static final Duration REPLICA_TIMEOUT = Duration.ofMillis(500);

	/** The time to reserve for the answer to {@code WAITAOF}, in milliseconds. */
	private static final long TIME_TO_ANSWER = 250;

	/**
	 * Open a connection. The client's timeouts limit how long this method blocks.
	 */
	static RedisChannel connect(LettuceConnectionFactory factory, byte[] key) {
		Object commands = factory.getConnection().getNativeConnection();
		RedisChannel channel;
		if (commands instanceof RedisAdvancedClusterAsyncCommands<?, ?>) {
			@SuppressWarnings("unchecked")
			StatefulRedisClusterConnection<byte[], byte[]> cluster = ((RedisAdvancedClusterAsyncCommands<byte[], byte[]>) commands)
				.getStatefulConnection();
			try {
				channel = new RedisChannel(cluster, serverOf(cluster, key));
			}
			catch (RuntimeException ex) {
				cluster.closeAsync();
				throw ex;
			}
		}
		else {
			@SuppressWarnings("unchecked")
			StatefulRedisConnection<byte[], byte[]> single = ((RedisAsyncCommands<byte[], byte[]>) commands)
				.getStatefulConnection();
			channel = new RedisChannel(single, single);
		}
		channel.server.setAutoFlushCommands(false);
		// load all scripts first: without the script, EVALSHA would fail, and the WAITAOF
		// after it would wait for no write
		for (RedisScript script : RedisScript.values()) {
			channel.server.async().scriptLoad(script.text());
		}
		return channel;
	}

	private static StatefulRedisConnection<byte[], byte[]> serverOf(
			StatefulRedisClusterConnection<byte[], byte[]> cluster, byte[] key) {
		RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
		if (node == null) {
			throw new IllegalStateException("no server of the cluster serves the hash slot of the keys");
		}
		return cluster.getConnection(node.getNodeId());
	}

	boolean isOpen() {
		return this.server.isOpen();
	}

	void close() {
		this.connection.closeAsync();
	}

	String info(Deadline deadline) throws RedisFailure {
		RedisFuture<String> info = this.server.async().info();
		this.server.flushCommands();
		return RedisConnections.get(info, deadline, "cannot read INFO");
	}

	/**
	 * Run a script and wait until its writes are confirmed. {@code WAITAOF} is sent
	 * together with the script. The result of {@code WAITAOF} is ignored if the answer of
	 * the script needs no confirmation.
	 * @param needsConfirmation tests whether an answer may be used only after the
	 * confirmation
	 * @param confirmations how many disks must confirm the writes
	 * @param answerDeadline the deadline for the answer of the script
	 * @param deadline the deadline for the confirmation
	 * @return the answer of the script
	 * @throws RedisFailure if the script fails or its writes are not confirmed
	 */
	List<Object> run(RedisScript script, byte[][] keys, byte[][] values, Predicate<List<Object>> needsConfirmation,
			Confirmations confirmations, Deadline answerDeadline, Deadline deadline) throws RedisFailure {
		RedisAsyncCommands<byte[], byte[]> commands = this.server.async();
		try {
			return sendAndConfirm(commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, values),
					needsConfirmation, confirmations, answerDeadline, deadline);
		}
		catch (RedisFailure ex) {
			if (!(ex.getCause() instanceof RedisNoScriptException)) {
				throw ex;
			}
			return sendAndConfirm(commands.eval(script.text(), ScriptOutputType.MULTI, keys, values), needsConfirmation,
					confirmations, answerDeadline, deadline);
		}
	}

	private List<Object> sendAndConfirm(RedisFuture<List<Object>> answer, Predicate<List<Object>> needsConfirmation,
			Confirmations confirmations, Deadline answerDeadline, Deadline deadline) throws RedisFailure {
		@Nullable RedisFuture<List<Object>> confirmation = confirmations.areNone() ? null : waitForDisks(confirmations, deadline);
		this.server.flushCommands();
		List<Object> result = RedisConnections.get(answer, answerDeadline, "the script");
		if (confirmation != null) {
			if (needsConfirmation.test(result)) {
				verify(await(confirmation, confirmations, deadline), confirmations);
			}
			else {
				abandon(confirmation);
			}
		}
		return result;
	}

	/**
	 * Wait briefly for an answer that is not needed. If the answer does not arrive, close
	 * the connection, because a pending answer would block later commands.
	 */
	private void abandon(RedisFuture<?> answer) throws RedisFailure {
		try {
			if (!answer.await(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
				this.server.closeAsync();
				close();
			}
		}
		catch (InterruptedException ex) {
			throw RedisConnections.interrupted(ex);
		}
	}

	/**
	 * Repeat {@code WAITAOF} until enough disks have confirmed or at most
	 * {@link #TIME_TO_ANSWER} is left. The server asks its replicas only once per
	 * {@code WAITAOF}. Without the repetition, a replica that reconnects during the wait
	 * would confirm about a second later.
	 */
	private List<Object> await(RedisFuture<List<Object>> confirmation, Confirmations confirmations, Deadline deadline)
			throws RedisFailure {
		List<Object> disks = RedisConnections.get(confirmation, deadline, "WAITAOF");
		while (!confirmations.areMet(disks) && deadline.remaining().toMillis() > TIME_TO_ANSWER) {
			RedisFuture<List<Object>> again = waitForDisks(confirmations, deadline);
			this.server.flushCommands();
			disks = RedisConnections.get(again, deadline, "WAITAOF");
		}
		return disks;
	}

	private static void verify(List<Object> disks, Confirmations required) throws RedisFailure {
		if (!required.areMet(disks)) {
			long local = (Long) disks.get(0);
			long replicas = (Long) disks.get(1);
			throw RedisFailure.of("only " + local + " of " + required.local + " local disks and " + replicas + " of "
					+ required.replicas + " replica disks have confirmed the write in time (ids.redis.local,"
					+ " ids.redis.replicas), so the reservation is not used. With appendfsync=no a server never"
					+ " confirms: set appendfsync to everysec or always", null);
		}
	}

	private RedisFuture<List<Object>> waitForDisks(Confirmations confirmations, Deadline deadline) {
		long timeout = timeout(deadline.remaining().toMillis());
		CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE).add(confirmations.local)
			.add(confirmations.replicas)
			.add((confirmations.replicas > 0) ? Math.min(timeout, REPLICA_TIMEOUT.toMillis()) : timeout);
		return this.server.async()
			.dispatch(Command.WAITAOF, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), arguments);
	}

	/**
	 * Return a timeout that leaves the server time to report the number of disks. Servers
	 * check timeouts only ten times per second.
	 */
	private static long timeout(long leftMillis) {
		return Math.max(1, Math.max(leftMillis / 2, leftMillis - TIME_TO_ANSWER));
	}

	/**
	 * The confirmations that a change requires.
	 *
	 * @param local 1 if the disk of the server itself must confirm, otherwise 0
	 * @param replicas how many replica disks must confirm
	 */
	record Confirmations(int local, int replicas) {

		static final Confirmations NONE = new Confirmations(0, 0);

		boolean areMet(List<Object> disks) {
			return (Long) disks.get(0) >= this.local && (Long) disks.get(1) >= this.replicas;
		}

		boolean areNone() {
			return this.local + this.replicas == 0;
		}

	}

	private enum Command implements ProtocolKeyword {

		WAITAOF;

		@Override
		public byte[] getBytes() {
			return name().getBytes(StandardCharsets.US_ASCII);
		}

	}

}
