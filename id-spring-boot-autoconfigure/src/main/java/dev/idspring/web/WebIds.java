package dev.idspring.web;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

import dev.idspring.IdSetupException;
import dev.idspring.entity.IdAsString;
import dev.idspring.entity.IdLocation;
import dev.idspring.entity.IdFormat;
import dev.idspring.entity.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.TypeDescriptor;

/**
 * Tells which values of requests are ids, and what their text form is. What is wrongly
 * annotated is no fault of the request and must not be taken for one: it is answered with
 * an {@link IdSetupException}.
 */
final class WebIds {

	private static final int MAX_DEPTH = 8;

	private final IdFormats texts;

	WebIds(IdFormats texts) {
		this.texts = texts;
	}

	/**
	 * Return the text form of values of a type, {@code null} if they are no ids. Those of
	 * containers are: their elements are converted one by one.
	 */
	@Nullable IdFormat find(TypeDescriptor type) {
		return find(type, type);
	}

	private @Nullable IdFormat find(TypeDescriptor type, TypeDescriptor place) {
		IdAsString annotation = type.getAnnotation(IdAsString.class);
		if (isContainer(type)) {
			return null;
		}
		try {
			return (annotation != null) ? this.texts.of(place(place, annotation), type.getType())
					: this.texts.ofType(type.getType());
		}
		catch (IllegalArgumentException ex) {
			throw invalid(ex);
		}
	}

	/**
	 * Check that an annotated type can be converted.
	 */
	void check(TypeDescriptor type) {
		TypeDescriptor checked = type;
		for (int depth = 0; isContainer(checked); depth++) {
			// a collection may have itself for an element, or ever deeper types
			TypeDescriptor element = (depth < MAX_DEPTH) ? elementOf(checked) : null;
			if (element == null) {
				if (!isAnnotated(type)) {
					return;
				}
				throw invalid(new IllegalArgumentException("@IdAsString " + describe(type)
						+ " is a container, but ids are elements of collections and arrays whose type is known."));
			}
			checked = element;
		}
		find(checked, type);
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

	private static IdLocation place(TypeDescriptor type, IdAsString annotation) {
		Annotation[] annotations = type.getAnnotations();
		return new IdLocation(annotation, Arrays.asList(annotations), null, "@IdAsString " + describe(type));
	}

	private static String describe(TypeDescriptor type) {
		return type.getResolvableType() + " (" + type.getSource() + ")";
	}

	static IdSetupException invalid(IllegalArgumentException ex) {
		return new IdSetupException(String.valueOf(ex.getMessage()),
				"Correct the type or the annotation, or configure the generator under ids.generators.", ex);
	}

}
