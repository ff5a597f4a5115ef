package dev.idspring.worker;

import java.time.Instant;

/**
 * Reads the clocks of the system.
 */
enum SystemTimeSource implements TimeSource {

	INSTANCE;

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public Instant instant() {
		return Instant.now();
	}

	@Override
	public long millis() {
		return System.currentTimeMillis();
	}

	@Override
	public boolean advancesByItself() {
		return true;
	}

}
