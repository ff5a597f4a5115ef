package dev.idspring.jackson;

import java.util.function.BiFunction;

import dev.idspring.entity.IdAsString;
import dev.idspring.entity.IdElement;
import dev.idspring.entity.IdLocation;
import dev.idspring.entity.IdFormat;
import dev.idspring.entity.IdFormats;
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
 * Tells Jackson how to write and read what carries {@link IdAsString @IdAsString}.
 */
final class IdAnnotationIntrospector extends NopAnnotationIntrospector {

	private static final long serialVersionUID = 1L;

	private final transient IdFormats texts;

	IdAnnotationIntrospector(IdFormats texts) {
		this.texts = texts;
	}

	@Override
	public @Nullable Object findSerializer(MapperConfig<?> config, Annotated annotated) {
		if (annotated instanceof AnnotatedClass) {
			return ofType(annotated, IdSerializer::new);
		}
		Object value = ofProperty(annotated, IdElement.VALUE, IdSerializer::new);
		return (value != null) ? value
				: ofProperty(annotated, IdElement.NUMBERS, (text, type) -> new NumbersSerializer(text));
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
				(text, type) -> new NumbersDeserializer(new IdDeserializer(text, long.class)));
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

	private @Nullable Object ofType(Annotated annotated, BiFunction<IdFormat, Class<?>, Object> make) {
		IdFormat text = this.texts.ofType(annotated.getRawType());
		return (text != null) ? make.apply(text, annotated.getRawType()) : null;
	}

	/**
	 * Make something for a property if its ids are in that part of it. Whatever part is
	 * asked for, an unsuitable property is refused.
	 */
	private @Nullable Object ofProperty(Annotated annotated, IdElement part,
			BiFunction<IdFormat, Class<?>, Object> make) {
		IdAsString annotation = annotated.getAnnotation(IdAsString.class);
		if (annotation == null || !(annotated instanceof AnnotatedMember member)) {
			return null;
		}
		IdLocation place = new IdLocation(annotation, member.annotations().toList(), member.getDeclaringClass(),
				"@IdAsString " + describe(member));
		JavaType type = typeOf(member);
		IdElement found = partOf(type, place.description());
		Class<?> idType = switch (found) {
			case VALUE -> type.getRawClass();
			case NUMBERS -> long.class;
			case CONTENT -> type.getContentType().getRawClass();
			case KEY -> type.getKeyType().getRawClass();
		};
		IdFormat text = this.texts.of(place, idType);
		return (found == part) ? make.apply(text, idType) : null;
	}

	private static IdElement partOf(JavaType type, String place) {
		if (type.hasRawClass(long[].class)) {
			return IdElement.NUMBERS;
		}
		if (type.isMapLikeType()) {
			return IdElement.ofMap(type.getKeyType().getRawClass(), type.getContentType().getRawClass(), place);
		}
		return (type.isContainerType() || type.isReferenceType()) ? IdElement.CONTENT : IdElement.VALUE;
	}

	/**
	 * That of a setter is the type of what it sets.
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

}
