package dev.idspring.time;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.UuidForm;

/**
 * The layout of an id. An id is a number with up to four parts: a prefix that the
 * application chooses, the time, the number of the node that generates the id, and a tail
 * that distinguishes ids of the same node and millisecond. Each part can have any number
 * of values, not only a power of 2 or of 10.
 * <p>
 * Two ids are equal only if all their parts are equal. The ids of a signed layout have 63
 * bits and are never negative. The ids of an unsigned layout have 64 bits and are
 * unsigned numbers. The time is the number of milliseconds since the epoch. The last time
 * is {@link #lastInstant()}.
 * <p>
 * This class is immutable. It computes unsigned ids in {@code long} arithmetic, which
 * yields the same bits as unsigned arithmetic.
 *
 * @since 0.1.0
 */
public final class TimeLayout implements UuidForm.TimedNumbers {

	private static final BigInteger SIGNED_VALUES = BigInteger.ONE.shiftLeft(63);

	private static final BigInteger UNSIGNED_VALUES = BigInteger.ONE.shiftLeft(64);

	private final Instant epoch;

	private final boolean unsigned;

	private final List<Part> parts;

	private final Part prefix;

	private final Part time;

	private final Part node;

	private final Part tail;

	/** The highest id, as an unsigned number. */
	private final long maxId;

	private TimeLayout(Instant epoch, boolean unsigned, List<Part> parts) {
		this.epoch = epoch;
		this.unsigned = unsigned;
		BigInteger unit = BigInteger.ONE;
		Part[] partsWithUnits = parts.toArray(Part[]::new);
		for (int i = partsWithUnits.length - 1; i >= 0; i--) {
			partsWithUnits[i] = new Part(partsWithUnits[i].field(), partsWithUnits[i].radix(), unit.longValue());
			unit = unit.multiply(BigInteger.valueOf(partsWithUnits[i].radix()));
		}
		this.parts = List.of(partsWithUnits);
		this.maxId = unit.subtract(BigInteger.ONE).longValue();
		this.prefix = part(Field.PREFIX);
		this.time = part(Field.TIME);
		this.node = part(Field.NODE);
		this.tail = part(Field.TAIL);
		if (idsPerNode(ticks()).compareTo(SIGNED_VALUES) > 0) {
			throw new IllegalArgumentException("The layout allows a single node more than 2^63 ids, which is too many");
		}
	}

	private Part part(Field field) {
		return this.parts.stream()
			.filter((part) -> part.field() == field)
			.findFirst()
			// a missing part has only the value 0, which does not change the id
			.orElse(new Part(field, 1, 0));
	}

	/**
	 * Create a layout whose parts have whole numbers of bits, in the order time, node,
	 * tail.
	 * @param epoch the instant at which the time is 0
	 * @param timeBits the number of bits of the time
	 * @param nodeBits the number of bits of the node
	 * @param tailBits the number of bits of the tail; all three together have at most 63
	 * bits
	 * @return the layout
	 */
	static TimeLayout bits(Instant epoch, int timeBits, int nodeBits, int tailBits) {
		return new TimeLayout(epoch, false, List.of(new Part(Field.TIME, 1L << timeBits),
				new Part(Field.NODE, 1L << nodeBits), new Part(Field.TAIL, 1L << tailBits)));
	}

	/**
	 * Create a layout in which the time has all values that the other parts leave free,
	 * but no value after {@code last}.
	 * @param epoch the instant at which the time is 0
	 * @param unsigned whether ids are unsigned numbers of 64 bits
	 * @param last the last instant that ids may contain
	 * @param before the parts before the time, most significant first
	 * @param after the parts after the time, most significant first. All given parts
	 * together must leave at least one value for the time
	 * @return the layout
	 */
	static TimeLayout withRemainingTime(Instant epoch, boolean unsigned, Instant last, List<Part> before,
			List<Part> after) {
		BigInteger otherValues = BigInteger.ONE;
		List<Part> parts = new ArrayList<>(before);
		parts.addAll(after);
		for (Part part : parts) {
			otherValues = otherValues.multiply(BigInteger.valueOf(part.radix()));
		}
		BigInteger timeValues = (unsigned ? UNSIGNED_VALUES : SIGNED_VALUES).divide(otherValues);
		BigInteger ticks = timeValues
			.min(BigInteger.valueOf(Duration.between(epoch, last).toMillis()).add(BigInteger.ONE));
		parts.add(before.size(), new Part(Field.TIME, ticks.longValue()));
		return new TimeLayout(epoch, unsigned, parts);
	}

