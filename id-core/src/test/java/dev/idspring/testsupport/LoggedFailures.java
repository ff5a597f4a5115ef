package dev.idspring.testsupport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import dev.idspring.worker.FailureLog;

/**
 * Collects the log records of {@link FailureLog}, until this collector is closed.
 */
public final class LoggedFailures extends Handler implements AutoCloseable {

	/**
	 * This reference keeps the logger alive: if the logger were garbage-collected, the
	 * handler would be lost.
	 */
	private final Logger logger = Logger.getLogger(FailureLog.class.getName());

	private final List<String> lines = new CopyOnWriteArrayList<>();

	public LoggedFailures() {
		this.logger.addHandler(this);
	}

	/**
	 * Return the messages, each followed by the exception.
	 */
	public List<String> lines() {
		return this.lines;
	}

	@Override
	public void publish(LogRecord record) {
		this.lines.add(record.getMessage() + ": " + record.getThrown());
	}

	@Override
	public void flush() {
	}

	@Override
	public void close() {
		this.logger.removeHandler(this);
	}

}
