package dev.idspring.autoconfigure.actuate;

import java.time.Duration;

import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.monitor.ScopedSnapshot;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} for a generator with scoped numbers. The health is up as long
 * as the store answers.
 */
final class ScopedHealthIndicator extends AbstractHealthIndicator {

	private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);

	private final ManagedScopedIdGenerator generator;

	ScopedHealthIndicator(ManagedScopedIdGenerator generator) {
		super("The health check of id generator '" + generator.name() + "' failed");
		this.generator = generator;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		this.generator.refresh(REFRESH_TIMEOUT).join();
		ScopedSnapshot snapshot = this.generator.snapshot();
		builder.status((snapshot.status() == GeneratorStatus.UP) ? "UP" : "DOWN")
			.withDetail("generator", snapshot.status())
			.withDetail("strategy", snapshot.strategy())
			.withDetail("keySpace", snapshot.keySpace())
			.withDetail("scopes", snapshot.scopes())
			.withDetail("maxScopes", snapshot.maxScopes());
		if (snapshot.storeFailure() != null) {
			builder.withDetail("error", snapshot.storeFailure());
		}
	}

}
