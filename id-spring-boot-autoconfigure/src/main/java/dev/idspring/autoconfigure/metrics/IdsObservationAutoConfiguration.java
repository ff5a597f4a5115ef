package dev.idspring.autoconfigure.metrics;

import dev.idspring.autoconfigure.IdsAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for observations of reservations.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = IdsAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
public final class IdsObservationAutoConfiguration {

	/**
	 * Timers and spans are made by whatever handlers the application has.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(ObservationRegistry.class)
	static class ObservedConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ObservedReservations observedReservations(ObservationRegistry registry,
				ObjectProvider<ReservationObservationConvention> convention) {
			return new ObservedReservations(registry, convention.getIfAvailable());
		}

	}

	/**
	 * Meters but no observations: the timer is the same.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnSingleCandidate(MeterRegistry.class)
	@ConditionalOnMissingBean(ObservationRegistry.class)
	static class TimedConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ObservedReservations observedReservations(MeterRegistry meters,
				ObjectProvider<ReservationObservationConvention> convention) {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
			return new ObservedReservations(registry, convention.getIfAvailable());
		}

	}

}
