package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} for a generator. The health is up while the generator issues
 * ids, and before it is first used. It stays up when the key space is nearly used up, but
 * the details then report the status {@code LOW}.
 * <p>
 * The health is down if the store fails and no id is left in memory, if the generator has
 * stopped, or if all keys are used up.
 */
final class GeneratorHealthIndicator extends AbstractHealthIndicator {

	private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);

	private final Supplier<Optional<? extends IdGenerator>> generator;

	GeneratorHealthIndicator(ManagedIdGenerator generator) {
		this(generator.name(), () -> Optional.of(generator));
	}

	/**
	 * Create an indicator.
	 * @param name the name of the generator
	 * @param generator supplies the generator, or nothing if it is not open
	 */
	GeneratorHealthIndicator(String name, Supplier<Optional<? extends IdGenerator>> generator) {
		super("The health check of id generator '" + name + "' failed");
		this.generator = generator;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		this.generator.get()
			.ifPresentOrElse((generator) -> check((ManagedIdGenerator) generator, builder),
					() -> builder.up().withDetail("generator", GeneratorDescriptor.UNUSED));
	}

	private static void check(ManagedIdGenerator generator, Health.Builder builder) {
		generator.refresh(REFRESH_TIMEOUT).join();
		GeneratorSnapshot snapshot = generator.snapshot();
		KeySpaceSnapshot keySpace = snapshot.keySpace();
		boolean serving = snapshot.status() == GeneratorStatus.UP || snapshot.status() == GeneratorStatus.LOW;
		builder.status(serving ? "UP" : "DOWN")
			.withDetail("generator", snapshot.status())
			.withDetail("strategy", snapshot.strategy())
			.withDetail("keySpace", keySpace.name())
			.withDetail("remaining", keySpace.remaining());
		withDetail(builder, "exhaustedAt", keySpace.exhaustedAt());
		withDetail(builder, "error",
				(snapshot.storeFailure() != null) ? snapshot.storeFailure() : snapshot.block().lastError());
	}

	private static void withDetail(Health.Builder builder, String name, @Nullable Object value) {
		if (value != null) {
			builder.withDetail(name, value);
		}
	}

}
