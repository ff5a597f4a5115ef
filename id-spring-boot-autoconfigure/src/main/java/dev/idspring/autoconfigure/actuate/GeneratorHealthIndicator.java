package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} for a generator: up as long as it hands out ids, also when its
 * key space is nearly used up, which the details tell; down when the store fails and
 * nothing is left in memory, when the generator has stopped, and when all keys are used.
 * <p>
 * Looking consumes no id. The answer is kept for a second, so that a frequent caller does
 * not become a load for the store.
 *
 * @since 0.1.0
 */
public class GeneratorHealthIndicator extends AbstractHealthIndicator {

	private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);

	private static final long KEPT_NANOS = Duration.ofSeconds(1).toNanos();

	private final ManagedIdGenerator generator;

	private final TimeSource timeSource;

	private final AtomicReference<@Nullable Answer> last = new AtomicReference<>();

	/**
	 * Create an indicator.
	 * @param generator the generator to look at
	 * @param timeSource tells how old an answer is
	 */
	public GeneratorHealthIndicator(ManagedIdGenerator generator, TimeSource timeSource) {
		super("Looking at id generator '" + generator.name() + "' failed");
		this.generator = generator;
		this.timeSource = timeSource;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		GeneratorSnapshot snapshot = snapshot();
		KeySpaceSnapshot keySpace = snapshot.keySpace();
		builder.status(isServing(snapshot.status()) ? "UP" : "DOWN")
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

	private static boolean isServing(GeneratorStatus status) {
		return switch (status) {
			case UP, LOW -> true;
			case EXHAUSTED, DOWN -> false;
		};
	}

	private GeneratorSnapshot snapshot() {
		Answer known = this.last.get();
		long now = this.timeSource.nanoTime();
		if (known != null && now - known.nanos < KEPT_NANOS) {
			return known.snapshot;
		}
		this.generator.refresh(REFRESH_TIMEOUT).join();
		GeneratorSnapshot snapshot = this.generator.snapshot();
		this.last.set(new Answer(snapshot, now));
		return snapshot;
	}

	private record Answer(GeneratorSnapshot snapshot, long nanos) {

	}

}
