package dev.idspring.redis;

import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.KeySpaceView;
import dev.idspring.store.rules.RuledKeySpaceStore;
import dev.idspring.worker.Deadline;

/**
 * Stores each key space in the hash {@code {prefix}:space:NAME}. The braces are part of
 * the key. {@link RuledKeySpaceStore} explains why no ordinal is reserved twice. In this
 * store:
 * <ol>
 * <li>Each reservation is one script. The script checks the definition, the end of the
 * range and the {@linkplain RedisFence fence}, and advances the counter in the server's
 * 64-bit arithmetic.</li>
 * <li>A reserved range is returned only after the disks have confirmed it
 * ({@link RedisDatabase}).</li>
 * <li>A missing key space is created only if the settings allow it. An instance never
 * recreates a key space that one of its own generators has opened.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class RedisKeySpaceStore extends RuledKeySpaceStore<RedisFailure> {

	private static final Logger logger = System.getLogger(RedisKeySpaceStore.class.getName());

	private final RedisDatabase database;

	/**
	 * Create a store.
	 * @param database the database of the key spaces
	 */
	public RedisKeySpaceStore(RedisDatabase database) {
		this.database = InvalidSettingException.requireGiven(RedisKeySpaceStore.class, "database", database);
	}

	RedisDatabase database() {
		return this.database;
	}

	@Override
	public StoreDescription describe() {
		return this.database.describe();
	}

	@Override
	public StoredKeySpace create(String name, String definition, long capacity, Deadline deadline) {
		StoreArguments.create(name, definition, capacity, deadline);
		StoredKeySpace stored = this.database.repeat("create key space '" + name + "'", (left) -> {
			KeySpaceSnapshot snapshot = this.database.read(name, "none", false, left);
			if (!snapshot.exists()) {
				verifyMayCreate(name);
				if (!this.database.change(name, creation(snapshot, definition, capacity), left)) {
					throw RedisFailure.conflict();
				}
				logger.log(Level.INFO, "Created key space '" + name + "' in " + this.database.keyOf(name));
				return new StoredKeySpace(name, definition, capacity, 0);
			}
			warnIfInitializeIsOn(name);
			return predicted(view(name, snapshot));
		}, deadline);
		return remember(stored);
	}

	private void warnIfInitializeIsOn(String name) {
		if (this.database.settings().initialize()) {
			logger.log(Level.WARNING, "ids.redis.initialize is 'always', and key space '" + name + "' already exists."
					+ " Remove the property: if the server lost the key space, a new one would begin at 0 again");
		}
	}

	private void verifyMayCreate(String name) {
		if (isRemembered(name)) {
			throw missingKeySpace(name);
		}
		if (!this.database.settings().initialize()) {
			throw new IdSetupException(
					"Key space '" + name + "' is missing: the server has no key '" + this.database.keyOf(name) + "'.",
					"If it is new, set ids.redis.initialize=always for the first start, and remove the property"
							+ " afterwards. If it has issued ids before, the key is lost or elsewhere (FLUSHALL, a"
							+ " server without its files, another spring.data.redis.database or ids.redis.key-prefix)."
							+ " Find or restore the key first, because a new key space would begin at 0 again.",
					List.of("ids.redis.initialize", "ids.redis.key-prefix"), null);
		}
	}

	private Change creation(KeySpaceSnapshot snapshot, String definition, long capacity) {
		Change creation = Change.creation(fence().server(snapshot))
			.set("definition", definition)
			.set("capacity", capacity)
			.set(RedisFence.COUNTER, 0)
			.set(RedisFence.NEXT_SLOT, 0)
			.set("history", UsageHistory.empty().text());
		return rules().isOn() ? creation.set("incarnation", snapshot.server()).set(rules().unused(0, snapshot.clock()))
				: creation;
	}

	@Override
	protected FenceRules rules() {
		return fence().rules();
	}

	@Override
	protected <T> T attempt(String what, String name, Work<T, RedisFailure> work, Deadline deadline) {
		return this.database.attempt(what, (left) -> work.run(new RedisKeySpaceAccess(this.database, name, left)),
				deadline);
	}

	@Override
	protected <T> T once(String what, String name, Work<T, RedisFailure> work, Deadline deadline) {
		return Objects.requireNonNull(this.database
			.once(what, (left) -> work.run(new RedisKeySpaceAccess(this.database, name, left)), deadline)
			.result());
	}

	private KeySpaceView view(String name, KeySpaceSnapshot snapshot) {
		return snapshot.view(name, fence().state(snapshot, RedisFence.COUNTER));
	}

	@Override
	protected KeySpaceRegressionException missingKeySpace(String name) {
		return new KeySpaceRegressionException("The key '" + this.database.keyOf(name) + "' of key space '" + name
				+ "' has vanished from the server. " + RecoveryInstructions.createAgain("ids.redis.initialize=always")
				+ " " + RecoveryInstructions.skipAhead(name, RecoveryInstructions.UNKNOWN));
	}

	@Override
	public Optional<StoredKeySpace> read(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		KeySpaceSnapshot snapshot = this.database.read("read key space '" + name + "'", name, "none", false, deadline);
		return snapshot.exists() ? Optional.of(predicted(view(name, snapshot))) : Optional.empty();
	}

	@Override
	public Optional<StoredHistory> readHistory(String name, Deadline deadline) {
		StoreArguments.read(name, deadline);
		KeySpaceSnapshot snapshot = this.database.read("read the history of key space '" + name + "'", name, "none",
				false, deadline);
		return snapshot.exists() ? Optional.of(new StoredHistory(UsageHistory.parse(snapshot.field("history")),
				Instant.ofEpochMilli(snapshot.clockMillis()))) : Optional.empty();
	}

	@Override
	public void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
		StoreArguments.replaceHistory(name, known, replacement, deadline);
		this.database.once("store the history of key space '" + name + "'",
				(left) -> this.database.change(name,
						Change.on("").when("history", known.text()).set("history", replacement.text()), left),
				deadline);
	}

	private RedisFence fence() {
		return this.database.fence();
	}

}
