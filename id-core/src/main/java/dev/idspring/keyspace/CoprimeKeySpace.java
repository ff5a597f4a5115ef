package dev.idspring.keyspace;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.keyspace.KeySpace.ArithmeticRun;
import dev.idspring.text.Alphabet;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings;
import dev.idspring.text.TextSettings.DefinedText;

/**
 * A key space with a {@link CoprimeCycle} for each length of the text form. Shorter keys
 * are issued before longer ones.
 * <p>
 * The keys of one length form a level. The ordinals and numeric keys of a level begin
 * where those of the previous level end. Numeric keys are unique because each level adds
 * the sizes of all previous levels to the keys of its cycle. Strings are unique across
 * levels because their lengths differ.
 */
final class CoprimeKeySpace implements KeySpace {

	private final Alphabet alphabet;

	private final Level[] levels;

	private final long capacity;

	private final DefinedText text;

	/** The form of {@code text}, stored in its own field to save an indirection. */
	private final TextForm form;

	/**
	 * Create a key space.
	 * @param multiplier the multiplier of the first length; each longer length has a
	 * default multiplier
	 */
	CoprimeKeySpace(Alphabet alphabet, int length, int maxLength, long multiplier, long offset) {
		this.alphabet = alphabet;
		List<Level> levels = new ArrayList<>();
		long start = 0;
		long size = 1;
		for (int i = 1; i <= maxLength; i++) {
			size = Math.multiplyExact(size, alphabet.size());
			if (i >= length) {
				long levelMultiplier = (i == length) ? multiplier : CoprimeCycle.defaultMultiplier(size);
				CoprimeCycle cycle = new CoprimeCycle(size, levelMultiplier, offset);
				levels.add(new Level(i, start, start + size, cycle, cycle.arithmeticRun(start)));
				start += size;
			}
		}
		this.levels = levels.toArray(Level[]::new);
		this.capacity = start;
		this.form = TextForm.digits(alphabet, length, maxLength);
		this.text = new DefinedText(this.form, "");
	}

	private CoprimeKeySpace(CoprimeKeySpace other, DefinedText text) {
		this.alphabet = other.alphabet;
		this.levels = other.levels;
		this.capacity = other.capacity;
		this.text = text;
		this.form = text.form();
	}

	@Override
	public KeySpace withText(TextSettings text, String name) {
		InvalidSettingException.requireGiven(KeySpace.class, "text", text);
		InvalidSettingException.requireGiven(KeySpace.class, "name", name);
		return new CoprimeKeySpace(this, text.formOfObfuscated(this.text.form(), this.alphabet));
	}

	@Override
	public long capacity() {
		return this.capacity;
	}

	@Override
	public String definition() {
		Level first = this.levels[0];
		return "coprime length=" + first.length() + " multiplier=" + first.cycle().multiplier.value() + " offset="
				+ first.cycle().offset + " alphabet=" + this.alphabet.characters() + this.text.definition();
	}

	@Override
	public String boundParameter() {
		return "maxLength";
	}

	@Override
	public String summary() {
		String digits = (this.alphabet.name() != null) ? this.alphabet.name()
				: "custom alphabet of " + this.alphabet.size();
		return "coprime, " + digits + ", " + lengths();
	}

	private String lengths() {
		int first = this.levels[0].length();
		int last = this.levels[this.levels.length - 1].length();
		return ((first < last) ? first + " to " + last : first) + ((last > 1) ? " characters" : " character");
	}

	@Override
	public long key(long ordinal) {
		Level level = level(ordinal, "an ordinal");
		return level.start() + level.cycle().key(ordinal - level.start());
	}

	@Override
	public long ordinal(long key) {
		Level level = level(key, "a key");
		return level.start() + level.cycle().ordinal(key - level.start());
	}

	@Override
	public long rangeEnd(long ordinal) {
		return level(ordinal, "an ordinal").end();
	}

	@Override
	public ArithmeticRun arithmeticRun(long ordinal) {
		return level(ordinal, "an ordinal").steps();
	}

	@Override
	public String format(long key) {
		if (key < 0 || key >= this.capacity) {
			throw outOfRange(key, "a key");
		}
		return this.form.format(key);
	}

	@Override
	public long parse(String text) {
		return this.form.parse(text);
	}

	@Override
	public TextForm text() {
		return this.form;
	}

	private Level level(long number, String what) {
		for (Level level : this.levels) {
			if (number < level.end() && number >= 0) {
				return level;
			}
		}
		throw outOfRange(number, what);
	}

	private IllegalArgumentException outOfRange(long number, String what) {
		return new IllegalArgumentException(
				number + " is not " + what + " of this key space: it must be from 0 to " + (this.capacity - 1));
	}

	/**
	 * The keys of one length.
	 *
	 * @param length the number of characters
	 * @param start the first ordinal, which is also the smallest key
	 * @param end the first ordinal of the next length, which is also the smallest key of
	 * the next length
	 * @param cycle the order of the keys
	 * @param steps the steps between consecutive keys in the order of the cycle
	 */
	private record Level(int length, long start, long end, CoprimeCycle cycle, ArithmeticRun steps) {
	}

}
