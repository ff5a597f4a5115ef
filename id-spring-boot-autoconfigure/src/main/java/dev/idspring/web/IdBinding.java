package dev.idspring.web;

import java.util.Arrays;

import dev.idspring.entity.IdTexts;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
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
	public IdBinding(IdTexts texts) {
		this.ids = new WebIds(texts);
	}

	/**
	 * Let the converter have the last word on ids, where data binding would otherwise try
	 * to read a number.
	 * @param initializer what prepares data binding; one that is not the usual one is
	 * left as it is
	 */
	public void makeStrict(@Nullable WebBindingInitializer initializer) {
		if (initializer instanceof ConfigurableWebBindingInitializer configurable) {
			ConversionService conversions = configurable.getConversionService();
			if (conversions != null) {
				configurable.setConversionService(new StrictConversionService(conversions, this.ids));
			}
		}
	}

	/**
	 * Check the parameters of handler methods that are annotated, or whose types are.
	 * @param methods the methods
	 * @throws dev.idspring.IdSetupException if one is of an unsuitable type, or names a
	 * generator that there is not
	 */
	public void check(Iterable<HandlerMethod> methods) {
		for (HandlerMethod method : methods) {
			Arrays.stream(method.getMethodParameters())
				.forEach((parameter) -> this.ids.check(new TypeDescriptor(parameter)));
		}
	}

}
