package dev.idspring.autoconfigure.actuate;

import java.util.Collections;
import java.util.Iterator;
import java.util.Set;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.ScopedIdGenerator;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the endpoint of {@link IdsEndpointAutoConfiguration}.
 */
class IdsEndpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsEndpointAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void endpointIsPresentWhenExposed() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=ids")
			.run((context) -> assertThat(context).hasSingleBean(IdsEndpoint.class));
	}

	@Test
	void endpointIsAbsentUnlessExposed() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(IdsEndpoint.class));
	}

	@Test
	void endpointIsAbsentWithoutAccess() {
		this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=ids", "management.endpoint.ids.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(IdsEndpoint.class));
	}

	@Test
	void endpointIsAbsentWhenDisabled() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=ids", "ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdsEndpoint.class));
	}

	@Test
	void userDefinedEndpointIsUsed() {
		IdsEndpoint mine = new IdsEndpoint(new NoGenerators(), null);
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=ids")
			.withBean(IdsEndpoint.class, () -> mine)
			.run((context) -> assertThat(context.getBean(IdsEndpoint.class)).isSameAs(mine));
	}

	private static final class NoGenerators implements IdGenerators {

		@Override
		public IdGenerator get(String name) {
			throw new IllegalArgumentException(name);
		}

		@Override
		public ScopedIdGenerator scoped(String name) {
			throw new IllegalArgumentException(name);
		}

		@Override
		public Set<String> names() {
			return Set.of();
		}

		@Override
		public Iterator<IdGenerator> iterator() {
			return Collections.emptyIterator();
		}

	}

}
