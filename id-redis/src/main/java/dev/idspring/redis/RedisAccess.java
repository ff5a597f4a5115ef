package dev.idspring.redis;

import java.util.Objects;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceAccess;
import dev.idspring.store.rules.FenceState;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes one key space during one attempt. A write that depends on values that
 * were read earlier is applied only if these values are unchanged.
 */
abstract class RedisAccess implements FenceAccess<RedisFailure> {

	final RedisDatabase database;

	final String keySpace;

	final Deadline deadline;

	/** The snapshot that {@code view()} read last. */
	private @Nullable KeySpaceSnapshot snapshot;

	RedisAccess(RedisDatabase database, String keySpace, Deadline deadline) {
		this.database = database;
		this.keySpace = keySpace;
		this.deadline = deadline;
	}

	final RedisFence fence() {
		return this.database.fence();
	}

	final KeySpaceSnapshot remember(KeySpaceSnapshot latest) {
		this.snapshot = latest;
		return latest;
	}

	final KeySpaceSnapshot latest() {
		return Objects.requireNonNull(this.snapshot, "view() has not been called yet");
	}

	final boolean write(Change change) throws RedisFailure {
		return this.database.change(this.keySpace, change, this.deadline);
	}

	@Override
	public final boolean followClock(FenceState state, FenceLine followed) throws RedisFailure {
		return write(fence().followClock(latest(), followed));
	}

	@Override
	public final boolean changeRate(FenceState state, FenceLine changed) throws RedisFailure {
		return write(fence().changeRate(latest(), changed));
	}

	@Override
	public final boolean startRaise(FenceState state) throws RedisFailure {
		return write(fence().startRaise(latest()));
	}

}
