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
 * Sets the initial time of the test clock to {@link AutoConfigureTestIds#instant}. Spring
 * Boot's {@code @PropertyMapping} would do the same, but its package differs between the
 * supported versions of Spring Boot.
 */
final class TestIdsContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> attributes) {
		AutoConfigureTestIds annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestIds.class);
		return (annotation != null && !annotation.instant().isEmpty()) ? new InitialTime(annotation.instant()) : null;
	}

	/**
	 * Sets the property {@link TestIdsAutoConfiguration#INSTANT}. This record is part of
	 * the key of Spring's context cache. Tests with different initial times therefore do
	 * not share a context.
	 *
	 * @param instant the time of the clock when the context starts
	 */
	private record InitialTime(String instant) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context,
					TestIdsAutoConfiguration.INSTANT + "=" + this.instant);
		}

	}

}
