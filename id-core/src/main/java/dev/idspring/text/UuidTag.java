package dev.idspring.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Computes the tag in the last bits of a UUID. The tag shows to which key space the UUID
 * belongs. This class also defines the bit fields of UUIDs of versions 7 and 8.
 */
final class UuidTag {

	/** The number of bits in the field after the version. */
	static final int AFTER_VERSION_BITS = 12;

	private static final int VARIANT = 2;

	private static final int LOW_BITS = 62;

	private final byte[] identity;

	private final UnaryOperator<byte[]> hash;

	private UuidTag(String identity, UnaryOperator<byte[]> hash) {
		this.identity = identity.getBytes(StandardCharsets.UTF_8);
		this.hash = hash;
	}

	/**
	 * Create an instance that computes tags without a secret.
	 */
	static UuidTag of(String identity) {
		return new UuidTag(identity, (message) -> sha256().digest(message));
	}

	/**
	 * Create an instance whose tags can be computed only with a secret.
	 */
	static UuidTag of(String identity, Secret secret) {
		return new UuidTag(identity, secret.authenticator("uuid"));
	}

	/**
	 * Return the tag of a number.
	 * @param number the number
	 * @return 64 bits, of which the caller uses the highest ones
	 */
	long bits(long number) {
		byte[] message = ByteBuffer.allocate(this.identity.length + Long.BYTES)
			.put(this.identity)
			.putLong(number)
			.array();
		return ByteBuffer.wrap(this.hash.apply(message)).getLong();
	}

	static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This JVM has no SHA-256", ex);
		}
	}

	static UUID uuid(int version, long high, long afterVersion, long low) {
		return new UUID(high << 16 | (long) version << AFTER_VERSION_BITS | afterVersion,
				(long) VARIANT << LOW_BITS | low);
	}

	static long high(UUID uuid) {
		return uuid.getMostSignificantBits() >>> 16;
	}

	static long afterVersion(UUID uuid) {
		return uuid.getMostSignificantBits() & (1 << AFTER_VERSION_BITS) - 1;
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
	 * Create the exception for a UUID that belongs to no id. The message does not reveal
	 * the number that was decoded from the UUID.
	 */
	static IllegalArgumentException noId(UUID uuid) {
		return TextForm.invalid(uuid.toString(), "no id has this UUID");
	}

}
