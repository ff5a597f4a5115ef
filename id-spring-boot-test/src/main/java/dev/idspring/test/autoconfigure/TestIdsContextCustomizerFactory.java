package dev.idspring.test.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Sets the time that {@link AutoConfigureTestIds#instant} names. Spring Boot's annotation
 * for this purpose is in different packages on the lines of Spring Boot.
 */
final class TestIdsContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> attributes) {
		AutoConfigureTestIds annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestIds.class);
		return (annotation != null && !annotation.instant().isEmpty()) ? new Start(annotation.instant()) : null;
	}

	/**
	 * A context with another start is another entry in Spring's cache.
	 *
	 * @param instant the time of the clock when the context starts
	 */
	private record Start(String instant) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context,
					TestIdsAutoConfiguration.INSTANT + "=" + this.instant);
		}

	}

}
