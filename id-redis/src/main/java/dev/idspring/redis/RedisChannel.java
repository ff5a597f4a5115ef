package dev.idspring.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
 * A connection to the server that has the keys.
 *
 * @param opened what is closed in the end
 * @param server where commands go
 */
record RedisChannel(StatefulConnection<byte[], byte[]> opened, StatefulRedisConnection<byte[], byte[]> server) {

	/**
	 * Connect. Blocks for as long as the client's timeouts say.
	 */
	static RedisChannel connect(LettuceConnectionFactory factory, byte[] key) {
		Object commands = factory.getConnection().getNativeConnection();
		RedisChannel channel;
		if (commands instanceof RedisAdvancedClusterAsyncCommands<?, ?>) {
			@SuppressWarnings("unchecked")
			StatefulRedisClusterConnection<byte[], byte[]> cluster = ((RedisAdvancedClusterAsyncCommands<byte[], byte[]>) commands)
				.getStatefulConnection();
			try {
				channel = new RedisChannel(cluster, server(cluster, key));
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
		// else the first WAITAOF could wait in vain, before the text of the script is
		// sent
		for (RedisScript script : RedisScript.values()) {
			channel.server.async().scriptLoad(script.text());
		}
		return channel;
	}

	private static StatefulRedisConnection<byte[], byte[]> server(
			StatefulRedisClusterConnection<byte[], byte[]> cluster, byte[] key) {
		RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
		if (node == null) {
			throw new IllegalStateException("no server of the cluster has the hash slot of the keys");
		}
		return cluster.getConnection(node.getNodeId());
	}

	boolean isOpen() {
		return this.server.isOpen();
	}

	void close() {
		this.opened.closeAsync();
	}

	String info(Deadline deadline) throws RedisFailure {
		RedisFuture<String> info = this.server.async().info();
		this.server.flushCommands();
		return RedisConnections.get(info, deadline, "cannot read INFO");
	}

	/**
	 * Run a script for each call, and wait until what they wrote is where it shall be.
	 * All of it is sent at once.
	 * @param confirmations on how many disks
	 * @param patience when the script must have answered
	 * @param deadline when the disks must have confirmed
	 * @return the answers, in the order of the calls
	 * @throws RedisFailure if that is not known
	 */
	List<List<Object>> run(RedisScript script, List<Call> calls, Confirmations confirmations, Deadline patience,
			Deadline deadline) throws RedisFailure {
		RedisAsyncCommands<byte[], byte[]> commands = this.server.async();
		try {
			return send(calls,
					(call) -> commands.evalsha(script.digest(), ScriptOutputType.MULTI, call.keys, call.values),
					confirmations, patience, deadline);
		}
		catch (RedisFailure ex) {
			if (!(ex.getCause() instanceof RedisNoScriptException)) {
				throw ex;
			}
			// scripts that have run after all find what they wrote themselves
			return send(calls, (call) -> commands.eval(script.text(), ScriptOutputType.MULTI, call.keys, call.values),
					confirmations, patience, deadline);
		}
	}

	private List<List<Object>> send(List<Call> calls, Function<Call, RedisFuture<List<Object>>> send,
			Confirmations confirmations, Deadline patience, Deadline deadline) throws RedisFailure {
		List<RedisFuture<List<Object>>> answers = calls.stream().map(send).toList();
		@Nullable RedisFuture<List<Object>> confirmed = confirm(confirmations, deadline);
		this.server.flushCommands();
		List<List<Object>> results = new ArrayList<>();
		for (RedisFuture<List<Object>> answer : answers) {
			results.add(RedisConnections.get(answer, patience, "the script"));
		}
		if (confirmed != null) {
			verify(RedisConnections.get(confirmed, deadline, "WAITAOF"), confirmations);
		}
		return results;
	}

	private static void verify(List<Object> disks, Confirmations wanted) throws RedisFailure {
		long local = (Long) disks.get(0);
		long replicas = (Long) disks.get(1);
		if (local < wanted.local || replicas < wanted.replicas) {
			throw RedisFailure.of("in time " + local + " of " + wanted.local + " local disks and " + replicas + " of "
					+ wanted.replicas + " disks of replicas have confirmed it (ids.redis.local,"
					+ " ids.redis.replicas), so what was reserved is not used. With appendfsync no a server never"
					+ " confirms: set it to everysec or always", null);
		}
	}

	private @Nullable RedisFuture<List<Object>> confirm(Confirmations confirmations, Deadline deadline) {
		if (confirmations.areNone()) {
			return null;
		}
		CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE).add(confirmations.local)
			.add(confirmations.replicas)
			.add(timeout(deadline.remaining().toMillis()));
		return this.server.async()
			.dispatch(Command.WAITAOF, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), arguments);
	}

	/**
	 * Let the answer, how many there are, come in time: servers look at timeouts ten
	 * times a second.
	 */
	private static long timeout(long left) {
		return Math.max(1, Math.max(left / 2, left - 250));
	}

	/**
	 * What a script is called with.
	 *
	 * @param keys the keys of a key space
	 * @param values the other arguments
	 */
	record Call(byte[][] keys, byte[][] values) {

	}

	/**
	 * On how many disks a change must be.
	 *
	 * @param local of the server itself
	 * @param replicas of replicas
	 */
	record Confirmations(int local, int replicas) {

		static final Confirmations NONE = new Confirmations(0, 0);

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
