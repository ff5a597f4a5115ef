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
 * The Valkey or Redis server that the stores share. It is a single server, a server that
 * Sentinels monitor, or the cluster node that stores the keys.
 * <p>
 * Unless the settings accept data loss, a reservation is used only after the required
 * disks have confirmed it:
 * <ol>
 * <li>Each change is one script, which the server runs atomically.</li>
 * <li>The command {@code WAITAOF} follows the script on the same connection. The command
 * waits until the required number of disks has confirmed the writes of this connection.
 * Without this confirmation, the reservation is discarded.</li>
 * <li>An append-only file that contains a write also contains all earlier writes, and a
 * replica receives all writes in the same order. Therefore, before the store relies on a
 * value that another connection wrote, it makes a write of its own to the key space. The
 * confirmation of this write also covers the earlier value.</li>
 * <li>The store does not wait for the confirmation of a script that changed nothing,
 * because nothing is reserved.</li>
 * <li>A {@linkplain RedisFence take-over}, which skips ids after a fail-over, reserves
 * nothing either, so the store does not wait for its confirmation. The confirmation of a
 * later reservation also covers the take-over. A server that has lost the take-over has
 * therefore also lost all later reservations, and another take-over follows.</li>
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

	private volatile boolean isOpened;

	private RedisDatabase(LettuceConnectionFactory factory, RedisSettings settings) {
		this.settings = settings;
		this.fence = new RedisFence(settings);
		this.connections = new RedisConnections(factory, key("space", ""), this::inspect);
		this.confirmations = new Confirmations(settings.local(), settings.replicas());
		this.description = new StoreDescription("redis", null, List.of());
	}

	/**
	 * Connect to a server. Verify that it does not lose confirmed writes, unless the
	 * settings accept data loss.
	 * @param factory provides the address and the client's options. Its own connections
	 * are not used, because the connections of the stores must never reconnect
	 * automatically
	 * @param settings the settings of the stores
	 * @param deadline its remaining time limits each of two steps separately: connecting,
	 * and then querying the server. The time to create the client is not counted
	 * @return the database, which the caller must close
	 * @throws IdSetupException if the server may lose confirmed writes and the settings
	 * do not accept data loss, if {@link RedisSettings#failoverMargin} is not 0 and the
	 * server does not report its {@code master_replid}, or if the factory has static
	 * addresses of a master and its replicas
	 * @throws IdStoreUnavailableException if the server did not answer in time, or
	 * rejected the connection or a command
	 */
	public static RedisDatabase open(LettuceConnectionFactory factory, RedisSettings settings, Deadline deadline) {
		InvalidSettingException.requireGiven(RedisDatabase.class, "factory", factory);
		InvalidSettingException.requireGiven(RedisDatabase.class, "settings", settings);
		InvalidSettingException.requireGiven(RedisDatabase.class, "deadline", deadline);
		Duration timeLimit = deadline.remaining();
		RedisDatabase database = new RedisDatabase(factory, settings);
		try {
			database.open(deadline.timeSource(), timeLimit);
			database.isOpened = true;
			return database;
		}
		finally {
			if (!database.isOpened) {
				database.close();
			}
		}
	}

	/**
	 * Connect to the server, and query it. Each of these steps may take the whole time
	 * limit, because on a busy machine the first step may need seconds to load the
	 * client's classes.
	 */
	private void open(TimeSource timeSource, Duration timeLimit) {
		String what = "open the id store";
		repeat(what, (left) -> this.connections.use((channel, answerDeadline) -> true, left),
				Deadline.after(timeSource, timeLimit));
		KeySpaceSnapshot snapshot = read(what, "", "none", false, Deadline.after(timeSource, timeLimit));
		if (this.fence.rules().isOn() && snapshot.server().isEmpty()) {
			throw new IdSetupException(
					"The server does not report its master_replid in INFO, so fail-overs cannot be detected.",
					"Use a server that reports it, or set ids.redis.failover-margin=0 if the server never fails over.",
					List.of("ids.redis.failover-margin"), null);
		}
	}

	/**
	 * Verify that the connected server is ready and does not lose confirmed writes.
	 */
	private boolean inspect(RedisChannel channel, Deadline deadline) throws RedisFailure {
		RedisInfo info = RedisInfo.parse(channel.info(deadline));
		info.verifyReady();
		verifyDurability(info);
		this.confirmations = info.confirmations(this.settings);
		this.description = new StoreDescription("redis", info.product(), info.warnings(this.settings));
		return true;
	}

	private void verifyDurability(RedisInfo info) throws RedisFailure {
		try {
			info.verifyDurability(this.settings);
		}
		catch (IdSetupException ex) {
			if (!this.isOpened) {
				throw ex;
			}
			// the application is already running, and can still issue the ids in memory
			throw RedisFailure.permanent(String.valueOf(ex.getMessage()), ex);
		}
	}

	/**
	 * Describe this database.
	 * @return the product, its version, and the warnings for operators
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
	 * Return the name of the key that stores a key space, for messages to operators.
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
	 * Run a script once.
	 * @param confirmed whether to wait until the writes of the script, if any, are
	 * confirmed
	 * @throws RedisFailure if the script failed or its outcome is unknown
	 */
	List<Object> run(RedisScript script, boolean confirmed, String keySpace, Deadline deadline, String... values)
			throws RedisFailure {
		return run(script, confirmed, keySpace, RedisDatabase::isOk, deadline, values);
	}

	private List<Object> run(RedisScript script, boolean confirmed, String keySpace,
			Predicate<List<Object>> needsConfirmation, Deadline deadline, String... values) throws RedisFailure {
		byte[][] keys = { key("space", keySpace), key("slots", keySpace), key("used", keySpace) };
		byte[][] arguments = Arrays.stream(values).map(RedisDatabase::bytes).toArray(byte[][]::new);
		// read this.confirmations in the lambda, because connecting sets it
		return this.connections.use((channel, answerDeadline) -> channel.run(script, keys, arguments, needsConfirmation,
				confirmed ? this.confirmations : Confirmations.NONE, answerDeadline, deadline), deadline);
	}

	/**
	 * Read a key space once.
	 * @param slots the slots to read: {@code all}, {@code none}, or the number of a slot
	 * @param confirmed whether to wait until the values are on disk
	 */
	KeySpaceSnapshot read(String keySpace, String slots, boolean confirmed, Deadline deadline) throws RedisFailure {
		return read(keySpace, slots, confirmed, (snapshot) -> true, deadline);
	}

	/**
	 * Read a key space once, and wait until the values are on disk. After a fail-over, do
	 * not wait, because the values can be used only after the take-over is recorded.
	 */
	KeySpaceSnapshot readDurably(String keySpace, String slots, Deadline deadline) throws RedisFailure {
		return read(keySpace, slots, true,
				(snapshot) -> !this.fence.state(snapshot, RedisFence.COUNTER).hasFailedOver(), deadline);
	}

	private KeySpaceSnapshot read(String keySpace, String slots, boolean confirmed,
			Predicate<KeySpaceSnapshot> needsConfirmation, Deadline deadline) throws RedisFailure {
		return KeySpaceSnapshot.parse(run(RedisScript.READ, confirmed, keySpace,
				(answer) -> needsConfirmation.test(KeySpaceSnapshot.parse(answer)), deadline, slots,
				confirmed ? "1" : "0"));
	}

	/**
	 * Read a key space, and retry after transient failures.
	 * @param what the operation, for failure messages
	 */
	KeySpaceSnapshot read(String what, String keySpace, String slots, boolean confirmed, Deadline deadline) {
		return repeat(what, (left) -> read(keySpace, slots, confirmed, left), deadline);
	}

	/**
	 * Change a key space if the conditions of the change are met.
	 * @return whether the change was applied
	 */
	boolean change(String keySpace, Change change, Deadline deadline) throws RedisFailure {
		return isOk(run(RedisScript.CHANGE, true, keySpace, deadline, change.arguments()));
	}

	/**
	 * Record a take-over if the conditions of the change are met. Do not wait for the
	 * confirmation, because a take-over reserves nothing.
	 * @return whether the take-over was recorded
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
	 * @param work the work, which must be safe to repeat after an attempt with an unknown
	 * outcome
	 */
	<T> T repeat(String what, Work<T> work, Deadline deadline) {
		Duration pause = FIRST_PAUSE;
		// stop retrying shortly before the deadline, because the last failure is more
		// informative than the timeout of another attempt
		Duration timeToReport = deadline.remaining().dividedBy(10);
		timeToReport = (timeToReport.compareTo(LONGEST_PAUSE) < 0) ? timeToReport : LONGEST_PAUSE;
		while (true) {
			try {
				return work.run(deadline);
			}
			catch (RedisFailure ex) {
				Duration wait = ex.waitBeforeRetry();
				Duration left = deadline.remaining();
				if (wait != null && (left.isZero() || wait.compareTo(left) > 0)) {
					throw new IdStoreUnavailableException("Cannot " + what + " yet: " + ex.getMessage() + ". Retry in "
							+ wait.plusMillis(1).toMillis() + " ms");
				}
				if (!ex.isRetryable() || (wait == null && left.compareTo(timeToReport) <= 0)) {
					throw unavailable(what, ex);
				}
				sleep(what, (wait != null) ? wait : randomPause(pause, left), ex);
				pause = (pause.compareTo(LONGEST_PAUSE) < 0) ? pause.multipliedBy(2) : LONGEST_PAUSE;
			}
		}
	}

	/**
	 * Run work until its outcome has a result. Also retry it after transient failures.
	 * @param what the operation, for failure messages
	 */
	<T> T attempt(String what, Work<Outcome<T>> work, Deadline deadline) {
		return repeat(what, (left) -> {
			Outcome<T> outcome = work.run(left);
			outcome.afterCommit().run();
			T result = outcome.result();
			if (result == null) {
				throw RedisFailure.retryAfter(outcome.reason(), outcome.pause());
			}
			return result;
		}, deadline);
	}

	/**
	 * Run work until its outcome has a result. Do not retry it after failures.
	 * @param what the operation, for failure messages
	 */
	<T> T attemptUntilFailure(String what, Work<Outcome<T>> work, Deadline deadline) {
		while (true) {
			Outcome<T> outcome = once(what, work, deadline);
			outcome.afterCommit().run();
			T result = outcome.result();
			if (result != null) {
				return result;
			}
			RedisFailure reason = RedisFailure.retryAfter(outcome.reason(), outcome.pause());
			if (outcome.pause().compareTo(deadline.remaining()) > 0) {
				throw unavailable(what, reason);
			}
			sleep(what, outcome.pause(), reason);
		}
	}

	/**
	 * Run work once, without retries.
	 */
	<T> T once(String what, Work<T> work, Deadline deadline) {
		try {
			return work.run(deadline);
		}
		catch (RedisFailure ex) {
			throw unavailable(what, ex);
		}
	}

	private static Duration randomPause(Duration longest, Duration left) {
		long millis = Math.max(1, Math.min(longest.toMillis(), left.toMillis()));
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
	 * Work that must end before a deadline.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		T run(Deadline deadline) throws RedisFailure;

	}

}
