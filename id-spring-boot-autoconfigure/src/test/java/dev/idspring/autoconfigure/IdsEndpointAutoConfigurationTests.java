package dev.idspring.autoconfigure;

import java.util.List;

import dev.idspring.actuate.IdsEndpoint;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsEndpointAutoConfiguration}.
 */
class IdsEndpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsEndpointAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void endpointIsThereWhenExposed() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=ids")
			.run((context) -> assertThat(context).hasSingleBean(IdsEndpoint.class));
	}

	@Test
	void endpointIsNotThereUnlessExposed() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(IdsEndpoint.class));
	}

	@Test
	void endpointIsNotThereWithoutAccess() {
		this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=ids", "management.endpoint.ids.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(IdsEndpoint.class));
	}

	@Test
	void endpointIsNotThereWhenDisabled() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=ids", "ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdsEndpoint.class));
	}

	@Test
	void userDefinedEndpointIsUsed() {
		IdsEndpoint mine = new IdsEndpoint(new DefaultIdGenerators(List.of()), null);
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=ids")
			.withBean(IdsEndpoint.class, () -> mine)
			.run((context) -> assertThat(context.getBean(IdsEndpoint.class)).isSameAs(mine));
	}

}
