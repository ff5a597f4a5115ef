package dev.idspring.autoconfigure.persistence;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.InvalidSettingException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import dev.idspring.annotation.IdType;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Finds the text form of ids in JSON and in requests. The generators are requested only
 * when the first text form is needed, because JSON mappers and converters may be created
 * earlier.
 *
 * @since 0.1.0
 */
public final class IdFormats {

	private static final Set<Class<?>> SUPPORTED_TYPES = Set.of(long.class, Long.class, String.class, UUID.class);

	private final Supplier<IdGenerators> generators;

	/**
	 * Create an instance.
	 * @param generators supplies the generators
	 */
	public IdFormats(Supplier<IdGenerators> generators) {
		InvalidSettingException.requireGiven(IdFormats.class, "generators", generators);
		this.generators = generators;
	}

	/**
	 * Return the name of the generator whose ids a property or a parameter holds: the
	 * name in {@link IdAsString @IdAsString}, or else the name in
	 * {@link GeneratedId @GeneratedId}.
	 * @param annotations the annotations of the property or the parameter
	 * @return the name, which is empty for the default generator, or {@code null} if
	 * neither annotation is present
	 */
	public static @Nullable String generatorName(Collection<? extends Annotation> annotations) {
		InvalidSettingException.requireGiven(IdFormats.class, "annotations", annotations);
		AnnotatedElement element = AnnotatedElementUtils.forAnnotations(annotations.toArray(Annotation[]::new));
		IdAsString asString = AnnotatedElementUtils.findMergedAnnotation(element, IdAsString.class);
		if (asString != null && !asString.value().isEmpty()) {
			return asString.value();
		}
		GeneratedId generated = AnnotatedElementUtils.findMergedAnnotation(element, GeneratedId.class);
		if (generated != null) {
			return generated.value();
		}
		return (asString != null) ? "" : null;
	}

	/**
	 * Return the text form of the ids of a type that is annotated with
	 * {@link IdAsString @IdAsString}.
	 * @param type any type
	 * @return the text form, or {@code null} if the type is not annotated
	 * @throws IllegalArgumentException if the generator does not exist, or if the type is
	 * not a record with one component of a supported type
	 */
	public @Nullable IdFormat ofType(Class<?> type) {
		InvalidSettingException.requireGiven(IdFormats.class, "type", type);
		IdAsString annotation = type.getAnnotation(IdAsString.class);
		return (annotation != null) ? format(annotation.value(), type, "@IdAsString " + type.getTypeName()) : null;
	}

	/**
	 * Return the text form of the ids that a property or a parameter holds.
	 * @param generator the name of the generator, empty for the default one
	 * @param type the type of the ids: the type of the property or, if that is a
	 * container, the type of its elements
	 * @param description the name of the property or the parameter in messages
	 * @return the text form
	 * @throws IllegalArgumentException if the generator does not exist, if the type
	 * cannot hold ids, or if the type is annotated with another generator; the message
	 * contains the description and the remedy
	 */
	public IdFormat of(String generator, Class<?> type, String description) {
		InvalidSettingException.requireGiven(IdFormats.class, "generator", generator);
		InvalidSettingException.requireGiven(IdFormats.class, "description", description);
		IdFormat formatOfType = ofType(type);
		if (formatOfType == null) {
			return format(generator, type, description);
		}
		if (!generator.isEmpty() && !generator.equals(formatOfType.generatorName())) {
			throw new IllegalArgumentException(description + " names the generator '" + generator + "', but its type "
					+ type.getTypeName() + " holds ids of '" + formatOfType.generatorName()
					+ "': remove one of the two annotations.");
		}
		return formatOfType;
	}

	private IdFormat format(String name, Class<?> type, String description) {
		IdGenerators generators = this.generators.get();
		IdGenerator generator;
		try {
			generator = generators.get(name.isEmpty() ? "default" : name);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(description + ": " + ex.getMessage(), ex);
		}
		IdType id = IdType.of(type).filter((found) -> SUPPORTED_TYPES.contains(found.value())).orElse(null);
		if (id == null) {
			throw new IllegalArgumentException(description + " is of type " + type.getTypeName()
					+ ", but an id that is written as a string must be a long, a Long, a String, a UUID, or a record"
					+ " with one such component.");
		}
		return new IdFormat(generator, id);
	}

