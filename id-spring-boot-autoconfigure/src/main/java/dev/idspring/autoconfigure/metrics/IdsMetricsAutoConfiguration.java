package dev.idspring.autoconfigure.metrics;

import java.util.stream.StreamSupport;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.worker.TimeSource;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the meters of id generators.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class IdsMetricsAutoConfiguration {

	private static final String RESERVATIONS = "ids.block.reservations";

	@Bean
	@ConditionalOnBean(IdGenerators.class)
	@ConditionalOnMissingBean
	IdGeneratorMetrics idGeneratorMetrics(IdGenerators generators, ObjectProvider<TimeSource> timeSource) {
		return new IdGeneratorMetrics(StreamSupport.stream(generators.spliterator(), false)
			.filter(ManagedIdGenerator.class::isInstance)
			.map(ManagedIdGenerator.class::cast)
			.toList(), timeSource.getIfAvailable(TimeSource::system));
	}

	/**
	 * Percentiles of the time that reservations take, unless the application says
	 * otherwise ({@code management.metrics.distribution}).
	 */
	@Bean
	@ConditionalOnBean(IdGenerators.class)
	static MeterFilter idsReservationPercentiles() {
		DistributionStatisticConfig defaults = DistributionStatisticConfig.builder()
			.percentiles(0.5, 0.95, 0.99)
			.build();
		return new MeterFilter() {

			@Override
			public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
				return RESERVATIONS.equals(id.getName()) ? config.merge(defaults) : config;
			}

		};
	}

}
