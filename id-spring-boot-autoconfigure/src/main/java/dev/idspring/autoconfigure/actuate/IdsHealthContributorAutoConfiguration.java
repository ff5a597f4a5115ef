package dev.idspring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the health indicators of the generators.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("ids")
@ConditionalOnBean(IdGenerators.class)
public final class IdsHealthContributorAutoConfiguration {

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
		columns
			.forEach((watched) -> indicators.put("columns", () -> Health.up().withDetails(watched.health()).build()));
		return CompositeHealthContributor.fromMap(indicators);
	}

}
