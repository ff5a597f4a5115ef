package dev.idspring.autoconfigure.actuate;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the health indicators of {@link IdsHealthContributorAutoConfiguration}.
 */
class IdsHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, HealthContributorAutoConfiguration.class,
				IdsHealthContributorAutoConfiguration.class))
		.withPropertyValues("ids.store=memory", "ids.generators.orders.strategy=sequential");

	@Test
	void everyGeneratorHasAHealthIndicator() {
		this.contextRunner.run((context) -> {
			CompositeHealthContributor contributor = context.getBean("idsHealthContributor",
					CompositeHealthContributor.class);
			assertThat(contributor.stream().map(HealthContributors.Entry::name)).containsExactlyInAnyOrder("default",
					"orders");
			assertThat(contributor.getContributor("orders")).isInstanceOf(HealthIndicator.class);
		});
	}

	@Test
	void createsNoContributorWhenDisabled() {
		this.contextRunner.withPropertyValues("management.health.ids.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("idsHealthContributor"));
	}

	@Test
	void createsNoContributorWithoutGenerators() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("idsHealthContributor"));
	}

	@Test
	void backsOffForAUserDefinedIndicator() {
		this.contextRunner
			.withBean("idsHealthIndicator", HealthContributor.class, () -> (HealthIndicator) () -> Health.up().build())
			.run((context) -> assertThat(context).hasBean("idsHealthIndicator")
				.doesNotHaveBean("idsHealthContributor"));
	}

}
