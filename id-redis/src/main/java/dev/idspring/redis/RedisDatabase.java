package dev.idspring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.redis.RedisChannel.Confirmations;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.store.rules.Outcome;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The server that the stores share, behind a {@link LettuceConnectionFactory}: a single
 * server, one monitored by Sentinels, or the cluster node that holds the keys.
 * <p>
 * Why no write is used that the server may forget:
 * <ol>
 * <li>Each change is one script, which the server runs atomically.</li>
 * <li>{@code WAITAOF} follows it on the same connection, in the same packet. The answer
 * is used only if as many disks have confirmed as the settings require. Otherwise the
 * reservation is discarded.</li>
 * <li>An append-only file contains all earlier writes, and a replica receives them in the
 * same order. So a client writes something itself before it relies on a value that
 * another connection wrote.</li>
 * <li>Two operations hand out nothing and are not awaited: a script that changed nothing,
 * and a {@linkplain RedisFence take-over}. Each later reservation is confirmed after the
 * take-over. A server that loses the take-over has also lost all later reservations, and
 * takes over once more.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class RedisDatabase implements AutoCloseable {

	private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

	private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

	private final RedisConnections connections;

	private final RedisSettings settings;

	private final RedisFence fence;

	private volatile Confirmations confirmations;

	private volatile StoreDescription description;

	private volatile boolean opened;

	private RedisDatabase(LettuceConnectionFactory factory, RedisSettings settings) {
		this.settings = settings;
		this.fence = new RedisFence(settings);
		this.connections = new RedisConnections(factory, key("space", ""), this::inspect);
		this.confirmations = new Confirmations(settings.local(), settings.replicas());
		this.description = new StoreDescription("redis", null, List.of());
	}

	/**
	 * Open a server and verify that it does not lose confirmed writes.
	 * @param factory provides the address and the client's options. Its own connections
	 * are not used, because those of the stores must never reconnect by themselves
	 * @param settings how the server is used
	 * @param deadline how long the server may take to accept a connection and to answer,
	 * not counting the creation of the client
	 * @return the database, to be closed
	 * @throws IdSetupException if the server may lose confirmed writes
	 * @throws IdStoreUnavailableException if it did not answer in time
	 */
	public static RedisDatabase open(LettuceConnectionFactory factory, RedisSettings settings, Deadline deadline) {
		InvalidSettingException.requireGiven(RedisDatabase.class, "factory", factory);
		InvalidSettingException.requireGiven(RedisDatabase.class, "settings", settings);
		InvalidSettingException.requireGiven(RedisDatabase.class, "deadline", deadline);
		Duration time = deadline.remaining();
		RedisDatabase database = new RedisDatabase(factory, settings);
		try {
			database.open(deadline.timeSource(), time);
			database.opened = true;
			return database;
		}
		finally {
			if (!database.opened) {
				database.close();
			}
		}
	}

	/**
	 * Connect to the server and query it. On a busy machine, loading the client's classes
	 * takes seconds, which must not count against the server.
	 */
	private void open(TimeSource timeSource, Duration time) {
		String what = "open the server";
		repeat(what, (left) -> this.connections.use((channel, patience) -> true, left),
				Deadline.after(timeSource, time));
		KeySpaceSnapshot snapshot = read(what, "", "none", false, Deadline.after(timeSource, time));
		if (this.fence.rules().isOn() && snapshot.server().isEmpty()) {
			throw new IdSetupException(
					"The server does not report its master_replid in INFO, so fail-overs go unnoticed.",
					"Use a server that does, or set ids.redis.failover-margin=0 if it never fails over.",
					List.of("ids.redis.failover-margin"), null);
		}
	}

	/**
	 * Verify that the connected server does not lose confirmed writes.
	 */
	private boolean inspect(RedisChannel channel, Deadline deadline) throws RedisFailure {
		RedisInfo info = RedisInfo.parse(channel.info(deadline));
		info.verifyReady();
		verify(info);
		this.confirmations = info.confirmations(this.settings);
		this.description = new StoreDescription("redis", info.product(), info.warnings(this.settings));
		return true;
	}

	private void verify(RedisInfo info) throws RedisFailure {
		try {
			info.verify(this.settings);
		}
		catch (IdSetupException ex) {
			if (!this.opened) {
				throw ex;
			}
			// ids in memory are served until the server is fixed
			throw RedisFailure.permanent(String.valueOf(ex.getMessage()), ex);
		}
	}

	/**
	 * Describe this database.
	 * @return what operators should know
	 */
	public StoreDescription describe() {
		return this.description;
	}

	RedisSettings settings() {
		return this.settings;
	}

	RedisFence fence() {
		return this.fence;
	}

	/**
	 * Return the name of a key, for operators.
	 */
	String keyOf(String keySpace) {
		return new String(key("space", keySpace), StandardCharsets.UTF_8);
	}

	private byte[] key(String kind, String keySpace) {
		return bytes("{" + this.settings.keyPrefix() + "}:" + kind + ":" + keySpace);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Run a script once and wait until its writes are confirmed. A script that hands out
	 * nothing is not awaited.
	 * @throws RedisFailure if it failed, or its outcome is unknown
	 */
	List<Object> run(RedisScript script, boolean confirmed, String keySpace, Deadline deadline, String... values)
			throws RedisFailure {
		return run(script, confirmed, keySpace, RedisDatabase::isOk, deadline, values);
	}

	private List<Object> run(RedisScript script, boolean confirmed, String keySpace,
			Predicate<List<Object>> needsConfirmation, Deadline deadline, String... values) throws RedisFailure {
		byte[][] keys = { key("space", keySpace), key("slots", keySpace), key("used", keySpace) };
		byte[][] arguments = Arrays.stream(values).map(RedisDatabase::bytes).toArray(byte[][]::new);
		// the confirmations are known once a connection exists
		return this.connections.use((channel, patience) -> channel.run(script, keys, arguments, needsConfirmation,
				confirmed ? this.confirmations : Confirmations.NONE, patience, deadline), deadline);
	}

	/**
	 * Read a key space once.
	 * @param slots which slots: {@code all}, {@code none}, or a number
	 * @param confirmed whether the values read must be on disk
	 */
	KeySpaceSnapshot read(String keySpace, String slots, boolean confirmed, Deadline deadline) throws RedisFailure {
		return read(keySpace, slots, confirmed, (snapshot) -> true, deadline);
	}

	/**
	 * Read a key space once and wait until it is on disk, unless another server has taken
	 * over: the values are unusable until the take-over is recorded.
	 */
	KeySpaceSnapshot readDurably(String keySpace, String slots, Deadline deadline) throws RedisFailure {
		return read(keySpace, slots, true,
				(snapshot) -> !this.fence.state(snapshot, RedisFence.COUNTER).isOtherServer(), deadline);
	}

	private KeySpaceSnapshot read(String keySpace, String slots, boolean confirmed,
			Predicate<KeySpaceSnapshot> needsConfirmation, Deadline deadline) throws RedisFailure {
		return KeySpaceSnapshot.parse(run(RedisScript.READ, confirmed, keySpace,
				(answer) -> needsConfirmation.test(KeySpaceSnapshot.parse(answer)), deadline, slots,
				confirmed ? "1" : "0"));
	}

	/**
	 * Read a key space.
	 * @param what the operation, for failure messages
	 */
	KeySpaceSnapshot read(String what, String keySpace, String slots, boolean confirmed, Deadline deadline) {
		return repeat(what, (left) -> read(keySpace, slots, confirmed, left), deadline);
	}

	/**
	 * Change a key space if it is unchanged since it was read.
	 * @return whether the change was made
	 */
	boolean change(String keySpace, Change change, Deadline deadline) throws RedisFailure {
		return isOk(run(RedisScript.CHANGE, true, keySpace, deadline, change.arguments()));
	}

	/**
	 * Record that this server has taken over, if the key space is unchanged since it was
	 * read. The write is not awaited, since it hands out nothing.
	 * @return whether it was recorded
	 */
	boolean takeOver(String keySpace, Change change, Deadline deadline) throws RedisFailure {
		return isOk(run(RedisScript.CHANGE, false, keySpace, deadline, change.arguments()));
	}

	static boolean isOk(List<Object> answer) {
		return "ok".equals(KeySpaceSnapshot.text(answer.get(0)));
	}

	/**
	 * Run work, and retry it after transient failures.
	 * @param what the operation, for failure messages
	 * @param work must be safe to repeat after an attempt with an unknown outcome
	 */
	<T> T repeat(String what, Work<T> work, Deadline deadline) {
		Duration pause = FIRST_PAUSE;
		// stop early: the failure says more than the timeout of another attempt
		Duration report = deadline.remaining().dividedBy(10);
		report = (report.compareTo(LONGEST_PAUSE) < 0) ? report : LONGEST_PAUSE;
		while (true) {
			try {
				return work.run(deadline);
			}
			catch (RedisFailure ex) {
				Duration wait = ex.waitFor();
				Duration left = deadline.remaining();
				if (wait != null && (left.isZero() || wait.compareTo(left) > 0)) {
					throw new IdStoreUnavailableException("Cannot " + what + " yet: " + ex.getMessage() + ". Retry in "
							+ wait.plusMillis(1).toMillis() + " ms");
				}
				if (!ex.isRepeatable() || (wait == null && left.compareTo(report) <= 0)) {
					throw unavailable(what, ex);
				}
				sleep(what, (wait != null) ? wait : jittered(pause, left), ex);
				pause = (pause.compareTo(LONGEST_PAUSE) < 0) ? pause.multipliedBy(2) : LONGEST_PAUSE;
			}
		}
	}

	/**
	 * Run work, and retry it when it asks for that or after transient failures.
	 * @param what the operation, for failure messages
	 */
	<T> T attempt(String what, Work<Outcome<T>> work, Deadline deadline) {
		return repeat(what, (left) -> {
			Outcome<T> outcome = work.run(left);
			outcome.durable().run();
			T result = outcome.result();
			if (result == null) {
				throw RedisFailure.notYet(outcome.reason(), outcome.pause());
			}
			return result;
		}, deadline);
	}

	/**
	 * Run work, and retry it only when it asks for that.
	 * @param what the operation, for failure messages
	 */
	<T> T attemptOnce(String what, Work<Outcome<T>> work, Deadline deadline) {
		while (true) {
			Outcome<T> outcome = once(what, work, deadline);
			outcome.durable().run();
			T result = outcome.result();
			if (result != null) {
				return result;
			}
			RedisFailure reason = RedisFailure.notYet(outcome.reason(), outcome.pause());
			if (outcome.pause().compareTo(deadline.remaining()) > 0) {
				throw unavailable(what, reason);
			}
			sleep(what, outcome.pause(), reason);
		}
	}

	/**
	 * Run work once.
	 */
	<T> T once(String what, Work<T> work, Deadline deadline) {
		try {
			return work.run(deadline);
		}
		catch (RedisFailure ex) {
			throw unavailable(what, ex);
		}
	}

	private static Duration jittered(Duration pause, Duration left) {
		long millis = Math.max(1, Math.min(pause.toMillis(), left.toMillis()));
		return Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis) + 1);
	}

	private static void sleep(String what, Duration wait, RedisFailure reason) {
		try {
			Thread.sleep(wait.toMillis() + 1);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unavailable(what, reason);
		}
	}

	private static IdStoreUnavailableException unavailable(String what, RedisFailure ex) {
		return new IdStoreUnavailableException("Cannot " + what + ": " + ex.getMessage(), ex);
	}

	/**
	 * Close the connections.
	 */
	@Override
	public void close() {
		this.connections.close();
	}

	/**
	 * Work with a deadline.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		T run(Deadline deadline) throws RedisFailure;

	}

}
