package dev.idspring.autoconfigure.web;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormat;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.TypeDescriptor;

/**
 * Recognizes ids among the values of requests and finds their text form. A wrong
 * annotation is not an error of the request: it leads to an {@link IdSetupException}.
 */
final class WebIds {

	private static final int MAX_DEPTH = 8;

	private final IdFormats formats;

	WebIds(IdFormats formats) {
		this.formats = formats;
	}

	/**
	 * Return the text form of values of a type, {@code null} if they are not ids or are
	 * containers: their elements are converted one by one.
	 */
	@Nullable IdFormat find(TypeDescriptor type) {
		return find(type, type);
	}

	private @Nullable IdFormat find(TypeDescriptor type, TypeDescriptor declared) {
		if (isContainer(type)) {
			return null;
		}
		try {
			if (!isAnnotated(type)) {
				return this.formats.ofType(type.getType());
			}
			String generator = IdFormats.generatorName(Arrays.asList(type.getAnnotations()));
			return this.formats.of((generator != null) ? generator : "", type.getType(), describe(declared));
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
			// a collection may contain itself, or ever deeper types
			TypeDescriptor element = (depth < MAX_DEPTH) ? elementOf(checked) : null;
			if (element == null) {
				if (!isAnnotated(type)) {
					return;
				}
				throw invalid(new IllegalArgumentException(describe(type)
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

	private static String describe(TypeDescriptor type) {
		return "@IdAsString " + type.getResolvableType() + " (" + type.getSource() + ")";
	}

	static IdSetupException invalid(IllegalArgumentException ex) {
		return new IdSetupException(String.valueOf(ex.getMessage()),
				"Correct the type or the annotation, or configure the generator under ids.generators.", ex);
	}

}
