package dev.idspring.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.springframework.boot.test.context.FilteredClassLoader;

/**
 * Loads the test class again with a class loader that hides packages, and runs the test
 * methods of this copy.
 */
public class HiddenPackagesExtension implements InvocationInterceptor {

	@Override
	public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> context,
			ExtensionContext extension) throws Throwable {
		runInSeparateClassLoader(invocation, context, extension);
	}

	@Override
	public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> context,
			ExtensionContext extension) throws Throwable {
		runInSeparateClassLoader(invocation, context, extension);
	}

	private static void runInSeparateClassLoader(Invocation<Void> invocation,
			ReflectiveInvocationContext<Method> context, ExtensionContext extension) throws Throwable {
		invocation.skip();
		Class<?> test = extension.getRequiredTestClass();
		Thread thread = Thread.currentThread();
		ClassLoader previousLoader = thread.getContextClassLoader();
		try (TestClassLoader loader = new TestClassLoader(test.getAnnotation(HiddenPackages.class).value())) {
			thread.setContextClassLoader(loader);
			run(loader.loadClass(test.getName()), context.getExecutable(), context.getArguments());
		}
		finally {
			thread.setContextClassLoader(previousLoader);
		}
	}

	private static void run(Class<?> test, Method template, List<Object> arguments) throws Throwable {
		Constructor<?> constructor = test.getDeclaredConstructor();
		constructor.setAccessible(true);
		Method method = test.getDeclaredMethod(template.getName(), template.getParameterTypes());
		method.setAccessible(true);
		try {
			method.invoke(constructor.newInstance(), arguments.toArray());
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	/**
	 * A {@link FilteredClassLoader} that loads this project's classes itself. The parent
	 * class loader would link them to the hidden packages. This class loader also hides
	 * the resources of libraries with hidden packages, such as lists of
	 * auto-configurations.
	 */
	private static final class TestClassLoader extends FilteredClassLoader {

		private final Set<String> hiddenJars = new HashSet<>();

		TestClassLoader(String... hidden) throws IOException {
			super(hidden);
			for (String name : hidden) {
				for (URL url : Collections.list(getParent().getResources(name.replace('.', '/') + "/"))) {
					this.hiddenJars.add(jar(url));
				}
			}
		}

		private static String jar(URL url) {
			return url.getPath().replaceFirst("!/.*", "");
		}

		@Override
		public Enumeration<URL> getResources(String name) throws IOException {
			return Collections.enumeration(Collections.list(super.getResources(name))
				.stream()
				.filter((url) -> !this.hiddenJars.contains(jar(url)))
				.toList());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("dev.idspring.")) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> loaded = findLoadedClass(name);
				return (loaded != null) ? loaded : define(name);
			}
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
				if (file == null) {
					throw new ClassNotFoundException(name);
				}
				byte[] content = file.readAllBytes();
				return defineClass(name, content, 0, content.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

}
