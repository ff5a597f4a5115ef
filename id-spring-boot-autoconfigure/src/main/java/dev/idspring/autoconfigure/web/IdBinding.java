package dev.idspring.autoconfigure.web;

import java.util.Arrays;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.support.FormattingConversionService;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;
import org.springframework.web.method.HandlerMethod;

/**
 * What the converter cannot do itself: it makes data binding stop where the converter
 * refuses a text, and checks the annotations of parameters when the application starts.
 */
final class IdBinding {

	private final WebIds ids;

	/**
	 * Create it.
	 * @param formats finds the text form of ids
	 */
	IdBinding(IdFormats formats) {
		this.ids = new WebIds(formats);
	}

	/**
	 * Make the converter decide on ids, where data binding would otherwise fall back to
	 * property editors for numbers.
	 * @param initializer prepares data binding; one of another type, or with another type
	 * of conversion service, stays as it is
	 */
	void makeStrict(@Nullable WebBindingInitializer initializer) {
		if (initializer instanceof ConfigurableWebBindingInitializer configurable) {
			if (configurable.getConversionService() instanceof FormattingConversionService conversions) {
				configurable.setConversionService(new StrictConversionService(conversions, this.ids));
			}
		}
	}

	/**
	 * Check the parameters of handler methods that are annotated, or whose types are.
	 * @param methods the methods
	 * @throws IdSetupException if one has an unsuitable type, or names a generator that
	 * does not exist, or if bodies or results are annotated
	 */
	void check(Iterable<HandlerMethod> methods) {
		for (HandlerMethod method : methods) {
			if (method.hasMethodAnnotation(IdAsString.class)) {
				throw refused(method + " returns what other code writes.");
			}
			Arrays.stream(method.getMethodParameters()).forEach(this::check);
		}
	}

	private void check(MethodParameter parameter) {
		if (parameter.hasParameterAnnotation(IdAsString.class) && (parameter.hasParameterAnnotation(RequestBody.class)
				|| parameter.hasParameterAnnotation(RequestPart.class))) {
			throw refused(parameter + " is a body, which other code reads.");
		}
		this.ids.check(new TypeDescriptor(parameter));
	}

	/**
	 * Refuse an annotation that would have no effect.
	 */
	private static IdSetupException refused(String reason) {
		return new IdSetupException("@IdAsString has no effect here: " + reason,
				"Annotate the properties of what is read or written, or use a type with a single value that is annotated"
						+ " itself, as in @IdAsString(\"orders\") record OrderId(long value) {}.");
	}

}
