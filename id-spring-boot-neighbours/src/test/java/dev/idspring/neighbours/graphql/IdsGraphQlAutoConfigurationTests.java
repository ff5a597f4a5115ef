package dev.idspring.neighbours.graphql;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsGraphQlAutoConfiguration}. Those with Spring GraphQL are in
 * neighbour-tests.
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
	void backsOffForScalarsOfTheApplication() {
		IdScalars mine = new IdScalars(new IdFormats(() -> {
			throw new UnsupportedOperationException();
		}));
		this.contextRunner.withBean(IdScalars.class, () -> mine)
			.run((context) -> assertThat(context.getBean(IdScalars.class)).isSameAs(mine));
	}

	@Test
	void backsOffWithoutGraphQl() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("graphql"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdsGraphQlAutoConfiguration.class));
	}

	@Test
	void noBeansWithoutGenerators() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdScalars.class));
	}

}
