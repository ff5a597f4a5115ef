package dev.idspring.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

import dev.idspring.worker.TimeSource;

/**
 * The wall clock of an instance. It also returns the time of the database's clock, whose
 * offset is read from a file that all instances share. Since the code under test reads
 * the clock in many places, this class also injects out-of-memory errors.
 */
final class LabClock implements TimeSource {

	static final String INJECTED = "injected";

	private static final String DATABASE_CLOCK = "database-clock";

	private final Path databaseClockFile;

	private volatile long aheadMillis;

	private volatile boolean exhausted;

	LabClock(Path directory) {
		this.databaseClockFile = directory.resolve(DATABASE_CLOCK);
	}

	/**
	 * Set how far the clock of this instance is ahead of the system clock.
	 */
	void set(long aheadMillis) {
		this.aheadMillis = aheadMillis;
	}

	/**
	 * Set whether to simulate exhausted memory. During the simulation, half of the
	 * callers' reads of this clock fail with an out-of-memory error. Half of the
	 * reservations and renewals also fail.
	 */
	void setMemoryExhausted(boolean exhausted) {
		this.exhausted = exhausted;
	}

	/**
	 * Fail at random while exhausted memory is simulated.
	 */
	void failAtRandom() {
		if (this.exhausted && ThreadLocalRandom.current().nextInt(2) == 0) {
			throw new OutOfMemoryError(INJECTED);
		}
	}

	/**
	 * While exhausted memory is simulated, fail at random if the current thread draws
	 * ids. Threads that access the store fail in {@link RecordedStores} instead.
	 */
	private void failCallersAtRandom() {
		if (this.exhausted && Callers.isCaller(Thread.currentThread())) {
			failAtRandom();
		}
	}

	/**
	 * Set how far the clock of the database is ahead of the system clock.
	 */
	static void setDatabase(Path directory, long aheadMillis) {
		try {
			Path nextFile = Files.writeString(directory.resolve(DATABASE_CLOCK + ".next"), Long.toString(aheadMillis));
			Files.move(nextFile, directory.resolve(DATABASE_CLOCK), StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the time that the clock of the database shows at the given true time.
	 */
	long databaseMillis(long millis) {
		try {
			return millis + Long.parseLong(Files.readString(this.databaseClockFile));
		}
		catch (NoSuchFileException ex) {
			return millis;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public long nanoTime() {
		failCallersAtRandom();
		return System.nanoTime();
	}

	@Override
	public Instant instant() {
		failCallersAtRandom();
		return Instant.now().plusMillis(this.aheadMillis);
	}

	/**
	 * Like the system clock, this clock advances between two reads even if it is not set.
	 */
	@Override
	public boolean advancesByItself() {
		return true;
	}

}
