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
 * The wall clock of an instance, which may be set, and that of the database, which is set
 * for all instances at once, by a file. Since everything asks for the time, it is also
 * where memory runs out.
 */
final class LabClock implements TimeSource {

	static final String PLANTED = "planted";

	private static final String DATABASE_CLOCK = "database-clock";

	private final Path file;

	private volatile long aheadMillis;

	private volatile boolean exhausted;

	LabClock(Path directory) {
		this.file = directory.resolve(DATABASE_CLOCK);
	}

	/**
	 * Set the clock of this instance.
	 */
	void set(long aheadMillis) {
		this.aheadMillis = aheadMillis;
	}

	/**
	 * Set whether there is no memory left, now and then.
	 */
	void exhaustMemory(boolean exhausted) {
		this.exhausted = exhausted;
	}

	/**
	 * Fail if there is no memory left.
	 */
	void verifyMemory() {
		if (this.exhausted && ThreadLocalRandom.current().nextInt(2) == 0) {
			throw new OutOfMemoryError(PLANTED);
		}
	}

	/**
	 * Fail if there is no memory left for callers: what asks the store has a place of its
	 * own where it fails.
	 */
	private void verifyMemoryOfCallers() {
		if (this.exhausted && Callers.isCaller(Thread.currentThread())) {
			verifyMemory();
		}
	}

	/**
	 * Set the clock of the database.
	 */
	static void setDatabase(Path directory, long aheadMillis) {
		try {
			Path next = Files.writeString(directory.resolve(DATABASE_CLOCK + ".next"), Long.toString(aheadMillis));
			Files.move(next, directory.resolve(DATABASE_CLOCK), StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return what the clock of the database shows.
	 */
	long databaseMillis(long millis) {
		try {
			return millis + Long.parseLong(Files.readString(this.file));
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
		verifyMemoryOfCallers();
		return System.nanoTime();
	}

	@Override
	public Instant instant() {
		verifyMemoryOfCallers();
		return Instant.now().plusMillis(this.aheadMillis);
	}

	/**
	 * As that of the system: what sets it is seen a moment later.
	 */
	@Override
	public boolean advancesByItself() {
		return true;
	}

}
