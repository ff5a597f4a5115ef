package dev.idspring.store;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;

import dev.idspring.worker.TimeSource;

/**
 * Draws random bits from the operating system.
 * <p>
 * A random number generator in this process is not sufficient, because its state and its
 * buffer are cloned together with the process. With the algorithms below,
 * {@link SecureRandom#generateSeed} reads from the operating system each time and does
 * not block. The state of the operating system may be cloned, too. Readings of the wall
 * clock and of the monotonic clock are therefore mixed in.
 *
 * @since 0.1.0
 */
public final class SystemRandom {

	private static final String[] ALGORITHMS = { "NativePRNGNonBlocking", "Windows-PRNG" };

	private SystemRandom() {
	}

	/**
	 * Draw 128 bits.
	 * @return the bits as a string of 36 characters, which is different for each call
	 */
	public static String text() {
		ByteBuffer bits = ByteBuffer.wrap(source().generateSeed(2 * Long.BYTES));
		TimeSource clock = TimeSource.system();
		Instant wall = clock.instant();
		long nanos = wall.getEpochSecond() * 1_000_000_000 + wall.getNano();
		return new UUID(bits.getLong() ^ nanos, bits.getLong() ^ clock.nanoTime()).toString();
	}

	private static SecureRandom source() {
		for (String algorithm : ALGORITHMS) {
			try {
				return SecureRandom.getInstance(algorithm);
			}
			catch (NoSuchAlgorithmException ex) {
				// this algorithm exists only on other operating systems, so try the next
				// one
			}
		}
		return new SecureRandom();
	}

}
