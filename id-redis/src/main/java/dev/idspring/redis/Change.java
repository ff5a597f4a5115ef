package dev.idspring.redis;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.SlotState;
import org.jspecify.annotations.Nullable;

/**
 * Conditions and writes for one key space. The server applies all writes if every
 * condition is met. Otherwise, it applies none of them.
 */
final class Change {

	private final String server;

	private final boolean mustExist;

	private final List<String> conditions = new ArrayList<>();

	private final List<String> writes = new ArrayList<>();

	private Change(String server, boolean mustExist) {
		this.server = server;
		this.mustExist = mustExist;
	}

	/**
	 * Create an empty change of a key space. The server rejects the change if the key
	 * space does not exist.
	 * @param server the {@code master_replid} of the server that must apply the change,
	 * or an empty string for any server
	 */
	static Change on(String server) {
		return new Change(server, true);
	}

	/**
	 * Create an empty change that creates a key space. The server rejects the change if
	 * the key space already exists.
	 * @param server the {@code master_replid} of the server that must apply the change,
	 * or an empty string for any server
	 */
	static Change creation(String server) {
		return new Change(server, false);
	}

	/**
	 * Require that a field has the given value. An empty value requires that the field is
	 * missing or empty.
	 */
	Change when(String field, String value) {
		return add(this.conditions, "field", field, value);
	}

	/**
	 * Require that a slot is unchanged since it was read.
	 * @param state the slot that was read, or {@code null} if the slot must not exist
	 */
	Change when(long number, @Nullable SlotState state) {
		return add(this.conditions, "slot", Long.toString(number), (state != null) ? KeySpaceSnapshot.text(state) : "");
	}

	Change set(String field, Object value) {
		return add(this.writes, "set", field, value.toString());
	}

	/**
	 * Set a field to a time in the future: the time of the server's clock when the server
	 * applies the change, plus a delay.
	 * @param micros the delay in microseconds
	 */
	Change setLater(String field, long micros) {
		return add(this.writes, "later", field, Long.toString(micros));
	}

	/**
	 * Add a count to a field. The server computes the sum in 64-bit arithmetic.
	 */
	Change add(String field, long count) {
		return add(this.writes, "add", field, Long.toString(count));
	}

	Change set(SlotState state) {
		return add(this.writes, state.slot().isUsedUp() ? "used" : "slot", Long.toString(state.slot().number()),
				KeySpaceSnapshot.text(state));
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
		arguments.add(this.mustExist ? "1" : "0");
		arguments.add(Integer.toString(this.conditions.size() / 3));
		arguments.addAll(this.conditions);
		arguments.addAll(this.writes);
		return arguments.toArray(String[]::new);
	}

}
