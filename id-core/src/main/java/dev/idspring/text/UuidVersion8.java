package dev.idspring.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import dev.idspring.text.Digits.Length;
import org.jspecify.annotations.Nullable;

/**
 * UUIDs of version 8: the 64 bits of the number, permuted by the secrets if there are
 * any, then a tag.
 */
final class UuidVersion8 implements UuidForm {

	private static final int VERSION = 8;

	/** The number of bits after the number in the lower half. */
	private static final int TAG_BITS = 58;

	/**
	 * The first bit of each tag. Without it the ninth byte could be 0x80, and MariaDB
	 * rejects such a UUID of version 8.
	 */
	private static final long MARK = 1L << TAG_BITS - 1;

	/** One for each secret, or a single one without secrets. */
	private final List<UuidTag> tags;

	private final @Nullable SecretOrder order;

	/**
	 * Create a form.
	 * @param identity distinguishes these numbers from those of others
	 * @param keySpace the name of the key space
	 * @param secrets in the order of their beginnings
	 * @param beginnings the first number of each secret, that of the first one 0
	 */
	UuidVersion8(String identity, String keySpace, List<Secret> secrets, List<Long> beginnings) {
		this.tags = secrets.isEmpty() ? List.of(UuidTag.of(identity))
				: secrets.stream().map((secret) -> UuidTag.of(identity, secret)).toList();
		this.order = secrets.isEmpty() ? null
				: new SecretOrder(2, new Length(Long.SIZE, 0, -1), secrets.stream().map(Secret::permutation).toList(),
						beginnings, keySpace.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public UUID toUuid(long number) {
		long value = number;
		if (this.order != null) {
			long[] halves = this.order.permute(number);
			value = halves[0] << 32 | halves[1];
		}
		long low = (value & 0xF) << TAG_BITS | tag(number);
		return UuidTag.uuid(VERSION, value >>> 16, value >>> 4 & 0xFFF, low);
	}

	private long tag(long number) {
		int secret = (this.order != null) ? this.order.secretIndex(number) : 0;
		return this.tags.get(secret).bits(number) >>> Long.SIZE - TAG_BITS | MARK;
	}

	@Override
	public long fromUuid(UUID uuid) {
		UuidTag.verifyVersion(uuid, VERSION);
		long value = UuidTag.high(uuid) << 16 | UuidTag.besideVersion(uuid) << 4 | UuidTag.low(uuid) >>> TAG_BITS;
		long number = (this.order != null) ? this.order.invert(new long[] { value >>> 32, value & 0xFFFF_FFFFL })
				: value;
		// the bits before the tag are different for each number
		if ((UuidTag.low(uuid) & (1L << TAG_BITS) - 1) != tag(number)) {
			throw UuidTag.noId(uuid);
		}
		return number;
	}

}
