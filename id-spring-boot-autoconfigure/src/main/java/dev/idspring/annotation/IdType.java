package dev.idspring.annotation;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.idspring.IdGenerator;
import dev.idspring.InvalidSettingException;
import dev.idspring.TransactionalIds;
import org.jspecify.annotations.Nullable;

/**
 * A type whose values can be ids: {@code long}, {@code Long}, {@code int},
 * {@code Integer}, {@code String}, {@code UUID}, or a record with one such component.
 *
 * @since 0.1.0
 */
public final class IdType {

	private static final Set<Class<?>> VALUE_TYPES = Set.of(long.class, Long.class, int.class, Integer.class,
			String.class, UUID.class);

	private final Class<?> value;

	private final @Nullable Constructor<?> constructor;

	private final @Nullable Method accessor;

	private IdType(Class<?> value, @Nullable Constructor<?> constructor, @Nullable Method accessor) {
		this.value = value;
		this.constructor = constructor;
		this.accessor = accessor;
	}

	/**
	 * Return the id type that a Java type represents.
	 * @param type any type
	 * @return the id type, or nothing if values of the Java type cannot be ids
	 */
	public static Optional<IdType> of(Class<?> type) {
		InvalidSettingException.requireGiven(IdType.class, "type", type);
		if (VALUE_TYPES.contains(type)) {
			return Optional.of(new IdType(type, null, null));
		}
		RecordComponent[] components = type.getRecordComponents();
		if (components == null || components.length != 1 || !VALUE_TYPES.contains(components[0].getType())) {
			return Optional.empty();
		}
		Method accessor = components[0].getAccessor();
		try {
			Constructor<?> constructor = type.getDeclaredConstructor(components[0].getType());
			return (constructor.trySetAccessible() && accessor.trySetAccessible())
					? Optional.of(new IdType(components[0].getType(), constructor, accessor)) : Optional.empty();
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return whether ids are wrapped in a record.
	 * @return {@code true} if the ids are records, {@code false} if they are plain values
	 */
	public boolean isRecord() {
		return this.constructor != null;
	}

	/**
	 * Return the type of the plain values. If ids are records, this is the type of the
	 * component.
	 * @return {@code long}, {@code Long}, {@code int}, {@code Integer}, {@code String} or
	 * {@code UUID}
	 */
	public Class<?> value() {
		return this.value;
	}

	/**
	 * Create an id from a plain value. If the constructor of a record throws an unchecked
	 * exception, this method rethrows it.
	 * @param value the plain value
	 * @return a record that contains the value, or the value itself
	 */
	public Object wrap(Object value) {
		try {
			return (this.constructor != null) ? this.constructor.newInstance(value) : value;
		}
		catch (ReflectiveOperationException ex) {
			throw toUnchecked(ex);
		}
	}

	/**
	 * Draw the next id. The number 0 is discarded, because persistence libraries treat it
	 * as a missing id. The text form of 0 is a valid id.
	 * @param generator the generator that issues the id
	 * @param place the property or the column that gets the id, for messages
	 * @return an id of this type
	 * @throws IllegalStateException if the generator returns 0 twice, 0 in a sequence
	 * without gaps, or a number that does not fit into an {@code int}
	 */
	public Object next(IdGenerator generator, String place) {
		if (this.value == String.class) {
			return wrap(generator.nextString());
		}
		return wrap((this.value == UUID.class) ? generator.nextUuid() : nextNumber(generator, place));
	}

	private Object nextNumber(IdGenerator generator, String place) {
		long id = generator.nextLong();
		if (id == 0 && generator instanceof TransactionalIds) {
			throw new IllegalStateException("Id generator '" + generator.name() + "' returned the number 0 for " + place
					+ ", which would not get it, so a gap would remain. Let the numbers start at 1.");
		}
		if (id == 0) {
			id = generator.nextLong();
		}
		if (id == 0) {
			throw new IllegalStateException(
					"Id generator '" + generator.name() + "' returned the id 0 twice for " + place + ".");
		}
		if (this.value == long.class || this.value == Long.class) {
			return id;
		}
		if (id != (int) id) {
			throw new IllegalStateException("Id generator '" + generator.name() + "' returned " + id
					+ ", which does not fit into " + place + ", an int.");
		}
		return (int) id;
	}

	/**
	 * Return the plain value of an id.
	 * @param id a record, or the value itself
	 * @return the plain value, or {@code null} if the record contains {@code null}
	 */
	public @Nullable Object unwrap(Object id) {
		try {
			return (this.accessor != null) ? this.accessor.invoke(id) : id;
		}
		catch (ReflectiveOperationException ex) {
			throw toUnchecked(ex);
		}
	}

	/**
	 * Return the unchecked exception that the constructor or the accessor of the record
	 * has thrown, or wrap any other exception. Rethrow an error.
	 */
	private static RuntimeException toUnchecked(ReflectiveOperationException ex) {
		if (ex.getCause() instanceof Error error) {
			throw error;
		}
		return (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex);
	}

}
