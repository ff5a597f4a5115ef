package dev.idspring.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import dev.idspring.store.FenceLine;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;

/**
 * A key space as a server has it at one moment.
 *
 * @param server who was asked
 * @param clock its clock, in microseconds since 1970
 * @param fields what is stored of the key space, empty if it does not exist
 * @param slots the slots that were asked for, by number
 * @param hasSlots whether there is any slot
 */
record Look(String server, long clock, Map<String, String> fields, NavigableMap<Long, SlotEntry> slots,
		boolean hasSlots) {

	static Look parse(List<Object> answer) {
		NavigableMap<Long, SlotEntry> slots = new TreeMap<>();
		pairs(answer.get(4)).forEach(
				(number, text) -> slots.put(Long.parseLong(number), SlotEntry.parse(Long.parseLong(number), text)));
		long clock = Long.parseLong(text(answer.get(1))) * FenceLine.SECOND + Long.parseLong(text(answer.get(2)));
		return new Look(text(answer.get(0)), clock, pairs(answer.get(3)), slots, (Long) answer.get(5) > 0);
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

	boolean exists() {
		return !this.fields.isEmpty();
	}

	String field(String name) {
		return this.fields.getOrDefault(name, "");
	}

	long number(String name) {
		String value = field(name);
		return value.isEmpty() ? 0 : Long.parseLong(value);
	}

	long millis() {
		return this.clock / 1_000;
	}

	/**
	 * Return the server that wrote the key space last, empty if there was no fence.
	 */
	String incarnation() {
		return field("incarnation");
	}

	/**
	 * Return the line of a counter.
	 * @param counter the field that has its position
	 */
	FenceLine line(String counter) {
		return new FenceLine(number(counter), number("line_time"), number("line_rate"), number("line_raised_rate"),
				number("line_raised_at"), number("line_held_until"));
	}

	StoredKeySpace keySpace(String name) {
		return new StoredKeySpace(name, field("definition"), number("capacity"), number("next"));
	}

}
