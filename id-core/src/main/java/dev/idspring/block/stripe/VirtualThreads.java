package dev.idspring.block.stripe;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Distinguishes virtual threads from platform threads. It calls
 * {@code Thread.isVirtual()} through a method handle, because the library is compiled for
 * Java 17, which lacks this method. On a JDK without this method, no thread is virtual.
 */
final class VirtualThreads {

	private static final MethodHandle IS_VIRTUAL = find();

	private VirtualThreads() {
	}

	private static MethodHandle find() {
		try {
			return MethodHandles.publicLookup()
				.findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
		}
		catch (ReflectiveOperationException ex) {
			return MethodHandles.dropArguments(MethodHandles.constant(boolean.class, false), 0, Thread.class);
		}
	}

	static boolean isVirtual(Thread thread) {
		try {
			return (boolean) IS_VIRTUAL.invokeExact(thread);
		}
		catch (Throwable ex) {
			throw new IllegalStateException("Thread.isVirtual failed", ex);
		}
	}

}
