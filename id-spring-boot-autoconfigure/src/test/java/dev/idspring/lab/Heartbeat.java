package dev.idspring.lab;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long something took in a process that may be frozen, on a machine that may
 * be busy: by how often a thread beside could rest for a moment meanwhile. Never says
 * more than has passed.
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
