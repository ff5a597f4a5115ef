package dev.idspring.entity;

import dev.idspring.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a property keeps an id.
 *
 * @since 0.1.0
 */
public enum IdRepresentation {

	/** As a {@code long} or {@code Long}: the numeric form. */
	NUMBER {

		@Override
		public Object next(IdGenerator generator) {
			return generator.nextLong();
		}

		@Override
		public String format(IdGenerator generator, Object id) {
			return generator.format((Long) id);
		}

		@Override
		public Object parse(IdGenerator generator, String text) {
			return generator.parse(text);
		}

	},

	/** As a {@code String}: the text form. */
	TEXT {

		@Override
		public Object next(IdGenerator generator) {
			return generator.nextString();
		}

		@Override
		public String format(IdGenerator generator, Object id) {
			return (String) id;
		}

		@Override
		public Object parse(IdGenerator generator, String text) {
			return generator.format(generator.parse(text));
		}

	};

	private static final Long ZERO = 0L;

	/**
	 * Draw the next id.
	 * @param generator where from
	 * @return a {@code Long} or a {@code String}
	 */
	public abstract Object next(IdGenerator generator);

	/**
	 * Draw the next id for a property in which the number 0 says that there is none. If
	 * the generator comes to that, it is asked once more; the text form of 0 is an id
	 * like others.
	 * @param generator where from
	 * @return a {@code Long} other than 0, or a {@code String}
	 * @throws IllegalStateException if the generator gives 0 again, which none does that
	 * keeps its promises
	 */
	public Object nextNonZero(IdGenerator generator) {
		Object id = next(generator);
		if (ZERO.equals(id)) {
			id = next(generator);
		}
		if (ZERO.equals(id)) {
			throw new IllegalStateException("Id generator '" + generator.name() + "' has given the id 0 twice.");
		}
		return id;
	}

	/**
	 * Tell whether a property has no id yet.
	 * @param value its value
	 * @param type its type
	 * @return whether it is {@code null}, or 0 in a {@code long}
	 */
	public static boolean isMissing(@Nullable Object value, Class<?> type) {
		return value == null || (type == long.class && ZERO.equals(value));
	}

	/**
	 * Return the text form of an id.
	 * @param generator whose id it is
	 * @param id a {@code Long} or a {@code String}
	 * @return its text
	 */
	public abstract String format(IdGenerator generator, Object id);

	/**
	 * Return the id that a text stands for.
	 * @param generator whose id it is
	 * @param text the text form
	 * @return a {@code Long} or a {@code String}
	 * @throws IllegalArgumentException if it is no id of the generator's
	 */
	public abstract Object parse(IdGenerator generator, String text);

	/**
	 * Return the form of a type.
	 * @param type the type of a property
	 * @param property how messages name the property
	 * @return the form
	 * @throws IllegalArgumentException if ids cannot be kept in such a property
	 */
	public static IdRepresentation of(Class<?> type, String property) {
		if (type == long.class || type == Long.class) {
			return NUMBER;
		}
		if (type == String.class) {
			return TEXT;
		}
		throw new IllegalArgumentException(property + " is of type " + type.getTypeName()
				+ ", but ids are kept as long, Long or String: change its type, or assign its value yourself.");
	}

}
