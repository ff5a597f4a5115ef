package dev.idspring.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import javax.crypto.Cipher;

/**
 * The format-preserving encryption FF1 of NIST SP 800-38G: a Feistel network that
 * permutes all numerals (digit strings) of a given radix and length under an AES key.
 * Each half of a numeral must fit in {@link #HALF_BITS} bits.
 * <p>
 * FF1 computes a CBC-MAC in each round. Only the last block of its input depends on the
 * numeral and the round, so the constructor encrypts the other blocks. A round then costs
 * one AES block and one reduction modulo the size of a half.
 *
 * @see <a href="https://doi.org/10.6028/NIST.SP.800-38G">NIST SP 800-38G</a>
 */
final class Ff1 {

	/**
	 * The maximum number of bits in half a numeral. Within this limit, a half and the
	 * intermediate results of {@link #reduce} fit in a {@code long}.
	 */
	static final int HALF_BITS = 62;

	private static final int ROUNDS = 10;

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	private final AesPool aes;

	/** The number of possible values of the left half. */
	private final long leftSize;

	/** The number of possible values of the right half. */
	private final long rightSize;

	/** The number of bytes in the largest value of the right half. */
	private final int rightBytes;

	/**
	 * The first 8 bytes of the CBC-MAC of all blocks but the last, combined by XOR with
	 * the constant part of the last block.
	 */
	private final long macHigh;

	/** The other 8 bytes, combined in the same way as {@link #macHigh}. */
	private final long macLow;

	/**
	 * Create a permutation.
	 * @param aes the ciphers with the key
	 * @param radix the number of distinct digits, 2 to 65,536
	 * @param length the number of digits of a numeral, at least 2
	 * @param tweak a value that selects one of many permutations under the same key
	 */
	Ff1(AesPool aes, int radix, int length, byte[] tweak) {
		this.aes = aes;
		BigInteger rightSize = BigInteger.valueOf(radix).pow(length - length / 2);
		this.leftSize = BigInteger.valueOf(radix).pow(length / 2).longValueExact();
		this.rightSize = rightSize.longValueExact();
		this.rightBytes = (rightSize.subtract(BigInteger.ONE).bitLength() + 7) / 8;
		int paddingBytes = Math.floorMod(-tweak.length - this.rightBytes - 1, AesPool.BLOCK);
		ByteBuffer message = ByteBuffer.allocate(AesPool.BLOCK + tweak.length + paddingBytes + 1 + this.rightBytes);
		message.put(new byte[] { 1, 2, 1, 0 }).putShort((short) radix).put((byte) ROUNDS).put((byte) (length / 2));
		message.putInt(length).putInt(tweak.length).put(tweak);
		byte[] mac = mac(message.array(), message.capacity() - AesPool.BLOCK);
		this.macHigh = (long) LONGS.get(mac, 0) ^ message.getLong(message.capacity() - 16);
		this.macLow = (long) LONGS.get(mac, 8) ^ message.getLong(message.capacity() - 8);
	}

	private byte[] mac(byte[] message, int end) {
		byte[] mac = new byte[AesPool.BLOCK];
		Cipher cipher = this.aes.acquire();
		for (int i = 0; i < end; i += AesPool.BLOCK) {
			for (int j = 0; j < AesPool.BLOCK; j++) {
				mac[j] ^= message[i + j];
			}
			AesPool.encrypt(cipher, mac);
		}
		this.aes.release(cipher);
		return mac;
	}

	/**
	 * Return the number of possible values of the right half.
	 */
	long rightSize() {
		return this.rightSize;
	}

	/**
	 * Encrypt a numeral.
	 * @param halves the values of the left half and of the right half, replaced with the
	 * result
	 */
	void encrypt(long[] halves) {
		byte[] block = new byte[AesPool.BLOCK];
		Cipher cipher = this.aes.acquire();
		long a = halves[0];
		long b = halves[1];
		for (int round = 0; round < ROUNDS; round++) {
			long modulus = (round % 2 == 0) ? this.leftSize : this.rightSize;
			long sum = a + pseudoRandom(cipher, block, round, b, modulus);
			a = b;
			b = (sum >= modulus) ? sum - modulus : sum;
		}
		this.aes.release(cipher);
		halves[0] = a;
		halves[1] = b;
	}

	/**
	 * Decrypt a numeral.
	 * @param halves the values of the left half and of the right half, replaced with the
	 * result
	 */
	void decrypt(long[] halves) {
		byte[] block = new byte[AesPool.BLOCK];
		Cipher cipher = this.aes.acquire();
		long a = halves[0];
		long b = halves[1];
		for (int round = ROUNDS - 1; round >= 0; round--) {
			long modulus = (round % 2 == 0) ? this.leftSize : this.rightSize;
			long difference = b - pseudoRandom(cipher, block, round, a, modulus);
			b = a;
			a = (difference < 0) ? difference + modulus : difference;
		}
		this.aes.release(cipher);
		halves[0] = a;
		halves[1] = b;
	}

	private long pseudoRandom(Cipher cipher, byte[] block, int round, long half, long modulus) {
		// the round number precedes the half, which fills the last bytes of the block
		long roundBits = (long) round << 8 * (this.rightBytes % 8);
		LONGS.set(block, 0, (this.rightBytes < 8) ? this.macHigh : this.macHigh ^ roundBits);
		LONGS.set(block, 8, this.macLow ^ half ^ ((this.rightBytes < 8) ? roundBits : 0));
		AesPool.encrypt(cipher, block);
		long high = (long) LONGS.get(block, 0);
		if (this.rightBytes <= 4) {
			return Long.remainderUnsigned(high, modulus);
		}
		// FF1 uses 12 bytes of the block for halves of 5 to 8 bytes
		return reduce(high >>> 32, high << 32 | (long) LONGS.get(block, 8) >>> 32, modulus);
	}

	/**
	 * Compute the remainder of a 96-bit number: {@code high} contains its first 32 bits,
	 * {@code low} the other 64. Each step appends to the remainder as many bits of
	 * {@code low} as fit in a {@code long}.
	 */
	private static long reduce(long high, long low, long modulus) {
		int freeBits = Long.numberOfLeadingZeros(modulus - 1) - 1;
		long rest = high % modulus;
		for (int left = Long.SIZE; left > 0;) {
			int bits = Math.min(freeBits, left);
			left -= bits;
			rest = (rest << bits | low >>> left & (1L << bits) - 1) % modulus;
		}
		return rest;
	}

}
