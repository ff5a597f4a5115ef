package dev.idspring.redis;

import java.time.Duration;
import java.time.Instant;

import dev.idspring.InvalidSettingException;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.StoreArguments;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.RuledSlotStore;
import dev.idspring.worker.Deadline;

/**
 * Stores the slots of a key space in two hashes: used-up slots in
 * {@code {prefix}:used:NAME}, and all others in {@code {prefix}:slots:NAME}. The braces
 * are part of the keys. All times are from the server's clock.
 * <p>
 * {@link RuledSlotStore} explains why no position is used twice. Each change is one
 * script, which checks the preconditions of the change and the {@linkplain RedisFence
 * fence}. The result of a change is returned only after the disks have confirmed the
 * change and the values on which it depends ({@link RedisDatabase}). A take-over is an
 * exception: its result is returned without confirmation.
 *
 * @since 0.1.0
 */
public final class RedisSlotStore extends RuledSlotStore<RedisFailure> {

	private final RedisDatabase database;

	private final Duration clockOffset;

	/**
	 * Create a store.
	 * @param database the database of the slots
	 */
	public RedisSlotStore(RedisDatabase database) {
		this(database, Duration.ZERO);
	}

	/**
	 * Create a store that adds an offset to the server's clock, for tests.
	 */
	RedisSlotStore(RedisDatabase database, Duration clockOffset) {
		this.database = InvalidSettingException.requireGiven(RedisSlotStore.class, "database", database);
		this.clockOffset = clockOffset;
	}

	@Override
	public boolean belongsTo(KeySpaceStore keySpaces) {
		InvalidSettingException.requireGiven(RedisSlotStore.class, "keySpaces", keySpaces);
		return (keySpaces instanceof RedisKeySpaceStore other) ? other.database() == this.database
				: !(keySpaces instanceof InMemoryKeySpaceStore);
	}

	@Override
	public Instant time(Deadline deadline) {
		StoreArguments.time(deadline);
		return Instant.ofEpochMilli(this.database.read("read the time", "", "none", false, deadline).clockMillis())
			.plus(this.clockOffset);
	}

	@Override
	protected FenceRules rules() {
		return this.database.fence().rules();
	}

	@Override
	protected String place() {
		return "the server";
	}

	@Override
	protected <T> T attempt(String what, String keySpace, Work<T, RedisFailure> work, Deadline deadline) {
		return this.database.attempt(what, (left) -> work.run(access(keySpace, true, left)), deadline);
	}

	@Override
	protected <T> T once(String what, String keySpace, Work<T, RedisFailure> work, Deadline deadline) {
		return this.database.attemptUntilFailure(what, (left) -> work.run(access(keySpace, true, left)), deadline);
	}

	@Override
	protected <T> T read(String what, String keySpace, Query<T, RedisFailure> query, Deadline deadline) {
		return this.database.repeat(what, (left) -> query.run(access(keySpace, false, left)), deadline);
	}

	private RedisSlotAccess access(String keySpace, boolean forUpdate, Deadline deadline) {
		return new RedisSlotAccess(this.database, this.clockOffset.toMillis(), keySpace, forUpdate, deadline);
	}

}
