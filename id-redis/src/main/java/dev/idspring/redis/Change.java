package dev.idspring.redis;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.SlotState;
import org.jspecify.annotations.Nullable;

/**
 * Writes that the server applies only if the values they depend on are unchanged.
 */
final class Change {

	private final String server;

	private final boolean exists;

	private final List<String> conditions = new ArrayList<>();

	private final List<String> writes = new ArrayList<>();

	private Change(String server, boolean exists) {
		this.server = server;
		this.exists = exists;
	}

	/**
	 * Begin a change of an existing key space.
	 * @param server the server that must apply it, empty for any
	 */
	static Change on(String server) {
		return new Change(server, true);
	}

	/**
	 * Begin the creation of a key space.
	 */
	static Change creation(String server) {
		return new Change(server, false);
	}

	/**
	 * Require a field to have a value. An empty value requires that it has none.
	 */
	Change when(String field, String value) {
		return add(this.conditions, "field", field, value);
	}

	/**
	 * Require a slot to be unchanged since it was read.
	 */
	Change when(long number, @Nullable SlotState entry) {
		return add(this.conditions, "slot", Long.toString(number), (entry != null) ? KeySpaceSnapshot.text(entry) : "");
	}

	Change set(String field, Object value) {
		return add(this.writes, "set", field, value.toString());
	}

	/**
	 * Set a time.
	 * @param micros the delay after the change, by the server's clock
	 */
	Change setLater(String field, long micros) {
		return add(this.writes, "later", field, Long.toString(micros));
	}

	/**
	 * Advance a counter in the server's own arithmetic.
	 */
	Change add(String field, long count) {
		return add(this.writes, "add", field, Long.toString(count));
	}

	Change set(SlotState entry) {
		return add(this.writes, entry.slot().isUsedUp() ? "used" : "slot", Long.toString(entry.slot().number()),
				KeySpaceSnapshot.text(entry));
	}

	Change set(FenceLine line) {
		return set("line_time", line.time()).set("line_rate", line.rate())
			.set("line_raised_rate", line.raised())
			.set("line_raised_at", line.raiseAt())
			.set("line_held_until", line.holdUntil());
	}

	private Change add(List<String> list, String kind, String field, String value) {
		list.add(kind);
		list.add(field);
		list.add(value);
		return this;
	}

	String[] arguments() {
		List<String> arguments = new ArrayList<>();
		arguments.add(this.server);
		arguments.add(this.exists ? "1" : "0");
		arguments.add(Integer.toString(this.conditions.size() / 3));
		arguments.addAll(this.conditions);
		arguments.addAll(this.writes);
		return arguments.toArray(String[]::new);
	}

}
