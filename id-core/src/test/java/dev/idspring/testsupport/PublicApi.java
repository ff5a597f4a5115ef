package dev.idspring.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Calls the public constructors and methods of a module with {@code null} for each
 * argument in turn. The other arguments are sample values. There are default samples for
 * interfaces, enums, arrays, primitive types and some types of the JDK. For other types,
 * tests must set the samples.
 */
public final class PublicApi {

	private final Map<Class<?>, Supplier<?>> samples = new HashMap<>();

	private final Map<String, Object> samplesByParameter = new HashMap<>();

	private final Map<String, String> expectedMessages = new HashMap<>();

	public PublicApi() {
		sample(Boolean.class, () -> true);
		sample(Class.class, () -> PublicApi.class);
		sample(Deadline.class, () -> Deadline.in(Duration.ofSeconds(5)));
		sample(double.class, () -> 1.0);
		sample(Duration.class, () -> Duration.ofSeconds(5));
		sample(Instant.class, () -> Instant.parse("2026-01-01T00:00:00Z"));
		sample(Integer.class, () -> 1);
		sample(List.class, List::of);
		sample(LocalDate.class, () -> LocalDate.EPOCH);
		sample(Long.class, () -> 1L);
		sample(Map.class, Map::of);
		sample(RuntimeException.class, IllegalStateException::new);
		sample(String.class, () -> "sample");
		sample(Throwable.class, IllegalStateException::new);
		sample(UUID.class, () -> new UUID(0, 0));
		sample(ZoneId.class, () -> ZoneOffset.UTC);
	}

	/**
	 * Set the supplier of sample values for a type.
	 */
	public <T> PublicApi sample(Class<T> type, Supplier<? extends T> sample) {
		this.samples.put(type, sample);
		return this;
	}

	/**
	 * Set the sample value for one parameter.
	 * @param parameter type, method and name, as in {@code NodeSettings.new(source)}
	 */
	public PublicApi sample(String parameter, Object sample) {
		this.samplesByParameter.put(parameter, sample);
		return this;
	}

	/**
	 * Set the text that the message for a parameter must contain. The default is the name
	 * of the parameter, followed by {@code is null}.
	 * @param parameter type, method and name, as in {@code Secret.of(base64)}
	 */
	public PublicApi expectMessage(String parameter, String message) {
		this.expectedMessages.put(parameter, message);
		return this;
	}

