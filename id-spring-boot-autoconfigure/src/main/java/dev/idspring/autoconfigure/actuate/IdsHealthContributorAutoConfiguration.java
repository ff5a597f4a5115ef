package dev.idspring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.worker.TimeSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the health of id generators.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("ids")
public final class IdsHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnBean(IdGenerators.class)
	@ConditionalOnMissingBean(name = { "idsHealthIndicator", "idsHealthContributor" })
	HealthContributor idsHealthContributor(IdGenerators generators) {
		Map<String, HealthIndicator> indicators = new LinkedHashMap<>();
		for (IdGenerator generator : generators) {
			if (generator instanceof ManagedIdGenerator managed) {
				// a second is a second, also where the clock of ids stands still
				indicators.put(generator.name(), new GeneratorHealthIndicator(managed, TimeSource.system()));
			}
		}
		return CompositeHealthContributor.fromMap(indicators);
	}

}