	/**
	 * Return the instant at which the time is 0.
	 * @return the epoch
	 */
	public Instant epoch() {
		return this.epoch;
	}

	/**
	 * Return whether ids are unsigned numbers.
	 * @return {@code true} if ids may be negative when read as signed numbers
	 */
	public boolean isUnsigned() {
		return this.unsigned;
	}

	/**
	 * Return the number of milliseconds that the time can represent.
	 * @return the upper bound of times, exclusive
	 */
	public long ticks() {
		return this.time.radix();
	}

	/**
	 * Return the number of nodes of the layout.
	 * @return the upper bound of node numbers, exclusive
	 */
	public long nodes() {
		return this.node.radix();
	}

	/**
	 * Return the number of ids that a node can generate per millisecond.
	 * @return the upper bound of tails, exclusive
	 */
	public long tails() {
		return this.tail.radix();
	}

	/**
	 * Return the number of prefixes of the layout.
	 * @return the upper bound of prefixes, exclusive; 1 if the layout has no prefix
	 */
	public long prefixes() {
		return this.prefix.radix();
	}

	/**
	 * Return the highest id, as an unsigned number.
	 */
	long maxId() {
		return this.maxId;
	}

	/**
	 * Return the parts of the layout.
	 * @return the parts, most significant first
	 */
	List<Part> parts() {
		return this.parts;
	}

	/**
	 * Return the last instant that an id can contain.
	 * @return the start of the last millisecond that the time can represent
	 */
	public Instant lastInstant() {
		return instant(ticks() - 1);
	}

	/**
	 * Convert a time to an instant.
	 * @param time the number of milliseconds since the epoch; may be negative or after
	 * the last instant
	 * @return the instant
	 */
	public Instant instant(long time) {
		return this.epoch.plus(Duration.ofMillis(time));
	}

	/**
	 * Return the number of ids per prefix.
	 * @return the number of combinations of times, nodes and tails
	 */
	BigInteger capacity() {
		return idsPerNode(ticks()).multiply(BigInteger.valueOf(nodes()));
	}

	/**
	 * Return how many ids per prefix a node can generate in a number of milliseconds.
	 */
	BigInteger idsPerNode(long milliseconds) {
		return BigInteger.valueOf(Math.max(0, milliseconds)).multiply(BigInteger.valueOf(tails()));
	}

	/**
	 * Convert an instant to a time.
	 * @param instant an instant
	 * @return the number of milliseconds since the epoch, rounded down; may be negative
	 * or after the last instant
	 */
	public long time(Instant instant) {
		InvalidSettingException.requireGiven(TimeLayout.class, "instant", instant);
		Duration sinceEpoch = Duration.between(this.epoch, instant);
		// a Duration rounds its seconds down, so its nanoseconds are never negative
		return sinceEpoch.getSeconds() * 1_000 + sinceEpoch.getNano() / 1_000_000;
	}

	/**
	 * Compose an id from its parts.
	 * @param prefix the prefix, 0 if the layout has no prefix
	 * @param time milliseconds since the epoch
	 * @param node the number of the node
	 * @param tail the tail, which distinguishes ids of the same node and millisecond
	 * @return the id, an unsigned number if the layout is unsigned
	 * @throws IllegalArgumentException if a part is negative or too large for the layout
	 */
	public long id(long prefix, long time, long node, long tail) {
		InvalidSettingException.requireRange(TimeLayout.class, "prefix", prefix, 0L, prefixes() - 1);
		InvalidSettingException.requireRange(TimeLayout.class, "time", time, 0L, ticks() - 1);
		InvalidSettingException.requireRange(TimeLayout.class, "node", node, 0L, nodes() - 1);
		InvalidSettingException.requireRange(TimeLayout.class, "tail", tail, 0L, tails() - 1);
		return unverifiedId(prefix, time, node, tail);
	}

