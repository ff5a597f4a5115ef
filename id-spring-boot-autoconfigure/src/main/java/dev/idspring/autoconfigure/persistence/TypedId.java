package dev.idspring.autoconfigure.persistence;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A type whose single value is an id: how to create an instance, and how to read the
 * value.
 *
 * @param constructor takes the value
 * @param accessor returns the value
 */
record TypedId(Constructor<?> constructor, Method accessor) {

	/**
	 * Inspect a type.
	 * @throws IllegalArgumentException if it does not hold a single value
	 */
	static TypedId of(Class<?> type, String place) {
		if (Modifier.isAbstract(type.getModifiers())) {
			throw unsuitable(type, place, "It is abstract.");
		}
		return type.isRecord() ? ofRecord(type, place) : ofClass(type, place);
	}

	private static TypedId ofRecord(Class<?> type, String place) {
		RecordComponent[] components = type.getRecordComponents();
		if (components.length != 1 || !isValue(components[0].getType())) {
			throw unsuitable(type, place, "It has the components "
					+ Arrays.stream(components).map((component) -> component.getType().getSimpleName()).toList() + ".");
		}
		try {
			return of(type, type.getDeclaredConstructor(components[0].getType()), components[0].getAccessor(), place);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static TypedId ofClass(Class<?> type, String place) {
		List<Constructor<?>> constructors = Arrays.stream(type.getDeclaredConstructors())
			.filter((constructor) -> constructor.getParameterCount() == 1
					&& isValue(constructor.getParameterTypes()[0]))
			.toList();
		if (constructors.size() != 1) {
			throw unsuitable(type, place, "It has " + constructors.size() + " constructors that take such a value.");
		}
		boolean text = constructors.get(0).getParameterTypes()[0] == String.class;
		List<Method> accessors = Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers())
					&& !method.isSynthetic() && !method.getName().equals("toString") && isValue(method.getReturnType())
					&& (method.getReturnType() == String.class) == text)
			.toList();
		if (accessors.size() != 1) {
			throw unsuitable(type, place,
					"It has " + accessors.size() + " methods that return what its constructor takes.");
		}
		return of(type, constructors.get(0), accessors.get(0), place);
	}

	private static TypedId of(Class<?> type, Constructor<?> constructor, Method accessor, String place) {
		if (!constructor.trySetAccessible() || !accessor.trySetAccessible()) {
			throw unsuitable(type, place, "It is not accessible.");
		}
		return new TypedId(constructor, accessor);
	}

	static boolean isValue(Class<?> type) {
		return type == long.class || type == Long.class || type == String.class;
	}

	boolean holdsText() {
		return this.constructor.getParameterTypes()[0] == String.class;
	}

	private static IllegalArgumentException unsuitable(Class<?> type, String place, String reason) {
		return new IllegalArgumentException(place + " is of type " + type.getTypeName()
				+ ", but an id that is written as a string is a long, a Long, a String, or a type with a single such value:"
				+ " a record with that component alone, or a class with one constructor that takes it and one method"
				+ " that returns it. " + reason);
	}

	Object wrap(Object id) {
		try {
			return this.constructor.newInstance(id);
		}
		catch (InvocationTargetException ex) {
			throw rethrown(ex);
		}
		catch (InstantiationException | IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	Object unwrap(Object value) {
		Object id = read(value);
		if (id == null) {
			throw new IllegalArgumentException(this.accessor.getDeclaringClass().getTypeName() + " holds no id.");
		}
		return id;
	}

	private @Nullable Object read(Object value) {
		try {
			return this.accessor.invoke(value);
		}
		catch (InvocationTargetException ex) {
			throw rethrown(ex);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the exception of the type itself.
	 */
	private static RuntimeException rethrown(InvocationTargetException ex) {
		if (ex.getCause() instanceof RuntimeException unchecked) {
			return unchecked;
		}
		if (ex.getCause() instanceof Error error) {
			throw error;
		}
		return new IllegalStateException(ex.getCause());
	}

}
