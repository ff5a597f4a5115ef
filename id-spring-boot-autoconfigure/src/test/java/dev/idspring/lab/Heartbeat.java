package dev.idspring.lab;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures elapsed time, excluding the time during which the process was frozen or had no
 * CPU. It counts how often a separate thread has slept for 50 milliseconds. The result is
 * at most one beat longer than the time that has passed.
 */
final class Heartbeat implements AutoCloseable {

	private static final long MILLIS = 50;

	private volatile long beats;

	private volatile boolean closed;

	Heartbeat() {
		Thread thread = new Thread(this::run, "heartbeat");
		thread.setDaemon(true);
		thread.start();
	}

	private void run() {
		while (!this.closed) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(MILLIS));
			this.beats++;
		}
	}

	long millis() {
		return this.beats * MILLIS;
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
