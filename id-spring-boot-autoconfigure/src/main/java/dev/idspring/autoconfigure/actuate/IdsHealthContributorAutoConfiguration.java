package dev.idspring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.monitor.ManagedScopedIdGenerator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the health indicators of the generators and of the
 * {@linkplain WatchedColumns watched columns}.
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
		GeneratorHealth.checks(generators, scoped, columns)
			.forEach((name, check) -> indicators.put(name, new GeneratorHealthIndicator(name, check)));
		return CompositeHealthContributor.fromMap(indicators);
	}

	private static final class GeneratorHealthIndicator extends AbstractHealthIndicator {

		private final Supplier<IdHealth> check;

		GeneratorHealthIndicator(String name, Supplier<IdHealth> check) {
			super("The health check ids/" + name + " failed");
			this.check = check;
		}

		@Override
		protected void doHealthCheck(Health.Builder builder) {
			IdHealth health = this.check.get();
			builder.status(health.up() ? "UP" : "DOWN").withDetails(health.details());
		}

	}

}
