package dev.idspring.test.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Makes the instant of {@link AutoConfigureTestIds} a property of the environment. Spring
 * Boot's {@code PropertyMapping} would do so, too, but it has different names in the
 * supported lines of Spring Boot.
 */
final class InstantCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> attributes) {
		AutoConfigureTestIds ids = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestIds.class);
		return (ids != null && !ids.instant().isEmpty()) ? new InstantCustomizer(ids.instant()) : null;
	}

	/**
	 * Contexts with equal customizers are shared.
	 */
	private record InstantCustomizer(String instant) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			TestPropertyValues.of(TestIdsAutoConfiguration.INSTANT + "=" + this.instant).applyTo(context);
		}

	}

}
