package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Sends signals to processes.
 */
final class Signals {

	private Signals() {
	}

	/**
	 * Send a signal, unless the process has ended.
	 */
	static void send(String name, ProcessHandle process) {
		try {
			int result = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor();
			if (result != 0 && process.isAlive()) {
				throw new IllegalStateException("kill -" + name + " " + process.pid() + ": " + result);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
