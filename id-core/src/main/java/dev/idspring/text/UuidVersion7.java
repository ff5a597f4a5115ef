package dev.idspring.text;

import java.util.UUID;

/**
 * Converts time-based numbers to UUIDs of version 7. A UUID contains the time in
 * milliseconds (48 bits), then the {@linkplain UuidForm.TimedNumbers#rest rest} of the
 * number, then a tag that shows to which key space the UUID belongs.
 */
final class UuidVersion7 implements UuidForm {

	private static final int VERSION = 7;

	/** The number of bits after the milliseconds, not counting version and variant. */
	private static final int FREE_BITS = 74;

	private static final int TIME_BITS = 48;

	private final UuidTag tag;

	private final TimedNumbers numbers;

	/**
	 * The number of bits for the rest. The rest fills at least the field after the
	 * version, so that the whole tag is in the lower half of the UUID.
	 */
	private final int restBits;

	UuidVersion7(String identity, TimedNumbers numbers) {
		this.tag = UuidTag.of(identity);
		this.numbers = numbers;
		this.restBits = Math.max(UuidTag.AFTER_VERSION_BITS, numbers.restBits());
	}

	@Override
	public UUID toUuid(long number) {
		long millis = this.numbers.unixMillis(number);
		if (millis >>> TIME_BITS != 0) {
			throw new IllegalArgumentException(Long.toUnsignedString(number)
					+ " has no UUID of version 7: its time is before 1970 or after the year 10889");
		}
		long rest = this.numbers.rest(number);
		int lowBits = this.restBits - UuidTag.AFTER_VERSION_BITS;
		int tagBits = FREE_BITS - this.restBits;
		long low = (rest & (1L << lowBits) - 1) << tagBits | this.tag.bits(number) >>> Long.SIZE - tagBits;
		return UuidTag.uuid(VERSION, millis, rest >>> lowBits, low);
	}

	@Override
	public long fromUuid(UUID uuid) {
		UuidTag.verifyVersion(uuid, VERSION);
		int lowBits = this.restBits - UuidTag.AFTER_VERSION_BITS;
		long rest = UuidTag.afterVersion(uuid) << lowBits
				| UuidTag.low(uuid) >>> (FREE_BITS - this.restBits) & (1L << lowBits) - 1;
		long number = this.numbers.number(UuidTag.high(uuid), rest);
		if (!toUuid(number).equals(uuid)) {
			throw UuidTag.noId(uuid);
		}
		return number;
	}

}
