package dev.idspring.entity;

import dev.idspring.IdGenerator;

/**
 * How a property keeps an id.
 *
 * @since 0.1.0
 */
public enum IdForm {

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

	/**
	 * Draw the next id.
	 * @param generator where from
	 * @return a {@code Long} or a {@code String}
	 */
	public abstract Object next(IdGenerator generator);

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
	public static IdForm of(Class<?> type, String property) {
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
