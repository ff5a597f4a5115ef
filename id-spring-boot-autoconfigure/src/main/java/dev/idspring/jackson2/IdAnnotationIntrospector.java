package dev.idspring.jackson2;

import java.util.function.BiFunction;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import dev.idspring.entity.IdAsString;
import dev.idspring.entity.IdPart;
import dev.idspring.entity.IdPlace;
import dev.idspring.entity.IdText;
import dev.idspring.entity.IdTexts;
import org.jspecify.annotations.Nullable;

/**
 * Tells Jackson how to write and read what carries {@link IdAsString @IdAsString}.
 */
final class IdAnnotationIntrospector extends NopAnnotationIntrospector {

	private static final long serialVersionUID = 1L;

	private final transient IdTexts texts;

	IdAnnotationIntrospector(IdTexts texts) {
		this.texts = texts;
	}

	@Override
	public @Nullable Object findSerializer(Annotated annotated) {
		if (annotated instanceof AnnotatedClass) {
			return ofType(annotated, IdSerializer::new);
		}
		Object value = ofProperty(annotated, IdPart.VALUE, IdSerializer::new);
		return (value != null) ? value
				: ofProperty(annotated, IdPart.NUMBERS, (text, type) -> new NumbersSerializer(text));
	}

	@Override
	public @Nullable Object findContentSerializer(Annotated annotated) {
		return ofProperty(annotated, IdPart.CONTENT, IdSerializer::new);
	}

	@Override
	public @Nullable Object findKeySerializer(Annotated annotated) {
		return (annotated instanceof AnnotatedClass) ? ofType(annotated, IdKeySerializer::new)
				: ofProperty(annotated, IdPart.KEY, IdKeySerializer::new);
	}

	@Override
	public @Nullable Object findDeserializer(Annotated annotated) {
		if (annotated instanceof AnnotatedClass) {
			return ofType(annotated, IdDeserializer::new);
		}
		Object value = ofProperty(annotated, IdPart.VALUE, IdDeserializer::new);
		return (value != null) ? value : ofProperty(annotated, IdPart.NUMBERS,
				(text, type) -> new NumbersDeserializer(new IdDeserializer(text, long.class)));
	}

	@Override
	public @Nullable Object findContentDeserializer(Annotated annotated) {
		return ofProperty(annotated, IdPart.CONTENT, IdDeserializer::new);
	}

	@Override
	public @Nullable Object findKeyDeserializer(Annotated annotated) {
		return (annotated instanceof AnnotatedClass) ? ofType(annotated, IdKeyDeserializer::new)
				: ofProperty(annotated, IdPart.KEY, IdKeyDeserializer::new);
	}

	private @Nullable Object ofType(Annotated annotated, BiFunction<IdText, Class<?>, Object> make) {
		IdText text = this.texts.ofType(annotated.getRawType());
		return (text != null) ? make.apply(text, annotated.getRawType()) : null;
	}

	/**
	 * Make something for a property if its ids are in that part of it. Whatever part is
	 * asked for, an unsuitable property is refused.
	 */
	private @Nullable Object ofProperty(Annotated annotated, IdPart part, BiFunction<IdText, Class<?>, Object> make) {
		IdAsString annotation = annotated.getAnnotation(IdAsString.class);
		if (annotation == null || !(annotated instanceof AnnotatedMember member)) {
			return null;
		}
		IdPlace place = new IdPlace(annotation, member.getAllAnnotations().annotations(), member.getDeclaringClass(),
				"@IdAsString " + describe(member));
		JavaType type = typeOf(member);
		IdPart found = partOf(type, place.description());
		Class<?> idType = switch (found) {
			case VALUE -> type.getRawClass();
			case NUMBERS -> long.class;
			case CONTENT -> type.getContentType().getRawClass();
			case KEY -> type.getKeyType().getRawClass();
		};
		IdText text = this.texts.of(place, idType);
		return (found == part) ? make.apply(text, idType) : null;
	}

	private static IdPart partOf(JavaType type, String place) {
		if (type.hasRawClass(long[].class)) {
			return IdPart.NUMBERS;
		}
		if (type.isMapLikeType()) {
			return IdPart.ofMap(type.getKeyType().getRawClass(), type.getContentType().getRawClass(), place);
		}
		return (type.isContainerType() || type.isReferenceType()) ? IdPart.CONTENT : IdPart.VALUE;
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
