package dev.idspring.autoconfigure.jackson;

import java.util.concurrent.Callable;

/**
 * Calls of Jackson 2, whose exceptions are checked.
 */
final class Unchecked {

	private Unchecked() {
	}

	static <T> T get(Callable<T> call) {
		try {
			return call.call();
		}
		catch (Exception ex) {
			throw sneaky(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> RuntimeException sneaky(Throwable ex) throws E {
		throw (E) ex;
	}

}