	/**
	 * Return the public types of a module. Exception classes are excluded, because their
	 * constructors must not fail even for {@code null}.
	 * @param anyClass any class of the module
	 * @param excluded types to exclude, with their nested types
	 */
	public static List<Class<?>> types(Class<?> anyClass, Class<?>... excluded) {
		Set<Class<?>> excludedTypes = Set.of(excluded);
		try {
			Path root = Path.of(anyClass.getProtectionDomain().getCodeSource().getLocation().toURI());
			try (Stream<Path> files = Files.walk(root)) {
				return files.map((file) -> root.relativize(file).toString())
					.filter((file) -> file.endsWith(".class") && !file.endsWith("package-info.class"))
					.map((file) -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
					.<Class<?>>map(PublicApi::load)
					.filter((type) -> isPublic(type) && !isExcluded(type, excludedTypes))
					.sorted(Comparator.comparing(Class::getName))
					.toList();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Class<?> load(String name) {
		try {
			return Class.forName(name, false, PublicApi.class.getClassLoader());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean isExcluded(@Nullable Class<?> type, Set<Class<?>> excludedTypes) {
		return type != null && (Throwable.class.isAssignableFrom(type) || excludedTypes.contains(type)
				|| isExcluded(type.getEnclosingClass(), excludedTypes));
	}

	private static boolean isPublic(@Nullable Class<?> type) {
		return type == null || (Modifier.isPublic(type.getModifiers()) && isPublic(type.getEnclosingClass()));
	}

	/**
	 * Call the constructors and methods of a type with {@code null} arguments. Return the
	 * parameters for which {@code null} does not cause an IllegalArgumentException with
	 * the expected message. Each entry also contains what happened instead.
	 * <p>
	 * Nullable parameters are not tested. The following methods are not called:
	 * {@code equals}, {@code valueOf} of enums, instance methods of interfaces (users
	 * implement them), and methods that return exceptions (they must not fail).
	 */
	public List<String> violations(Class<?> type) {
		List<String> violations = new ArrayList<>();
		Stream<Executable> constructors = Modifier.isAbstract(type.getModifiers()) ? Stream.empty()
				: Arrays.stream(type.getDeclaredConstructors());
		Stream.concat(constructors, Arrays.stream(type.getDeclaredMethods()))
			.filter((executable) -> shouldCall(type, executable))
			.sorted(Comparator.comparing(Executable::toString))
			.forEach((executable) -> {
				for (int i = 0; i < executable.getParameterCount(); i++) {
					String violation = isRequired(executable, i) ? findViolation(executable, i) : null;
					if (violation != null) {
						violations.add(describe(executable, executable.getParameters()[i]) + ": " + violation);
					}
				}
			});
		return violations;
	}

	private static boolean shouldCall(Class<?> type, Executable executable) {
		return Modifier.isPublic(executable.getModifiers()) && !executable.isSynthetic()
				&& !Modifier.isAbstract(executable.getModifiers()) && !executable.getName().equals("equals")
				&& !(executable instanceof Method method && Throwable.class.isAssignableFrom(method.getReturnType()))
				&& !(type.isEnum() && executable.getName().equals("valueOf"))
				&& !(type.isInterface() && !Modifier.isStatic(executable.getModifiers()));
	}

	private static boolean isRequired(Executable executable, int index) {
		AnnotatedType type = executable.getAnnotatedParameterTypes()[index];
		return !executable.getParameterTypes()[index].isPrimitive() && !type.isAnnotationPresent(Nullable.class);
	}

	private static String describe(Executable executable, Parameter parameter) {
		String type = executable.getDeclaringClass().getName().replaceAll(".*\\.", "").replace('$', '.');
		String name = (executable instanceof Constructor) ? "new" : executable.getName();
		return type + "." + name + "(" + parameter.getName() + ")";
	}

	private @Nullable String findViolation(Executable executable, int index) {
		Object target = null;
		@Nullable Object[] arguments = new Object[executable.getParameterCount()];
		if (executable instanceof Method && !Modifier.isStatic(executable.getModifiers())) {
			target = make(executable.getDeclaringClass());
		}
		for (int i = 0; i < arguments.length; i++) {
			arguments[i] = (i == index) ? null : make(executable, executable.getParameters()[i]);
		}
		Parameter parameter = executable.getParameters()[index];
		String expected = this.expectedMessages.getOrDefault(describe(executable, parameter),
				parameter.getName() + " is null");
		try {
			if (executable instanceof Constructor<?> constructor) {
				constructor.newInstance(arguments);
			}
			else {
				((Method) executable).invoke(target, arguments);
			}
			return "accepted";
		}
		catch (InvocationTargetException ex) {
			Throwable failure = ex.getCause();
			String message = String.valueOf(failure.getMessage());
			return (failure instanceof IllegalArgumentException && message.contains(expected)) ? null
					: failure.toString();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			close(target);
		}
	}

	private static void close(@Nullable Object target) {
		if (target instanceof AutoCloseable closeable) {
			try {
				closeable.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	private Object make(Executable executable, Parameter parameter) {
		Object sample = this.samplesByParameter.get(describe(executable, parameter));
		return (sample != null) ? sample : make(parameter.getType());
	}

	/**
	 * Return the sample value for a type: from the supplier that was set, or a default.
	 */
	@SuppressWarnings("unchecked")
	public <T> T sample(Class<T> type) {
		return (T) make(type);
	}

	private Object make(Class<?> type) {
		Supplier<?> sample = this.samples.get(type);
		if (sample != null) {
			return sample.get();
		}
		if (type.isPrimitive()) {
			return (type == boolean.class) ? false : (type == int.class) ? (Object) 1 : 1L;
		}
		if (type.isArray()) {
			return Array.newInstance(type.getComponentType(), 1);
		}
		if (type.isEnum()) {
			return type.getEnumConstants()[0];
		}
		if (type.isInterface()) {
			return Proxy.newProxyInstance(PublicApi.class.getClassLoader(), new Class<?>[] { type }, this::answer);
		}
		throw new IllegalStateException("The test must set a sample value for " + type.getName());
	}

	private @Nullable Object answer(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		if (method.isDefault()) {
			return InvocationHandler.invokeDefault(proxy, method, arguments);
		}
		Class<?> type = method.getReturnType();
		if (type.isPrimitive()) {
			return (type != void.class) ? Array.get(Array.newInstance(type, 1), 0) : null;
		}
		Supplier<?> sample = this.samples.get(type);
		return (sample != null) ? sample.get() : null;
	}

}
