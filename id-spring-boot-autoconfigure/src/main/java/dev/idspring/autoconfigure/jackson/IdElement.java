package dev.idspring.autoconfigure.jackson;

/**
 * The part of a property that contains ids.
 */
enum IdElement {

	/** The value itself, which is an id or a {@code long} array. */
	VALUE,

	/**
	 * The elements of a collection or an array, the values of a map, or the value of an
	 * {@code Optional}.
	 */
	CONTENT,

	/** The keys of a map. */
	KEY;

	/**
	 * Return which part of a map contains ids.
	 * @throws IllegalArgumentException unless exactly one of the two types is
	 * {@code Long}
	 */
	static IdElement ofMap(Class<?> keys, Class<?> values, String description) {
		if ((keys == Long.class) == (values == Long.class)) {
			throw new IllegalArgumentException(description + " is a map from " + keys.getTypeName() + " to "
					+ values.getTypeName() + ", but either its keys or its values, not both, must be ids of type Long."
					+ " Alternatively, annotate a record with a single component and use it for the ids, as in"
					+ " @IdAsString(\"orders\") record OrderId(long value) {}.");
		}
		return (keys == Long.class) ? KEY : CONTENT;
	}

}
