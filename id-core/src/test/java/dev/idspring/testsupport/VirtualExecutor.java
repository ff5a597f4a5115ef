package dev.idspring.testsupport;

import java.util.concurrent.Executor;

/**
 * Runs each task on a virtual thread of its own. Virtual threads are not in the JDK that
 * this is compiled for.
 */
public final class VirtualExecutor implements Executor {

	/**
	 * Return whether there are virtual threads.
	 */
	public static boolean isAvailable() {
		return Runtime.version().feature() >= 21;
	}

	@Override
	public void execute(Runnable task) {
		start(task);
	}

	/**
	 * Start a virtual thread.
	 */
	public Thread start(Runnable task) {
		try {
			return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
