package dev.idspring.neighbours.graphql;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsGraphQlAutoConfiguration}. The module neighbour-tests contains the
 * tests with a complete application that uses Spring GraphQL.
 */
class IdsGraphQlAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsGraphQlAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void scalarHasTheGivenName() {
		this.contextRunner
			.run((context) -> assertThat(context.getBean(IdScalars.class).of("OrderId", "default").getName())
				.isEqualTo("OrderId"));
	}

	@Test
	void backsOffIfTheApplicationHasScalars() {
		IdScalars applicationScalars = new IdScalars(new IdFormats(() -> {
			throw new UnsupportedOperationException();
		}));
		this.contextRunner.withBean(IdScalars.class, () -> applicationScalars)
			.run((context) -> assertThat(context.getBean(IdScalars.class)).isSameAs(applicationScalars));
	}

	@Test
	void backsOffWithoutGraphQl() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("graphql"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdsGraphQlAutoConfiguration.class));
	}

	@Test
	void definesNoBeansWithoutGenerators() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdScalars.class));
	}

}
