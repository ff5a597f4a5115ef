package dev.idspring.integration.jdbc;

import dev.idspring.integration.jdbc.slice.Note;
import dev.idspring.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.test.autoconfigure.data.jdbc.DataJdbcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Loads test slices with an annotated entity on Spring Boot 3.5. One slice has
 * {@link AutoConfigureTestIds @AutoConfigureTestIds}, and one does not.
 */
class DataJdbcSliceTests {

	@Test
	void sliceWithoutGeneratorsFailsWithARemedy() {
		assertThatIllegalStateException().isThrownBy(() -> load(WithoutTestIds.class))
			.havingRootCause()
			.withMessageContainingAll(Note.class.getName() + ".id is annotated with @GeneratedId",
					"this application context has no id generators", "@AutoConfigureTestIds");
	}

	@Test
	void sliceWithTestIdsStarts() {
		assertThat(load(WithTestIds.class).getBean(JdbcMappingContext.class).hasPersistentEntityFor(Note.class)).isTrue();
	}

	private static ApplicationContext load(Class<?> test) {
		return new TestContextManager(test).getTestContext().getApplicationContext();
	}

	@DataJdbcTest
	@ContextConfiguration(classes = SliceConfiguration.class)
	static class WithoutTestIds {

	}

	@DataJdbcTest
	@AutoConfigureTestIds
	@ContextConfiguration(classes = SliceConfiguration.class)
	static class WithTestIds {

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage(basePackageClasses = Note.class)
	static class SliceConfiguration {

	}

}
