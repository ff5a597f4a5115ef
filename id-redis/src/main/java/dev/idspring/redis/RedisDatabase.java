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
 * The server that the stores share, behind a {@link LettuceConnectionFactory}: one
 * server, one that Sentinels watch, or the one of a cluster that has the keys.
 * <p>
 * Why nothing is used that the server may forget:
 * <ol>
 * <li>What changes something is one script, which the server runs in one step.</li>
 * <li>{@code WAITAOF} follows it on the same connection, in the same packet. The answer
 * is used only if as many disks have confirmed as the settings ask for. Otherwise what
 * was reserved is discarded.</li>
 * <li>A file that is only appended to has everything that was written before, and a
 * replica receives it in the same order. So a client that reads what another connection
 * wrote writes something itself before it relies on that.</li>
 * <li>What hands out nothing is not waited for: a script that changed nothing, and the
 * change by which a server {@linkplain RedisFence takes over}. Whatever is reserved after
 * it is confirmed after it. If the server loses it, it has lost all that came after it as
 * well, and takes over once more.</li>
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
	 * Open a server: make sure that it keeps what it confirms.
	 * @param factory says where the server is and how to connect. Its connections are not
	 * used, as those of the stores never reconnect by themselves
	 * @param settings how the server is used
	 * @param deadline how long the server may take to accept a connection, and to answer.
	 * The time that it takes to create a client does not count
	 * @return the database, to be closed
	 * @throws IdSetupException if the server may lose what it confirms
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
	 * Ask the server. On a busy machine it takes seconds to load the classes of a client
	 * before its first connection: that is not the server's time.
	 */
	private void open(TimeSource timeSource, Duration time) {
		String what = "open the server";
		repeat(what, (left) -> this.connections.use((channel, patience) -> true, left),
				Deadline.after(timeSource, time));
		Look look = look(what, "", "none", false, Deadline.after(timeSource, time));
		if (this.fence.rules().isOn() && look.server().isEmpty()) {
			throw new IdSetupException(
					"The server does not tell its master_replid in INFO, so fail-overs go unnoticed.",
					"Use a server that does, or set ids.redis.failover-margin=0 if it never fails over.",
					List.of("ids.redis.failover-margin"), null);
		}
	}

	/**
	 * Make sure that the server at the other end keeps what it confirms.
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
	 * Return how operators find a key.
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
	 * Run a script once, and wait until what it wrote is confirmed. Where it hands out
	 * nothing there is nothing to wait for.
	 * @throws RedisFailure if it failed, or its outcome is unknown
	 */
	List<Object> run(RedisScript script, boolean confirmed, String keySpace, Deadline deadline, String... values)
			throws RedisFailure {
		return run(script, confirmed, keySpace, RedisDatabase::isOk, deadline, values);
	}

	private List<Object> run(RedisScript script, boolean confirmed, String keySpace, Predicate<List<Object>> handsOut,
			Deadline deadline, String... values) throws RedisFailure {
		byte[][] keys = { key("space", keySpace), key("slots", keySpace), key("used", keySpace) };
		byte[][] arguments = Arrays.stream(values).map(RedisDatabase::bytes).toArray(byte[][]::new);
		// what can be confirmed is known as soon as there is a connection
		return this.connections.use((channel, patience) -> channel.run(script, keys, arguments, handsOut,
				confirmed ? this.confirmations : Confirmations.NONE, patience, deadline), deadline);
	}

	/**
	 * Read a key space once.
	 * @param slots which slots: {@code all}, {@code none}, or a number
	 * @param confirmed whether what is read must be on disk
	 */
	Look look(String keySpace, String slots, boolean confirmed, Deadline deadline) throws RedisFailure {
		return look(keySpace, slots, confirmed, (look) -> true, deadline);
	}

	/**
	 * Read a key space once, and have it on disk unless another server has taken over:
	 * before that is dealt with, what was read cannot be used.
	 */
	Look lookForUse(String keySpace, String slots, Deadline deadline) throws RedisFailure {
		return look(keySpace, slots, true, (look) -> !this.fence.state(look, RedisFence.COUNTER).isOtherServer(),
				deadline);
	}

	private Look look(String keySpace, String slots, boolean confirmed, Predicate<Look> matters, Deadline deadline)
			throws RedisFailure {
		return Look.parse(run(RedisScript.LOOK, confirmed, keySpace, (answer) -> matters.test(Look.parse(answer)),
				deadline, slots, confirmed ? "1" : "0"));
	}

	/**
	 * Read a key space.
	 * @param what what is being done, for the message of a failure
	 */
	Look look(String what, String keySpace, String slots, boolean confirmed, Deadline deadline) {
		return repeat(what, (left) -> look(keySpace, slots, confirmed, left), deadline);
	}

	/**
	 * Change a key space if it is as it was read.
	 * @return whether it was
	 */
	boolean change(String keySpace, Change change, Deadline deadline) throws RedisFailure {
		return isOk(run(RedisScript.CHANGE, true, keySpace, deadline, change.arguments()));
	}

	/**
	 * Let a key space be used on a server that has taken over, if it is as it was read.
	 * That is not waited for, since it hands out nothing.
	 * @return whether it was
	 */
	boolean takeOver(String keySpace, Change change, Deadline deadline) throws RedisFailure {
		return isOk(run(RedisScript.CHANGE, false, keySpace, deadline, change.arguments()));
	}

	static boolean isOk(List<Object> answer) {
		return "ok".equals(Look.text(answer.get(0)));
	}

	/**
	 * Run work, and retry it while the failure may pass.
	 * @param what what is being done, for the message of a failure
	 * @param work must tolerate being repeated after it was done without our knowing
	 */
	<T> T repeat(String what, Work<T> work, Deadline deadline) {
		Duration pause = FIRST_PAUSE;
		// the failure says more than that there was no time for another attempt
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
	 * Run work, and retry it while it asks for that or the failure may pass.
	 * @param what what is being done, for the message of a failure
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
	 * Something to be done.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		T run(Deadline deadline) throws RedisFailure;

	}

}