	/**
	 * The text form of the ids of one generator, for values of one Java type:
	 * {@code long}, {@code Long}, {@code String}, {@code UUID}, or a record with one such
	 * component.
	 */
	public static final class IdFormat {

		private final IdGenerator generator;

		private final IdType type;

		private IdFormat(IdGenerator generator, IdType type) {
			this.generator = generator;
			this.type = type;
		}

		/**
		 * Return the generator.
		 * @return the generator of these ids
		 */
		public IdGenerator generator() {
			return this.generator;
		}

		/**
		 * Return the name of the generator.
		 * @return {@code default}, or a name under {@code ids.generators}
		 */
		public String generatorName() {
			return this.generator.name();
		}

		/**
		 * Return the text form of an id.
		 * @param value a value of the type
		 * @return the text form, or the unchanged string if the value is or contains a
		 * {@code String}
		 * @throws IllegalArgumentException if the number or the UUID is not an id of the
		 * generator, or if the value is a record without an id
		 */
		public String format(Object value) {
			InvalidSettingException.requireGiven(IdFormats.class, "value", value);
			return textOf(unwrap(value));
		}

		private Object unwrap(Object value) {
			Object id = this.type.unwrap(value);
			if (id == null) {
				throw new IllegalArgumentException(value.getClass().getTypeName() + " holds no id.");
			}
			return id;
		}

		private String textOf(Object id) {
			if (id instanceof UUID uuid) {
				return this.generator.format(this.generator.fromUuid(uuid));
			}
			return (id instanceof String text) ? text : this.generator.format((Long) id);
		}

		/**
		 * Parse the text form of an id.
		 * @param text the text form
		 * @return a value of the type; a {@code String} in it is the text form exactly as
		 * the generator writes it
		 * @throws IllegalArgumentException if the string is not an id of the generator;
		 * the message gives the reason and quotes only the beginning of the string
		 */
		public Object parse(String text) {
			long number = this.generator.parse(text);
			if (this.type.value() == String.class) {
				return this.type.wrap(this.generator.format(number));
			}
			return this.type.wrap((this.type.value() == UUID.class) ? this.generator.toUuid(number) : (Object) number);
		}

		/**
		 * Return the text of the key of a row, for use in a URL. Unlike {@link #format},
		 * this method accepts keys that the generator did not create, such as those of
		 * rows that are older than the key space. The text of such a key is the number or
		 * the UUID itself.
		 * @param value a value of the type
		 * @return the text
		 * @throws IllegalArgumentException if the value is a record without an id
		 */
		public String formatKey(Object value) {
			InvalidSettingException.requireGiven(IdFormats.class, "value", value);
			Object key = unwrap(value);
			try {
				return textOf(key);
			}
			catch (IllegalArgumentException ex) {
				return key.toString();
			}
		}

		/**
		 * Parse the text that {@link #formatKey} returned. The number or the UUID of an
		 * id is rejected unless it is also a text form. Otherwise, it could be mistaken
		 * for another id, and clients could guess ids despite a secret.
		 * @param text the text
		 * @return a value of the type
		 * @throws IllegalArgumentException if the string is neither an id of the
		 * generator nor a key that the generator did not create
		 */
		public Object parseKey(String text) {
			try {
				return parse(text);
			}
			catch (IllegalArgumentException ex) {
				Object key = readKey(text);
				if (key == null || isId(key)) {
					throw ex;
				}
				return this.type.wrap(key);
			}
		}

		private @Nullable Object readKey(String text) {
			Class<?> value = this.type.value();
			try {
				Object key = (value == String.class) ? text
						: (value == UUID.class) ? UUID.fromString(text) : (Object) Long.valueOf(text);
				// reject other spellings of the key, such as +1
				return key.toString().equals(text) ? key : null;
			}
			catch (IllegalArgumentException ex) {
				return null;
			}
		}

		private boolean isId(Object key) {
			try {
				if (key instanceof String text) {
					this.generator.parse(text);
				}
				else {
					textOf(key);
				}
				return true;
			}
			catch (IllegalArgumentException ex) {
				return false;
			}
		}

		/**
		 * Return the error message for input that is not a string.
		 * @param input the input, such as a number
		 * @return the message
		 */
		public String mismatchMessage(String input) {
			return "An id of the generator '" + generatorName() + "' must be a string, but this is " + input
					+ ". Numbers may have been rounded in transit.";
		}

	}

}
