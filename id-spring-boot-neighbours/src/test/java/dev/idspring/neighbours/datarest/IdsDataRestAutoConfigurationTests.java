package dev.idspring.neighbours.datarest;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.data.rest.webmvc.config.RepositoryRestConfigurer;
import org.springframework.data.rest.webmvc.spi.BackendIdConverter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsDataRestAutoConfiguration}. The module neighbour-tests contains the
 * tests with a complete application that uses Spring Data REST.
 */
class IdsDataRestAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(IdsAutoConfiguration.class,
			IdsDataRestAutoConfiguration.class);

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS)
		.withPropertyValues("ids.store=memory");

	@Test
	void doesNotConvertEntitiesWithoutRepositories() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(RepositoryRestConfigurer.class);
			assertThat(context.getBean(BackendIdConverter.class).supports(IdsDataRestAutoConfigurationTests.class))
				.isFalse();
		});
	}

	@Test
	void backsOffIfTheApplicationHasAConverter() {
		this.contextRunner.withBean(BackendIdConverter.class, () -> BackendIdConverter.DefaultIdConverter.INSTANCE)
			.run((context) -> assertThat(context).hasSingleBean(BackendIdConverter.class)
				.doesNotHaveBean(RepositoryRestConfigurer.class));
	}

	@Test
	void backsOffWithoutSpringDataRest() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.data.rest"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdsDataRestAutoConfiguration.class));
	}

	@Test
	void definesNoBeansWithoutGeneratorsOrWithoutAWebApplication() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BackendIdConverter.class));
		new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues("ids.store=memory")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BackendIdConverter.class));
	}

}
