package dev.idspring.entity;

/**
 * The part of a property that holds ids.
 *
 * @since 0.1.0
 */
public enum IdElement {

	/** The value is an id. */
	VALUE,

	/** The value is an array of {@code long}. */
	NUMBERS,

	/** Elements of a collection or an array, the values of a map, what may be there. */
	CONTENT,

	/** The keys of a map. */
	KEY;

	/**
	 * Return the part of a map that holds ids.
	 * @param key the type of the keys
	 * @param content the type of the values
	 * @param place how messages name the map
	 * @return {@link #KEY} or {@link #CONTENT}
	 * @throws IllegalArgumentException if both may, or neither
	 */
	public static IdElement ofMap(Class<?> key, Class<?> content, String place) {
		if ((key == Long.class) == (content == Long.class)) {
			throw new IllegalArgumentException(place + " is a map from " + key.getTypeName() + " to "
					+ content.getTypeName() + ", but either its keys or its values have to be Long: those are the ids."
					+ " Use a type of one value that is annotated itself, as in"
					+ " @IdAsString(\"orders\") record OrderId(long value) {}.");
		}
		return (key == Long.class) ? KEY : CONTENT;
	}

}
