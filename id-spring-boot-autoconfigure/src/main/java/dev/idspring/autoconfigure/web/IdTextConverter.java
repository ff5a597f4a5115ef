package dev.idspring.autoconfigure.web;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Converts between ids and their text form, in both directions. It applies to values that
 * are annotated with {@link IdAsString @IdAsString}, or whose type is annotated. A wrong
 * annotation is an error of the application, not of the request. Therefore, it causes an
 * {@link IdSetupException}.
 */
class IdTextConverter implements ConditionalGenericConverter {

	/**
	 * The convertible types. Pairs with {@code Long} and {@code UUID} are listed because
	 * Spring would otherwise prefer its own converters for numbers and UUIDs.
	 */
	private static final Set<ConvertiblePair> PAIRS = Set.of(new ConvertiblePair(String.class, Object.class),
			new ConvertiblePair(String.class, Long.class), new ConvertiblePair(String.class, UUID.class),
			new ConvertiblePair(String.class, String.class), new ConvertiblePair(Object.class, String.class),
			new ConvertiblePair(Long.class, String.class), new ConvertiblePair(UUID.class, String.class));

	private static final int MAX_DEPTH = 8;

	final IdFormats formats;

	/**
	 * Create a converter.
	 * @param formats finds the text form of ids
	 */
	IdTextConverter(IdFormats formats) {
		this.formats = formats;
	}

	@Override
	public Set<ConvertiblePair> getConvertibleTypes() {
		return PAIRS;
	}

	@Override
	public boolean matches(TypeDescriptor source, TypeDescriptor target) {
		return (isText(source) && find(target) != null) || (isText(target) && find(source) != null);
	}

	@Override
	public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
		if (source == null) {
			return null;
		}
		IdFormat targetFormat = isText(sourceType) ? find(targetType) : null;
		if (targetFormat != null) {
			return read(parse(targetFormat, (String) source), targetType.getType());
		}
		IdFormat sourceFormat = find(sourceType);
		Object id = (sourceFormat != null) ? idOf(source, sourceType.getType()) : null;
		return (sourceFormat != null && id != null) ? format(sourceFormat, id) : null;
	}

	Object parse(IdFormat format, String text) {
		return format.parse(text);
	}

	String format(IdFormat format, Object id) {
		return format.format(id);
	}

	private static boolean isText(TypeDescriptor type) {
		return type.getType() == String.class;
	}

	/**
	 * Return the value to which an id is converted: here, the id itself. A subclass may
	 * return the entity with this id.
	 */
	@Nullable Object read(Object id, Class<?> type) {
		return id;
	}

	/**
	 * Return the id of a value: here, the value itself. A subclass may return the id of
	 * an entity.
	 */
	@Nullable Object idOf(Object value, Class<?> type) {
		return value;
	}

	@Nullable IdFormat find(TypeDescriptor type) {
		return find(type, type);
	}

	/**
	 * Return the text form of the values of a type, or {@code null} if they are not ids
	 * or if the type is a container. Spring converts the elements of containers one by
	 * one.
	 * @param declaredType the type that messages describe
	 */
	@Nullable IdFormat find(TypeDescriptor type, TypeDescriptor declaredType) {
		if (isContainer(type)) {
			return null;
		}
		try {
			if (!isAnnotated(type)) {
				return this.formats.ofType(type.getType());
			}
			String generator = IdFormats.generatorName(Arrays.asList(type.getAnnotations()));
			return this.formats.of((generator != null) ? generator : "", type.getType(), describe(declaredType));
		}
		catch (IllegalArgumentException ex) {
			throw invalid(ex);
		}
	}

	/**
	 * Check that an annotated type can be converted. For a container, check the type of
	 * its elements.
	 * @throws IdSetupException if the type is unsuitable, or if the generator does not
	 * exist
	 */
	void check(TypeDescriptor type) {
		TypeDescriptor innermostType = type;
		for (int depth = 0; isContainer(innermostType); depth++) {
			// the depth is limited because the type of a collection may refer to itself
			TypeDescriptor element = (depth < MAX_DEPTH) ? elementOf(innermostType) : null;
			if (element == null) {
				if (!isAnnotated(type)) {
					return;
				}
				throw invalid(new IllegalArgumentException(describe(type)
						+ " is a container, but only collections, arrays and Optional with a declared element type can"
						+ " hold ids."));
			}
			innermostType = element;
		}
		find(innermostType, type);
	}

	static boolean isAnnotated(TypeDescriptor type) {
		return type.hasAnnotation(IdAsString.class);
	}

	private static boolean isContainer(TypeDescriptor type) {
		return type.isArray() || type.isCollection() || type.isMap() || type.getType() == Optional.class;
	}

	private static @Nullable TypeDescriptor elementOf(TypeDescriptor type) {
		if (type.getType() != Optional.class) {
			return Map.class.isAssignableFrom(type.getType()) ? null : type.getElementTypeDescriptor();
		}
		ResolvableType optional = type.getResolvableType();
		return optional.hasGenerics() ? new TypeDescriptor(optional.getGeneric(), null, type.getAnnotations()) : null;
	}

	static String describe(TypeDescriptor type) {
		return "@IdAsString " + type.getResolvableType() + " ("
				+ ((type.getSource() instanceof MethodParameter parameter) ? describe(parameter) : type.getSource())
				+ ")";
	}

	static String describe(MethodParameter parameter) {
		return parameter + " of " + parameter.getDeclaringClass().getName();
	}

	static IdSetupException invalid(IllegalArgumentException ex) {
		return new IdSetupException(String.valueOf(ex.getMessage()),
				"Correct the type or the annotation, or configure the generator under ids.generators.", ex);
	}

}
