package dev.idspring.autoconfigure.jackson;

import java.util.concurrent.Callable;

/**
 * Calls Jackson 2 without declaring its checked exceptions. Tests are shared with Jackson
 * 3, whose exceptions are unchecked.
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
