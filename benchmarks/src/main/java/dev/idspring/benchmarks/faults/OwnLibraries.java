package dev.idspring.benchmarks.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Loads most libraries of the peers separately for each instance, so that instances in
 * the same JVM do not share the static state of these libraries. Hibernate, Spring and
 * the drivers are shared: their state that matters here is in objects that each instance
 * creates itself.
 */
final class OwnLibraries extends ClassLoader {

	private static final List<String> OWN = List.of("com.baomidou.", "com.github.f4b6a3.", "io.hypersistence.",
			"me.ahoo.", "org.apache.shardingsphere.", "dev.idspring.");

	private static final List<String> SHARED = List.of("dev.idspring.testsupport.",
			Adapters.class.getPackageName() + ".");

	OwnLibraries() {
		super(OwnLibraries.class.getClassLoader());
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			if (loaded == null) {
				loaded = isOwn(name) ? define(name) : super.loadClass(name, resolve);
			}
			return loaded;
		}
	}

	private static boolean isOwn(String name) {
		return name.startsWith(Adapters.class.getName())
				|| OWN.stream().anyMatch(name::startsWith) && SHARED.stream().noneMatch(name::startsWith);
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
