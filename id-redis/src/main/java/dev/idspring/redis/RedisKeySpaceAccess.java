package dev.idspring.redis;

import java.util.List;
import java.util.Optional;

import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.rules.KeySpaceAccess;
import dev.idspring.store.rules.KeySpaceView;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes one key space, but not its slots, during one attempt.
 */
final class RedisKeySpaceAccess extends RedisAccess implements KeySpaceAccess<RedisFailure> {

	RedisKeySpaceAccess(RedisDatabase database, String name, Deadline deadline) {
		super(database, name, deadline);
	}

	@Override
	public Optional<KeySpaceView> view() throws RedisFailure {
		KeySpaceSnapshot latest = remember(read(false));
		return latest.exists() ? Optional.of(latest.view(this.keySpace, fence().state(latest, RedisFence.COUNTER)))
				: Optional.empty();
	}

	private KeySpaceSnapshot read(boolean confirmed) throws RedisFailure {
		return this.database.read(this.keySpace, "none", confirmed, this.deadline);
	}

	@Override
	public Optional<Reserved> reserve(String definition, @Nullable String server, String token, long count, long bound)
			throws RedisFailure {
		List<Object> answer = this.database.run(RedisScript.RESERVE, true, this.keySpace, this.deadline,
				Long.toString(count), Long.toString(bound - count), definition, token, fence().burst());
		if (!RedisDatabase.isOk(answer)) {
			return Optional.empty();
		}
		long end = Long.parseLong(KeySpaceSnapshot.text(answer.get(1)));
		return Optional
			.of(new Reserved(new OrdinalRange(end - count, end), token, KeySpaceSnapshot.text(answer.get(2))));
	}

	@Override
	public boolean giveBack(String definition, Reserved reserved, OrdinalRange range) throws RedisFailure {
		KeySpaceSnapshot latest = read(false);
		if (!latest.field("reservation").equals(reserved.token())) {
			return false;
		}
		String end = Long.toString(range.end());
		Change change = Change.on(String.valueOf(reserved.server()))
			.when("reservation", reserved.token())
			.when(RedisFence.COUNTER, end)
			.when("definition", definition)
			.set(RedisFence.COUNTER, range.start())
			.set("reservation", "");
		if (fence().rules().isOn()) {
			if (fence().state(latest, RedisFence.COUNTER).needsTakeOver()) {
				return false;
			}
			change.when("incarnation", latest.server())
				.when("line_time", latest.field("line_time"))
				.when("line_raised_rate", latest.field("line_raised_rate"))
				.set("line_time", latest.line(RedisFence.COUNTER).giveBack(range.size()).time());
		}
		return write(change);
	}

	@Override
	public boolean takeOver(KeySpaceView view, FenceLine line) throws RedisFailure {
		return this.database.takeOver(this.keySpace, fence().takeOver(latest(), RedisFence.COUNTER, line),
				this.deadline);
	}

	@Override
	public void redefine(String knownDefinition, String replacement, long maxReserved, @Nullable String server)
			throws RedisFailure {
		KeySpaceSnapshot latest = read(true);
		if (latest.field("definition").equals(knownDefinition) && latest.asLong(RedisFence.COUNTER) <= maxReserved
				&& !fence().state(latest, RedisFence.COUNTER).hasFailedOver()) {
			writeOrFail(Change.on(fence().server(latest))
				.when("definition", knownDefinition)
				.when("incarnation", latest.lastWriter())
				.when(RedisFence.COUNTER, latest.field(RedisFence.COUNTER))
				.set("definition", replacement));
		}
	}

	@Override
	public void raiseCapacity(long capacity) throws RedisFailure {
		KeySpaceSnapshot latest = read(false);
		if (latest.exists() && latest.asLong("capacity") < capacity) {
			writeOrFail(Change.on("").when("capacity", latest.field("capacity")).set("capacity", capacity));
		}
	}

	@Override
	public void skip(long end) throws RedisFailure {
		KeySpaceSnapshot latest = read(true);
		if (latest.exists() && latest.asLong(RedisFence.COUNTER) < end) {
			writeOrFail(Change.on("")
				.when(RedisFence.COUNTER, latest.field(RedisFence.COUNTER))
				.set(RedisFence.COUNTER, end)
				.set("reservation", ""));
		}
	}

	private void writeOrFail(Change change) throws RedisFailure {
		if (!write(change)) {
			throw RedisFailure.conflict();
		}
	}

	@Override
	public boolean count(long count) throws RedisFailure {
		KeySpaceSnapshot latest = read(false);
		if (latest.asLong(RedisFence.COUNTER) > Long.MAX_VALUE - count) {
			return false;
		}
		write(Change.on("").add(RedisFence.COUNTER, count));
		return true;
	}

}
