package dev.idspring.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.KeySpaceView;
import dev.idspring.store.rules.SlotState;

/**
 * A snapshot of a key space on a server.
 *
 * @param server the {@code master_replid} of the server that answered
 * @param clock the clock of that server, in microseconds since 1970
 * @param fields the stored fields of the key space, or an empty map if it does not exist
 * @param slots the requested slots by number
 * @param hasSlots whether the key space has any slot
 */
record KeySpaceSnapshot(String server, long clock, Map<String, String> fields, NavigableMap<Long, SlotState> slots,
		boolean hasSlots) {

	static KeySpaceSnapshot parse(List<Object> answer) {
		NavigableMap<Long, SlotState> slots = new TreeMap<>();
		pairs(answer.get(4))
			.forEach((number, text) -> slots.put(Long.parseLong(number), slot(Long.parseLong(number), text)));
		long clock = Long.parseLong(text(answer.get(1))) * FenceLine.SECOND + Long.parseLong(text(answer.get(2)));
		return new KeySpaceSnapshot(text(answer.get(0)), clock, pairs(answer.get(3)), slots, (Long) answer.get(5) > 0);
	}

	private static Map<String, String> pairs(Object list) {
		Map<String, String> pairs = new HashMap<>();
		List<?> values = (List<?>) list;
		for (int i = 0; i < values.size(); i += 2) {
			pairs.put(text(values.get(i)), text(values.get(i + 1)));
		}
		return pairs;
	}

	static String text(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

	/**
	 * Parse a slot. Each line contains one field: the position, the end, the token, the
	 * start and the end of the lease, and the owner.
	 */
	static SlotState slot(long number, String text) {
		String[] fields = text.split("\n", 6);
		return new SlotState(new Slot(number, Long.parseLong(fields[0]), Long.parseLong(fields[1])),
				fields[5].isEmpty() ? null : fields[5], fields[2].isEmpty() ? null : fields[2],
				Long.parseLong(fields[3]), Long.parseLong(fields[4]));
	}

	/**
	 * Format a slot such that {@link #slot} can parse it.
	 */
	static String text(SlotState state) {
		return String.join("\n", Long.toString(state.slot().position()), Long.toString(state.slot().end()),
				(state.token() != null) ? state.token() : "", Long.toString(state.leasedAt()),
				Long.toString(state.leaseUntil()), (state.owner() != null) ? state.owner() : "");
	}

	boolean exists() {
		return !this.fields.isEmpty();
	}

	String field(String name) {
		return this.fields.getOrDefault(name, "");
	}

	long asLong(String name) {
		String value = field(name);
		return value.isEmpty() ? 0 : Long.parseLong(value);
	}

	long clockMillis() {
		return this.clock / 1_000;
	}

	/**
	 * Return the {@code master_replid} of the server that is recorded as the last writer
	 * of the key space. Return an empty string if none is recorded.
	 */
	String lastWriter() {
		return field("incarnation");
	}

	/**
	 * Return the fence line of a counter.
	 * @param counter the field that stores the counter
	 */
	FenceLine line(String counter) {
		return new FenceLine(asLong(counter), asLong("line_time"), asLong("line_rate"), asLong("line_raised_rate"),
				asLong("line_raised_at"), asLong("line_held_until"));
	}

	KeySpaceView view(String name, FenceState fence) {
		return new KeySpaceView(
				new StoredKeySpace(name, field("definition"), asLong("capacity"), asLong(RedisFence.COUNTER)),
				this.hasSlots, field("reservation"), fence);
	}

}
