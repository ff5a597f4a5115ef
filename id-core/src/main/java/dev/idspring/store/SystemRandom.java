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
 * A random number generator in this process is not sufficient: a clone of the process,
 * for example from a snapshot of its virtual machine, has the same generator state and
 * the same buffered bits. This class therefore calls {@link SecureRandom#generateSeed}.
 * With the preferred algorithms, that method reads from the operating system each time
 * and does not block. The state of the operating system may be cloned, too. The bits are
 * therefore combined with readings of the wall clock and of the monotonic clock.
 *
 * @since 0.1.0
 */
public final class SystemRandom {

	private static final String[] ALGORITHMS = { "NativePRNGNonBlocking", "Windows-PRNG" };

	private SystemRandom() {
	}

	/**
	 * Draw 128 random bits.
	 * @return the bits in the format of a UUID (36 characters), different for each call
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
				// not available on this operating system: try the next algorithm
			}
		}
		return new SecureRandom();
	}

}
