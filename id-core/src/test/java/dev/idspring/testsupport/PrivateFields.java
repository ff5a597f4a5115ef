package dev.idspring.testsupport;

import java.lang.reflect.Field;

/**
 * Reads and writes private fields, to copy the state of one object to another.
 */
public final class PrivateFields {

	private PrivateFields() {
	}

	public static Object get(Object object, String field) {
		try {
			return field(object, field).get(object);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public static void set(Object object, String field, Object value) {
		try {
			field(object, field).set(object, value);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Field field(Object object, String name) {
		try {
			Field field = object.getClass().getDeclaredField(name);
			field.setAccessible(true);
			return field;
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
