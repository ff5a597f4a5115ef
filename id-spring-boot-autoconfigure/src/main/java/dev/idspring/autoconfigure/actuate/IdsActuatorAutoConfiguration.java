package dev.idspring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.store.KeySpaceStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for {@link IdsEndpoint} and for the health of the generators.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsActuatorAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
	@ConditionalOnAvailableEndpoint(IdsEndpoint.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnMissingBean
		IdsEndpoint idsEndpoint(IdGenerators generators, ObjectProvider<KeySpaceStore> store,
				ObjectProvider<ManagedScopedIdGenerator> scoped, ObjectProvider<WatchedColumns> columns,
				Environment environment) {
			Strategy strategy = Binder.get(environment).bind("ids.strategy", Strategy.class).orElse(Strategy.COPRIME);
			return new IdsEndpoint(generators, store.getIfUnique(), scoped.stream().toList(), columns.getIfUnique(),
					strategy.id());
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
		IdsEndpointWebExtension idsEndpointWebExtension(IdsEndpoint endpoint) {
			return new IdsEndpointWebExtension(endpoint);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
	@ConditionalOnEnabledHealthIndicator("ids")
	static class HealthConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = { "idsHealthIndicator", "idsHealthContributor" })
		HealthContributor idsHealthContributor(IdGenerators generators, ObjectProvider<ManagedScopedIdGenerator> scoped,
				ObjectProvider<WatchedColumns> columns) {
			Map<String, HealthIndicator> indicators = new LinkedHashMap<>();
			OpenGenerators open = new OpenGenerators(generators);
			open.unused()
				.forEach((name) -> indicators.put(name, new GeneratorHealthIndicator(name, () -> open.find(name))));
			open.managed()
				.forEach((generator) -> indicators.put(generator.name(), new GeneratorHealthIndicator(generator)));
			scoped.forEach((generator) -> indicators.put(generator.name(), new ScopedHealthIndicator(generator)));
			columns.forEach(
					(watched) -> indicators.put("columns", () -> Health.up().withDetails(watched.health()).build()));
			return CompositeHealthContributor.fromMap(indicators);
		}

	}

}
