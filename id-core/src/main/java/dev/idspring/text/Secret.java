package dev.idspring.text;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * A secret that encrypts numbers before they are written as text. By default, a secret
 * applies to all numbers. {@link #from} returns a copy that applies from a later number
 * on.
 * <p>
 * The configured secret is never used directly as a key. HKDF with SHA-256 derives a
 * separate key from it for each purpose. {@link #toString()} does not reveal the secret.
 *
 * @since 0.1.0
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5869">RFC 5869: HKDF</a>
 */
public final class Secret {

	private static final String REMEDY = ": use 16, 24 or 32 random bytes in Base64, for example the output of 'openssl rand -base64 32'";

	private final byte[] secret;

	/** The number of ids before the first id to which this secret applies. */
	private final long from;

	private Secret(byte[] secret, long from) {
		this.secret = secret;
		this.from = from;
	}

	/**
	 * Create a secret that applies to all numbers.
	 * @param base64 16, 24 or 32 random bytes in Base64
	 * @return the secret
	 * @throws IllegalArgumentException if the argument has another form, or if the bytes
	 * do not look random; the message does not reveal the argument
	 */
	public static Secret of(String base64) {
		InvalidSettingException.requireGiven(Secret.class, "key", base64);
		require(!base64.isBlank(), "is empty" + REMEDY);
		byte[] secret;
		try {
			secret = Base64.getDecoder().decode(base64.strip());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("is not Base64" + REMEDY);
		}
		require(secret.length == 16 || secret.length == 24 || secret.length == 32,
				"has " + secret.length + " bytes" + REMEDY);
		boolean[] seen = new boolean[256];
		int distinct = 0;
		boolean allPrintable = true;
		for (byte b : secret) {
			distinct += seen[b & 0xFF] ? 0 : 1;
			seen[b & 0xFF] = true;
			allPrintable &= b >= 0x20 && b < 0x7F;
		}
		require(distinct > secret.length / 2, "has too few different bytes, so it is not random" + REMEDY);
		require(!allPrintable, "is text in Base64, so it is not random" + REMEDY);
		// this check rejects random bytes with a probability of less than 1 in 100
		// million
		require(!base64.strip().matches("[a-z]+=*|[A-Z]+=*"),
				"has letters of one case only, so it is not random" + REMEDY);
		return new Secret(secret, 0);
	}

	private static void require(boolean valid, String problem) {
		if (!valid) {
			throw invalid(problem);
		}
	}

	private static InvalidSettingException invalid(String problem) {
		return new InvalidSettingException(Secret.class, "key", new HiddenSecret(), "it " + problem);
	}

	/**
	 * Return a copy of this secret that applies to a given id and all later ones.
	 * @param ordinals the number of ids before the first id to which the secret applies
	 * @return the copy
	 */
	public Secret from(long ordinals) {
		InvalidSettingException.require(ordinals >= 0, Secret.class, "from", ordinals, "must not be negative");
		return new Secret(this.secret, ordinals);
	}

	long from() {
		return this.from;
	}

	AesPool cipherPool() {
		return new AesPool(Arrays.copyOf(derive("permutation"), this.secret.length));
	}

	/**
	 * Return a function that computes message authentication codes. Its key is derived
	 * from this secret for the given purpose.
	 */
	UnaryOperator<byte[]> authenticator(String purpose) {
		byte[] key = derive(purpose);
		return (message) -> hmac(key, message);
	}

	/**
	 * Return a fingerprint that identifies this secret in a key space without revealing
	 * it.
	 * @param keySpace the name of the key space
	 */
	String fingerprint(String keySpace) {
		byte[] mac = authenticator("fingerprint").apply(keySpace.getBytes(StandardCharsets.UTF_8));
		return HexFormat.of().formatHex(mac, 0, 8);
	}

	/**
	 * Derive a 32-byte key for one purpose. This is HKDF without a salt and with a single
	 * expansion step.
	 */
	private byte[] derive(String purpose) {
		byte[] extracted = hmac(new byte[32], this.secret);
		return hmac(extracted, ("dev.idspring " + purpose + "\u0001").getBytes(StandardCharsets.UTF_8));
	}

	private static byte[] hmac(byte[] key, byte[] message) {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(key, "HmacSHA256"));
			return mac.doFinal(message);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("This JVM has no HMAC with SHA-256", ex);
		}
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Secret that && Arrays.equals(this.secret, that.secret) && this.from == that.from;
	}

	@Override
	public int hashCode() {
		return Long.hashCode(this.from);
	}

	@Override
	public String toString() {
		return "******" + ((this.from == 0) ? "" : " from " + this.from);
	}

	/** Represents the secret in error messages, which must not reveal it. */
	private static final class HiddenSecret {

		@Override
		public String toString() {
			return "given";
		}

	}

}
