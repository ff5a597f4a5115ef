package dev.idspring.keyspace;

import dev.idspring.InvalidSettingException;
import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.text.Alphabet;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings;
import dev.idspring.text.TextSettings.DefinedText;
import org.jspecify.annotations.Nullable;

/**
 * A key space whose keys are written in decimal by default. The keys are the numbers of a
 * range, either in ascending order or in the order of a cycle.
 *
 * @param definition the definition of the mapping, and of the text form unless it is the
 * default
 * @param summary a short readable description
 * @param boundParameter the setting that raises the capacity, or {@code null} if the
 * capacity is fixed
 * @param first the lowest key, which has ordinal 0 unless there is a cycle
 * @param capacity the number of keys
 * @param seriesSize the number of keys in a series, or the capacity if there are no
 * series; the capacity is a multiple of this number
 * @param cycle the order of the keys, or {@code null} if they are in ascending order
 * @param text the text form of the keys
 */
record DecimalKeySpace(String definition, String summary, @Nullable String boundParameter, long first, long capacity,
		long seriesSize, @Nullable CoprimeCycle cycle, TextForm text) implements KeySpace {

	/**
	 * The highest possible key. If the first key is 0, the number of keys is one higher,
	 * and must also fit in a {@code long}.
	 */
	static final long MAX_END = Long.MAX_VALUE - 1;

	DecimalKeySpace(String definition, String summary, @Nullable String boundParameter, long first, long capacity,
			long seriesSize, @Nullable CoprimeCycle cycle) {
		this(definition, summary, boundParameter, first, capacity, seriesSize, cycle,
				TextForm.decimal(Long.toString(first + (capacity - 1)).length()));
	}

	/**
	 * Create a key space of consecutive numbers without series.
	 * @param strategy the name of the strategy, which is the beginning of the definition
	 * @param start the first key
	 * @param end the last key
	 */
	static DecimalKeySpace of(String strategy, long start, long end) {
		return of(strategy, start, end, "");
	}

	/**
	 * Create a key space of consecutive numbers whose definition has a suffix.
	 * @param suffix the string to append to the definition
	 */
	static DecimalKeySpace of(String strategy, long start, long end, String suffix) {
		long capacity = end - start + 1;
		return new DecimalKeySpace(strategy + " start=" + start + suffix, strategy + " from " + start, "end", start,
				capacity, capacity, null);
	}

	static void verifyRange(Class<?> settings, long start, long end) {
		InvalidSettingException.requireRange(settings, "start", start, 0L, MAX_END);
		InvalidSettingException.require(end >= start && end <= MAX_END, settings, "end", end,
				"must be from %s (" + start + ") to " + MAX_END, "start");
	}

	@Override
	public long firstOrdinal() {
		return (this.cycle != null) ? this.first : 0;
	}

	@Override
	public long key(long ordinal) {
		verifyOrdinal(ordinal);
		return (this.cycle != null) ? this.cycle.key(this.first + ordinal) : this.first + ordinal;
	}

	@Override
	public long ordinal(long key) {
		verifyKey(key);
		return ((this.cycle != null) ? this.cycle.ordinal(key) : key) - this.first;
	}

	@Override
	public long rangeEnd(long ordinal) {
		verifyOrdinal(ordinal);
		return ordinal - ordinal % this.seriesSize + this.seriesSize;
	}

	@Override
	public @Nullable ArithmeticRun arithmeticRun(long ordinal) {
		verifyOrdinal(ordinal);
		return (this.cycle != null) ? this.cycle.arithmeticRun(0) : null;
	}

	@Override
	public String format(long key) {
		return this.text.format(verifyKey(key));
	}

	@Override
	public long parse(String text) {
		return verifyKey(this.text.parse(text));
	}

	@Override
	public KeySpace withText(TextSettings text, String name) {
		InvalidSettingException.requireGiven(KeySpace.class, "text", text);
		InvalidSettingException.requireGiven(KeySpace.class, "name", name);
		if (!this.definition.startsWith("sequential")) {
			text.requireOneSecret();
		}
		DefinedText definedText = (this.cycle != null) ? text.formOfObfuscated(this.text, Alphabet.of("0123456789"))
				: text.formOfCounter(name, this.text, this.first, last());
		return new DecimalKeySpace(this.definition + definedText.definition(), this.summary, this.boundParameter,
				this.first, this.capacity, this.seriesSize, this.cycle, definedText.form());
	}

	private void verifyOrdinal(long ordinal) {
		if (ordinal < 0 || ordinal >= this.capacity) {
			throw new IllegalArgumentException(
					ordinal + " is not an ordinal of this key space: it must be from 0 to " + (this.capacity - 1));
		}
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
