package dev.idspring.testsupport;

import java.util.concurrent.Executor;

/**
 * Runs each task on a new virtual thread. Uses reflection, because the tests are compiled
 * for a JDK without virtual threads.
 */
public final class VirtualExecutor implements Executor {

	/**
	 * Return whether the running JDK has virtual threads.
	 */
	public static boolean isAvailable() {
		return Runtime.version().feature() >= 21;
	}

	@Override
	public void execute(Runnable task) {
		start(task);
	}

	public Thread start(Runnable task) {
		try {
			return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
