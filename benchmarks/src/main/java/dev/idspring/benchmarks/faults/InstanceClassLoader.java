package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The class loader of an instance. It loads most of the compared libraries separately, so
 * that instances in the same JVM do not share the static state of these libraries.
 * Hibernate, Spring and the drivers are shared, because all of their state is in objects
 * that each instance creates for itself.
 */
final class InstanceClassLoader extends ClassLoader {

	private static final List<String> SEPARATE = List.of("com.baomidou.", "com.github.f4b6a3.", "io.hypersistence.",
			"me.ahoo.", "org.apache.shardingsphere.", "dev.idspring.");

	private static final List<String> SHARED = List.of("dev.idspring.testsupport.",
			Adapters.class.getPackageName() + ".");

	InstanceClassLoader() {
		super(InstanceClassLoader.class.getClassLoader());
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			if (loaded == null) {
				loaded = isSeparate(name) ? define(name) : super.loadClass(name, resolve);
			}
			return loaded;
		}
	}

	private static boolean isSeparate(String name) {
		return name.startsWith(Adapters.class.getName())
				|| SEPARATE.stream().anyMatch(name::startsWith) && SHARED.stream().noneMatch(name::startsWith);
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (file == null) {
				throw new ClassNotFoundException(name);
			}
			byte[] bytes = file.readAllBytes();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
