package dev.idspring.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import dev.idspring.text.Digits.Length;
import org.jspecify.annotations.Nullable;

/**
 * Converts numbers to UUIDs of version 8. A UUID contains the 64 bits of the number, then
 * a tag that shows to which key space the UUID belongs. If there are secrets, the number
 * is permuted under them.
 */
final class UuidVersion8 implements UuidForm {

	private static final int VERSION = 8;

	/** The number of bits of the tag. These are the last bits of the UUID. */
	private static final int TAG_BITS = 58;

	/**
	 * The first bit of each tag, which is always set. Otherwise, the ninth byte of a UUID
	 * could be 0x80. MariaDB rejects UUIDs of version 8 with that byte.
	 */
	private static final long MARK = 1L << TAG_BITS - 1;

	/** One tag per secret, or a single tag if there are no secrets. */
	private final List<UuidTag> tags;

	private final @Nullable SecretPermutation permutation;

	/**
	 * Create a UUID form.
	 * @param identity a string that distinguishes these UUIDs from UUIDs with another
	 * identity, which are rejected
	 * @param keySpace the name of the key space
	 * @param secrets the secrets, ordered by the first number to which they apply
	 * @param firstNumbers the first number to which each secret applies, 0 for the first
	 * secret
	 */
	UuidVersion8(String identity, String keySpace, List<Secret> secrets, List<Long> firstNumbers) {
		this.tags = secrets.isEmpty() ? List.of(UuidTag.of(identity))
				: secrets.stream().map((secret) -> UuidTag.of(identity, secret)).toList();
		this.permutation = secrets.isEmpty() ? null
				: new SecretPermutation(2, new Length(Long.SIZE, 0, -1),
						secrets.stream().map(Secret::cipherPool).toList(), firstNumbers,
						keySpace.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public UUID toUuid(long number) {
		long value = number;
		if (this.permutation != null) {
			long[] halves = this.permutation.permute(number);
			value = halves[0] << 32 | halves[1];
		}
		long low = (value & 0xF) << TAG_BITS | tag(number);
		return UuidTag.uuid(VERSION, value >>> 16, value >>> 4 & 0xFFF, low);
	}

	private long tag(long number) {
		int secretIndex = (this.permutation != null) ? this.permutation.secretIndex(number) : 0;
		return this.tags.get(secretIndex).bits(number) >>> Long.SIZE - TAG_BITS | MARK;
	}

	@Override
	public long fromUuid(UUID uuid) {
		UuidTag.verifyVersion(uuid, VERSION);
		long value = UuidTag.high(uuid) << 16 | UuidTag.afterVersion(uuid) << 4 | UuidTag.low(uuid) >>> TAG_BITS;
		long number = (this.permutation != null)
				? this.permutation.invert(new long[] { value >>> 32, value & 0xFFFF_FFFFL }) : value;
		// the bits before the tag determine the number, so only the tag remains to be
		// checked
		if ((UuidTag.low(uuid) & (1L << TAG_BITS) - 1) != tag(number)) {
			throw UuidTag.noId(uuid);
		}
		return number;
	}

}
