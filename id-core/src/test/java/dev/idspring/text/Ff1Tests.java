package dev.idspring.text;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;

import org.bouncycastle.crypto.fpe.FPEFF1Engine;
import org.bouncycastle.crypto.params.FPEParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ff1}.
 */
class Ff1Tests {

	private static final int CASES = Integer.getInteger("test.ids.ff1-cases", 20_000);

	private static final String KEY = "2B7E151628AED2A6ABF7158809CF4F3C";

	/**
	 * NIST's samples for {@code KEY}, and one sample each for a 192-bit and a 256-bit
	 * key.
	 */
	@ParameterizedTest
	@CsvSource({ "10, '', 0123456789, 2433477484, " + KEY, "10, 39383736353433323130, 0123456789, 6124200773, " + KEY,
			"36, 3737373770717273373737, 0123456789abcdefghi, a9tv40mll9kdu509eum, " + KEY,
			"10, '', 0123456789, 2830668132, 2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F",
			"36, 3737373770717273373737, 0123456789abcdefghi, xs8a0azh2avyalyzuwd, 2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94" })
	void encryptsThePublishedSamples(int radix, String tweak, String plain, String cipher, String key) {
		HexFormat hex = HexFormat.of();
		Ff1 ff1 = new Ff1(new AesPool(hex.parseHex(key)), radix, plain.length(), hex.parseHex(tweak));
		long[] halves = halves(plain, radix);
		ff1.encrypt(halves);
		assertThat(halves).containsExactly(halves(cipher, radix));
		ff1.decrypt(halves);
		assertThat(halves).containsExactly(halves(plain, radix));
	}

	private static long[] halves(String digits, int radix) {
		int left = digits.length() / 2;
		return new long[] { Long.parseLong(digits.substring(0, left), radix),
				Long.parseLong(digits.substring(left), radix) };
	}

	/**
	 * Random cases: any radix that an alphabet can have, any length that has at least a
	 * million strings and halves of at most {@code HALF_BITS} bits, any AES key length,
	 * and tweaks of 0 to 39 bytes.
	 */
	@Test
	void agreesWithBouncyCastle() {
		Random random = new Random(1);
		byte[][] digits = new byte[2][];
		for (int i = 0; i < CASES; i++) {
			int radix = 2 + random.nextInt(93);
			int maxHalfLength = (int) (Ff1.HALF_BITS / (Math.log(radix) / Math.log(2)));
			int length = Math.max(2 + random.nextInt(2 * maxHalfLength - 1),
					(int) Math.ceil(Math.log(1e6) / Math.log(radix)));
			byte[] key = bytes(random, 16 + 8 * random.nextInt(3));
			byte[] tweak = bytes(random, random.nextInt(40));
			digits[0] = new byte[length];
			for (int j = 0; j < length; j++) {
				digits[0][j] = (byte) random.nextInt(radix);
			}
			FPEFF1Engine engine = new FPEFF1Engine();
			engine.init(true, new FPEParameters(new KeyParameter(key), radix, tweak));
			digits[1] = new byte[length];
			engine.processBlock(digits[0], 0, length, digits[1], 0);
			Ff1 ff1 = new Ff1(new AesPool(key), radix, length, tweak);
			long[] halves = halves(digits[0], radix);
			long[] plain = halves.clone();
			long[] expected = halves(digits[1], radix);
			ff1.encrypt(halves);
			if (halves[0] != expected[0] || halves[1] != expected[1]) {
				assertThat(halves).as("radix %d, length %d, tweak of %d bytes", radix, length, tweak.length)
					.containsExactly(expected);
			}
			ff1.decrypt(halves);
			if (halves[0] != plain[0] || halves[1] != plain[1]) {
				assertThat(halves).as("radix %d, length %d", radix, length).containsExactly(plain);
			}
		}
	}

	private static byte[] bytes(Random random, int length) {
		byte[] bytes = new byte[length];
		random.nextBytes(bytes);
		return bytes;
	}

	private static long[] halves(byte[] digits, int radix) {
		long[] halves = new long[2];
		for (int i = 0; i < digits.length; i++) {
			int half = (i < digits.length / 2) ? 0 : 1;
			halves[half] = halves[half] * radix + digits[i];
		}
		return halves;
	}

	@ParameterizedTest
	@CsvSource({ "2, 7", "10, 2", "10, 3", "7, 3", "31, 2" })
	void permutesSmallDomains(int radix, int length) {
		Ff1 ff1 = new Ff1(new AesPool(HexFormat.of().parseHex(KEY)), radix, length,
				"orders".getBytes(StandardCharsets.UTF_8));
		int size = (int) Math.pow(radix, length);
		boolean[] seen = new boolean[size];
		for (int i = 0; i < size; i++) {
			long[] halves = { i / ff1.rightSize(), i % ff1.rightSize() };
			ff1.encrypt(halves);
			int image = (int) (halves[0] * ff1.rightSize() + halves[1]);
			assertThat(seen[image]).isFalse();
			seen[image] = true;
			ff1.decrypt(halves);
			assertThat(halves[0] * ff1.rightSize() + halves[1]).isEqualTo(i);
		}
	}

}
