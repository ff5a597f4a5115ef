package dev.idspring.autoconfigure.metrics;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.worker.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for the meters of the generators and the observations of their
 * reservations.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsMetricsAutoConfiguration {

	private static final String OBSERVATIONS = "idsObservedReservations";

	/**
	 * Create the listener that observes reservations. The application's observation
	 * handlers create timers and spans from the observations.
	 * <p>
	 * With lazy initialization, this method must not request the
	 * {@link ObservationRegistry}, because that would cause a cycle: the observation
	 * registry needs the meter registry, the meter registry requests the generators, and
	 * the generators need this bean.
	 */
	@Bean(OBSERVATIONS)
	@ConditionalOnBean(ObservationRegistry.class)
	ObservedReservations idsObservedReservations(ConfigurableListableBeanFactory beans,
			ObjectProvider<ObservationRegistry> registries) {
		if (!beans.getBeanDefinition(OBSERVATIONS).isLazyInit()) {
			registries.getIfUnique();
		}
		String[] names = beans.getBeanNamesForType(ObservationRegistry.class, true, false);
		return new ObservedReservations(
				() -> Stream.of(names).allMatch(beans::containsSingleton) ? registries.getIfUnique() : null);
	}

	/**
	 * The meters. They need a {@link MeterRegistry}, whereas observations do not.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MeterConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "idGeneratorMetrics")
		IdGeneratorMetrics idGeneratorMetrics(IdGenerators generators, ObjectProvider<TimeSource> timeSource) {
			// a mock of IdGenerators returns null
			Iterable<IdGenerator> measured = () -> Objects.requireNonNullElse(generators.iterator(),
					Collections.emptyIterator());
			return new IdGeneratorMetrics(measured, timeSource.getIfAvailable(TimeSource::system));
		}

		/**
		 * Add the meters of each generator that is opened after
		 * {@link IdGeneratorMetrics} was bound.
		 */
		@Bean
		IdGeneratorListener idsMetersOnDemand(ConfigurableListableBeanFactory beans) {
			return new IdGeneratorListener() {

				@Override
				public void opened(String generator, String summary, GeneratorSnapshot snapshot) {
					if (beans.getSingleton("idGeneratorMetrics") instanceof IdGeneratorMetrics metrics) {
						metrics.add(generator, snapshot);
					}
				}

			};
		}

		@Bean
		@ConditionalOnMissingBean(name = "scopedIdGeneratorMetrics")
		MeterBinder scopedIdGeneratorMetrics(ObjectProvider<ManagedScopedIdGenerator> generators) {
			List<ManagedScopedIdGenerator> scoped = generators.stream().toList();
			return scoped.isEmpty() ? (registry) -> {
			} : new ScopedIdGeneratorMetrics(scoped);
		}

	}

}
