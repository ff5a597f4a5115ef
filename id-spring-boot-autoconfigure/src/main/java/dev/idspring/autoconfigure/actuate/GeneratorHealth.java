package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Determines the health of a generator. The health is up while the generator issues ids,
 * and before it is first used. It stays up when the key space is nearly used up, but the
 * details then report the status {@code LOW}.
 * <p>
 * The health is down if the generator has stopped, if all keys are used up, if the store
 * fails and no id is left in memory, or if a time-based generator has no node or no
 * trusted clock.
 */
final class GeneratorHealth implements Supplier<IdHealth> {

	private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);

	private final Supplier<Optional<? extends IdGenerator>> generator;

	/**
	 * Create a health check.
	 * @param generator supplies the generator, or nothing if it is not open
	 */
	GeneratorHealth(Supplier<Optional<? extends IdGenerator>> generator) {
		this.generator = generator;
	}

	@Override
	public IdHealth get() {
		return this.generator.get()
			.map((generator) -> check((ManagedIdGenerator) generator))
			.orElseGet(() -> new IdHealth(true, Map.of("generator", GeneratorDescriptor.UNUSED)));
	}

	private static IdHealth check(ManagedIdGenerator generator) {
		generator.refresh(REFRESH_TIMEOUT).join();
		GeneratorSnapshot snapshot = generator.snapshot();
		KeySpaceSnapshot keySpace = snapshot.keySpace();
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("generator", snapshot.status());
		details.put("strategy", snapshot.strategy());
		details.put("keySpace", keySpace.name());
		details.put("remaining", keySpace.remaining());
		addIfKnown(details, "exhaustedAt", keySpace.exhaustedAt());
		addIfKnown(details, "error",
				(snapshot.storeFailure() != null) ? snapshot.storeFailure() : snapshot.block().lastError());
		boolean serving = snapshot.status() == GeneratorStatus.UP || snapshot.status() == GeneratorStatus.LOW;
		return new IdHealth(serving, details);
	}

	private static void addIfKnown(Map<String, Object> details, String name, @Nullable Object value) {
		if (value != null) {
			details.put(name, value);
		}
	}

}