	/**
	 * Compose an id from its parts, without verifying their ranges.
	 */
	long unverifiedId(long prefix, long time, long node, long tail) {
		return prefix * this.prefix.unit() + time * this.time.unit() + node * this.node.unit()
				+ tail * this.tail.unit();
	}

	/**
	 * Verify that a number is an id of this layout.
	 * @param id a number
	 * @return the number
	 * @throws IllegalArgumentException if the number is not an id of this layout
	 */
	long verify(long id) {
		if (Long.compareUnsigned(id, this.maxId) > 0) {
			throw new IllegalArgumentException((this.unsigned ? Long.toUnsignedString(id) : Long.toString(id))
					+ " is not an id of this layout: it must be from 0 to " + Long.toUnsignedString(this.maxId)
					+ ((id < 0 && !this.unsigned) ? "; read as an unsigned number it would be "
							+ Long.toUnsignedString(id) + ", which needs 64 bits" : ""));
		}
		return id;
	}

	long time(long id) {
		return this.time.valueIn(id);
	}

	long node(long id) {
		return this.node.valueIn(id);
	}

	long tail(long id) {
		return this.tail.valueIn(id);
	}

	@Override
	public long unixMillis(long id) {
		return this.epoch.toEpochMilli() + time(id);
	}

	/**
	 * Return the bits of tail, node and prefix. The tail has the highest bits, so that
	 * the UUIDs of ids with the same node and prefix sort like the ids.
	 */
	@Override
	public long rest(long id) {
		return (tail(id) << this.node.bits() | node(id)) << this.prefix.bits() | this.prefix.valueIn(id);
	}

	@Override
	public int restBits() {
		return this.tail.bits() + this.node.bits() + this.prefix.bits();
	}

	@Override
	public long number(long unixMillis, long rest) {
		long tailAndNode = rest >>> this.prefix.bits();
		return unverifiedId(this.prefix.valueOfLowestBits(rest), unixMillis - this.epoch.toEpochMilli(),
				this.node.valueOfLowestBits(tailAndNode),
				this.tail.valueOfLowestBits(tailAndNode >>> this.node.bits()));
	}

	/**
	 * The meaning of a part of an id.
	 */
	enum Field {

		/** A number that the application chooses to group ids. */
		PREFIX,

		/** The number of milliseconds since the epoch. */
		TIME,

		/** The node that generated the id. */
		NODE,

		/** Distinguishes ids of the same node and millisecond. */
		TAIL

	}

	/**
	 * A part of an id.
	 *
	 * @param field the meaning of the part
	 * @param radix the number of values of the part
	 * @param unit how much an id increases if this part increases by 1, as an unsigned
	 * number; 0 for a missing part
	 */
	record Part(Field field, long radix, long unit) {

		Part(Field field, long radix) {
			this(field, radix, 1);
		}

		/**
		 * Create a part with a number of decimal digits.
		 */
		static Part digits(Field field, int digits) {
			return new Part(field, BigInteger.TEN.pow(digits).longValueExact());
		}

		/** Return how many bits the values of this part need. */
		int bits() {
			return Long.SIZE - Long.numberOfLeadingZeros(this.radix - 1);
		}

		/** Return the value of this part that the lowest bits of a number contain. */
		long valueOfLowestBits(long bits) {
			return bits & (1L << bits()) - 1;
		}

		long valueIn(long id) {
			return (this.unit == 0) ? 0 : Long.remainderUnsigned(Long.divideUnsigned(id, this.unit), this.radix);
		}

	}

}
