package dev.idspring.web;

import java.util.Arrays;

import dev.idspring.IdSetupException;
import dev.idspring.entity.IdAsString;
import dev.idspring.entity.IdFormats;
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
 * What the converter cannot see to by itself: that nothing else reads an id when it has
 * refused to, and that parameters are rightly annotated when the application starts.
 *
 * @since 0.1.0
 */
public final class IdBinding {

	private final WebIds ids;

	/**
	 * Create it.
	 * @param texts finds the text form of what is annotated
	 */
	public IdBinding(IdFormats texts) {
		this.ids = new WebIds(texts);
	}

	/**
	 * Let the converter have the last word on ids, where data binding would otherwise try
	 * to read a number.
	 * @param initializer what prepares data binding; one that is not the usual one, or
	 * has another kind of conversions, is left as it is
	 */
	public void makeStrict(@Nullable WebBindingInitializer initializer) {
		if (initializer instanceof ConfigurableWebBindingInitializer configurable) {
			if (configurable.getConversionService() instanceof FormattingConversionService conversions) {
				configurable.setConversionService(new StrictConversionService(conversions, this.ids));
			}
		}
	}

	/**
	 * Check the parameters of handler methods that are annotated, or whose types are.
	 * @param methods the methods
	 * @throws IdSetupException if one is of an unsuitable type, or names a generator that
	 * there is not, or if bodies or results are annotated
	 */
	public void check(Iterable<HandlerMethod> methods) {
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
	 * What would otherwise have no effect, and nobody would notice.
	 */
	private static IdSetupException refused(String reason) {
		return new IdSetupException("@IdAsString has no effect here: " + reason,
				"Annotate the properties of what is read or written, or use a type of one value that is annotated"
						+ " itself, as in @IdAsString(\"orders\") record OrderId(long value) {}.");
	}

}
