package dev.idspring.autoconfigure.jackson;

import java.util.function.BiFunction;

import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormat;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Selects serializers and deserializers for what carries {@link IdAsString @IdAsString}.
 */
final class IdAnnotationIntrospector extends NopAnnotationIntrospector {

	private static final long serialVersionUID = 1L;

	private final transient IdFormats formats;

	IdAnnotationIntrospector(IdFormats formats) {
		this.formats = formats;
	}

	@Override
	public @Nullable Object findSerializer(MapperConfig<?> config, Annotated annotated) {
		if (annotated instanceof AnnotatedClass) {
			return ofType(annotated, IdSerializer::new);
		}
		Object value = ofProperty(annotated, IdElement.VALUE, IdSerializer::new);
		return (value != null) ? value
				: ofProperty(annotated, IdElement.NUMBERS, (format, type) -> new NumbersSerializer(format));
	}

	@Override
	public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated annotated) {
		return ofProperty(annotated, IdElement.CONTENT, IdSerializer::new);
	}

	@Override
	public @Nullable Object findKeySerializer(MapperConfig<?> config, Annotated annotated) {
		return (annotated instanceof AnnotatedClass) ? ofType(annotated, IdKeySerializer::new)
				: ofProperty(annotated, IdElement.KEY, IdKeySerializer::new);
	}

	@Override
	public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
		if (annotated instanceof AnnotatedClass) {
			return ofType(annotated, IdDeserializer::new);
		}
		Object value = ofProperty(annotated, IdElement.VALUE, IdDeserializer::new);
		return (value != null) ? value : ofProperty(annotated, IdElement.NUMBERS,
				(format, type) -> new NumbersDeserializer(new IdDeserializer(format, long.class)));
	}

	@Override
	public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated annotated) {
		return ofProperty(annotated, IdElement.CONTENT, IdDeserializer::new);
	}

	@Override
	public @Nullable Object findKeyDeserializer(MapperConfig<?> config, Annotated annotated) {
		return (annotated instanceof AnnotatedClass) ? ofType(annotated, IdKeyDeserializer::new)
				: ofProperty(annotated, IdElement.KEY, IdKeyDeserializer::new);
	}

	private @Nullable Object ofType(Annotated annotated, BiFunction<IdFormat, Class<?>, Object> factory) {
		IdFormat format = this.formats.ofType(annotated.getRawType());
		return (format != null) ? factory.apply(format, annotated.getRawType()) : null;
	}

	/**
	 * Create something for a property if its ids are in the given part of it. An
	 * unsuitable property is refused, whatever part is asked for.
	 */
	private @Nullable Object ofProperty(Annotated annotated, IdElement part,
			BiFunction<IdFormat, Class<?>, Object> factory) {
		if (!annotated.hasAnnotation(IdAsString.class) || !(annotated instanceof AnnotatedMember member)) {
			return null;
		}
		String description = "@IdAsString " + describe(member);
		JavaType type = typeOf(member);
		IdElement found = partOf(type, description);
		Class<?> idType = switch (found) {
			case VALUE -> type.getRawClass();
			case NUMBERS -> long.class;
			case CONTENT -> type.getContentType().getRawClass();
			case KEY -> type.getKeyType().getRawClass();
		};
		String generator = IdFormats.generatorName(member.annotations().toList());
		IdFormat format = this.formats.of((generator != null) ? generator : "", idType, description);
		return (found == part) ? factory.apply(format, idType) : null;
	}

	private static IdElement partOf(JavaType type, String description) {
		if (type.hasRawClass(long[].class)) {
			return IdElement.NUMBERS;
		}
		if (type.isMapLikeType()) {
			return partOfMap(type, description);
		}
		return (type.isContainerType() || type.isReferenceType()) ? IdElement.CONTENT : IdElement.VALUE;
	}

	private static IdElement partOfMap(JavaType type, String description) {
		boolean keys = type.getKeyType().hasRawClass(Long.class);
		if (keys == type.getContentType().hasRawClass(Long.class)) {
			throw new IllegalArgumentException(description + " is a map from "
					+ type.getKeyType().getRawClass().getTypeName() + " to "
					+ type.getContentType().getRawClass().getTypeName()
					+ ", but either its keys or its values must be Long: those are the ids. Use a type with a single"
					+ " value that is annotated itself, as in @IdAsString(\"orders\") record OrderId(long value) {}.");
		}
		return keys ? IdElement.KEY : IdElement.CONTENT;
	}

	/**
	 * Return the type of a property; for a setter the type of its parameter.
	 */
	private static JavaType typeOf(AnnotatedMember member) {
		return (member instanceof AnnotatedMethod method && method.getParameterCount() > 0)
				? method.getParameterType(method.getParameterCount() - 1) : member.getType();
	}

	private static String describe(AnnotatedMember member) {
		String owner = member.getDeclaringClass().getTypeName();
		return (member instanceof AnnotatedParameter parameter)
				? "parameter " + (parameter.getIndex() + 1) + " of a creator of " + owner
				: owner + "." + member.getName();
	}

	/**
	 * The part of a property that holds ids.
	 */
	private enum IdElement {

		/** The value is an id. */
		VALUE,

		/** The value is an array of {@code long}. */
		NUMBERS,

		/** The elements of a collection or an array, the values of a map, an optional. */
		CONTENT,

		/** The keys of a map. */
		KEY

	}

}
