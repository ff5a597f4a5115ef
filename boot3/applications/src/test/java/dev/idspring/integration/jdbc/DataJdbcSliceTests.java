package dev.idspring.integration.jdbc;

import dev.idspring.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.test.autoconfigure.data.jdbc.DataJdbcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Loads a slice with annotated entities on Spring Boot 3.5, with
 * {@link AutoConfigureTestIds @AutoConfigureTestIds} and without.
 */
class DataJdbcSliceTests {

	@Test
	void sliceWithoutGeneratorsFailsWithARemedy() {
		assertThatIllegalStateException().isThrownBy(() -> load(Forgotten.class))
			.havingRootCause()
			.withMessageContainingAll("is annotated with @GeneratedId, but this application context has no id generators",
					"@AutoConfigureTestIds");
	}

	@Test
	void sliceWithTestIdsStarts() {
		assertThat(load(WithTestIds.class).getBeanNamesForType(Coupons.class)).hasSize(1);
	}

	private static ApplicationContext load(Class<?> test) {
		return new TestContextManager(test).getTestContext().getApplicationContext();
	}

	@DataJdbcTest
	@ContextConfiguration(classes = Slice.class)
	static class Forgotten {

	}

	@DataJdbcTest(properties = "ids.generators.codes.strategy=coprime")
	@AutoConfigureTestIds
	@ContextConfiguration(classes = Slice.class)
	static class WithTestIds {

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage
	static class Slice {

	}

}
