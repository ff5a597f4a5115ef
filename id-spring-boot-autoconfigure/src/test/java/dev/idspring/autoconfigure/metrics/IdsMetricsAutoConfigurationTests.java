package dev.idspring.autoconfigure.metrics;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import dev.idspring.autoconfigure.actuate.IdsEndpointAutoConfiguration;
import dev.idspring.autoconfigure.actuate.IdsHealthContributorAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsMetricsAutoConfiguration}.
 */
class IdsMetricsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, MetricsAutoConfiguration.class,
				IdsMetricsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory", "ids.generators.orders.strategy=sequential",
				"ids.generators.events.strategy=snowflake");

	@Test
	void everyGeneratorIsMeasured() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			context.getBean(IdGenerators.class).get("orders").nextLongs(3);
			context.getBean(IdGenerators.class).get("events").nextLongs(4);
			context.getBean(IdGenerators.class).get("default");
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get("ids.issued").tag("generator", "orders").functionCounter().count()).isEqualTo(3);
			assertThat(registry.get("ids.issued").tag("generator", "events").functionCounter().count()).isEqualTo(4);
			assertThat(registry.get("ids.issued").tag("generator", "default").functionCounter().count()).isZero();
		});
	}

	@Test
	void beansOfTheApplicationReplaceTheMeters() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("idGeneratorMetrics", MeterBinder.class, () -> (registry) -> {
			})
			.withBean("scopedIdGeneratorMetrics", MeterBinder.class, () -> (registry) -> {
			})
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGeneratorMetrics.class));
	}

	@Test
	void mockedGeneratorsHaveNoMetersHealthChecksOrDescriptions() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withConfiguration(AutoConfigurations.of(IdsEndpointAutoConfiguration.class,
					IdsHealthContributorAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=ids")
			.withBean(IdGenerators.class, () -> Mockito.mock(IdGenerators.class))
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(HealthContributor.class);
				assertThat(context.getBean(CompositeHealthContributor.class)).isEmpty();
				assertThat(context.getBean(MeterRegistry.class).find("ids.issued").meters()).isEmpty();
				assertThat(context.getBean(IdsEndpoint.class).ids().generators()).isEmpty();
			});
	}

	@Test
	void createsNoMetricsWithoutARegistry() {
		this.contextRunner
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGeneratorMetrics.class));
	}

	@Test
	void createsNoMetricsWithoutGenerators() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGeneratorMetrics.class));
	}

}
