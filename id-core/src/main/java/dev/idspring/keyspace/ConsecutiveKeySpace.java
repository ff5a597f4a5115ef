package dev.idspring.keyspace;

import java.util.Objects;

import dev.idspring.InvalidSettingException;

/**
 * Keys that are consecutive numbers, written in decimal.
 */
final class ConsecutiveKeySpace implements KeySpace {

	/** The number of keys must be a {@code long} too. */
	static final long MAX_END = Long.MAX_VALUE - 1;

	private final long first;

	private final long capacity;

	private final long stretch;

	private final String definition;

	private final String summary;

	private final String boundParameter;

	/**
	 * Create a key space.
	 * @param first the key of ordinal 0
	 * @param capacity how many keys there are
	 * @param stretch how many keys make up a series, the capacity if there is only one;
	 * divides the capacity
	 */
	ConsecutiveKeySpace(long first, long capacity, long stretch, String definition, String summary,
			String boundParameter) {
		this.first = first;
		this.capacity = capacity;
		this.stretch = stretch;
		this.definition = definition;
		this.summary = summary;
		this.boundParameter = boundParameter;
	}

	/**
	 * Create a key space that is not divided.
	 * @param strategy the strategy whose definition begins with its name
	 * @param start the first key
	 * @param end the last key
	 */
	static ConsecutiveKeySpace of(String strategy, long start, long end) {
		long capacity = end - start + 1;
		return new ConsecutiveKeySpace(start, capacity, capacity, strategy + " start=" + start,
				strategy + " from " + start, "end");
	}

	static void verifyRange(Class<?> settings, long start, long end) {
		InvalidSettingException.requireRange(settings, "start", start, 0L, MAX_END);
		InvalidSettingException.require(end >= start && end <= MAX_END, settings, "end", end,
				"must be from %s, " + start + ", to " + MAX_END, "start");
	}

	@Override
	public long capacity() {
		return this.capacity;
	}

	@Override
	public String definition() {
		return this.definition;
	}

	@Override
	public String summary() {
		return this.summary;
	}

	@Override
	public String boundParameter() {
		return this.boundParameter;
	}

	@Override
	public long key(long ordinal) {
		Ordinals.verify(ordinal, 1, this.capacity);
		return this.first + ordinal;
	}

	@Override
	public void keys(long ordinal, long[] into, int offset, int count) {
		Ordinals.verify(ordinal, count, this.capacity);
		Objects.checkFromIndexSize(offset, count, into.length);
		long key = this.first + ordinal;
		for (int i = 0; i < count; i++) {
			into[offset + i] = key + i;
		}
	}

	@Override
	public long ordinal(long key) {
		return verifyKey(key) - this.first;
	}

	@Override
	public long boundaryAfter(long ordinal) {
		Ordinals.verify(ordinal, 1, this.capacity);
		return ordinal - ordinal % this.stretch + this.stretch;
	}

	@Override
	public String format(long key) {
		return Long.toString(verifyKey(key));
	}

	@Override
	public long parse(String text) {
		return verifyKey(DecimalText.parse(text, Long.toString(last()).length()));
	}

	private long last() {
		return this.first + (this.capacity - 1);
	}

	private long verifyKey(long key) {
		if (key < this.first || key > last()) {
			throw new IllegalArgumentException(
					key + " is not a key of this key space: it must be from " + this.first + " to " + last());
		}
		return key;
	}

}
