package dev.idspring.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The last bits of UUIDs, by which those of one key space differ from all others, and the
 * places of bits in UUIDs of versions 7 and 8.
 */
final class UuidTag {

	/** How many free bits there are beside the version. */
	static final int BESIDE_VERSION = 12;

	private static final int VARIANT = 2;

	private static final int LOW_BITS = 62;

	private final byte[] identity;

	UuidTag(String identity) {
		this.identity = identity.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the tag of a number.
	 * @param number the number
	 * @param secret without which nobody can make the tag, or {@code null}
	 * @return 64 bits, of which the first are used
	 */
	long bits(long number, @Nullable Secret secret) {
		byte[] message = ByteBuffer.allocate(this.identity.length + Long.BYTES)
			.put(this.identity)
			.putLong(number)
			.array();
		return ByteBuffer.wrap((secret != null) ? secret.mac("uuid", message) : digest(message)).getLong();
	}

	private static byte[] digest(byte[] message) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(message);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This JVM has no SHA-256", ex);
		}
	}

	static UUID uuid(int version, long high, long besideVersion, long low) {
		return new UUID(high << 16 | (long) version << BESIDE_VERSION | besideVersion,
				(long) VARIANT << LOW_BITS | low);
	}

	static long high(UUID uuid) {
		return uuid.getMostSignificantBits() >>> 16;
	}

	static long besideVersion(UUID uuid) {
		return uuid.getMostSignificantBits() & (1 << BESIDE_VERSION) - 1;
	}

	static long low(UUID uuid) {
		return uuid.getLeastSignificantBits() & (1L << LOW_BITS) - 1;
	}

	static void verifyVersion(@Nullable UUID uuid, int version) {
		if (uuid == null) {
			throw TextForm.invalid(null, "it must be a UUID of version " + version);
		}
		if (uuid.version() != version || uuid.variant() != VARIANT) {
			throw TextForm.invalid(uuid.toString(), "it is a UUID of version " + uuid.version()
					+ ((uuid.variant() == VARIANT) ? "" : " and variant " + uuid.variant()) + ", not " + version);
		}
	}

	/**
	 * Return the number that was read, if it makes the same UUID.
	 */
	static long verified(UUID uuid, UuidForm form, long number) {
		if (!form.toUuid(number).equals(uuid)) {
			// its number is not told
			throw TextForm.invalid(uuid.toString(), "no id has this UUID");
		}
		return number;
	}

}
