package dev.idspring.keyspace;

import java.util.Objects;

/**
 * The keys of {@link ParkMillerSettings}. The ordinal i is the published seed i + 1.
 */
final class ParkMillerKeySpace implements KeySpace {

	private static final long MODULUS = 2_147_483_647L;

	private static final long MULTIPLIER = 16_807L;

	private static final long CAPACITY = MODULUS - 1;

	private static final int MAX_DIGITS = 10;

	private final CoprimeCycle cycle = new CoprimeCycle(MODULUS, MULTIPLIER, 0);

	private final ArithmeticRun steps = this.cycle.steps(0);

	@Override
	public long capacity() {
		return CAPACITY;
	}

	@Override
	public String definition() {
		return "park-miller modulus=" + MODULUS + " multiplier=" + MULTIPLIER;
	}

	@Override
	public String summary() {
		return "park-miller";
	}

	@Override
	public long firstOrdinal() {
		return 1;
	}

	@Override
	public long key(long ordinal) {
		Ordinals.verify(ordinal, 1, CAPACITY);
		return this.cycle.key(ordinal + 1);
	}

	@Override
	public void keys(long ordinal, long[] into, int offset, int count) {
		Ordinals.verify(ordinal, count, CAPACITY);
		Objects.checkFromIndexSize(offset, count, into.length);
		this.cycle.keys(ordinal + 1, 0, into, offset, count);
	}

	@Override
	public long ordinal(long key) {
		return this.cycle.ordinal(verifyKey(key)) - 1;
	}

	@Override
	public long boundaryAfter(long ordinal) {
		Ordinals.verify(ordinal, 1, CAPACITY);
		return CAPACITY;
	}

	@Override
	public ArithmeticRun steps(long ordinal) {
		Ordinals.verify(ordinal, 1, CAPACITY);
		return this.steps;
	}

	@Override
	public String format(long key) {
		return Long.toString(verifyKey(key));
	}

	@Override
	public long parse(String text) {
		return verifyKey(DecimalText.parse(text, MAX_DIGITS));
	}

	private static long verifyKey(long key) {
		if (key < 1 || key > CAPACITY) {
			throw new IllegalArgumentException(
					key + " is not a key of this key space: it must be from 1 to " + CAPACITY);
		}
		return key;
	}

}
