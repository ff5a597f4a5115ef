package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Determines the health of a generator. The health is up while the generator issues ids,
 * and before its first use. If the key space is nearly used up, the health stays up, but
 * the details report the status {@code LOW}.
 * <p>
 * The health is down if the generator has stopped, if all keys are used up or, with
 * {@code recycled}, held by other instances, if the store fails and no id is left in
 * memory, or if a time-based generator has no node or no trusted clock.
 *
 * @param generator supplies the generator, or an empty Optional if it has not been used
 * yet
 */
record GeneratorHealth(Supplier<Optional<? extends IdGenerator>> generator) implements Supplier<IdHealth> {

	private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);

	/**
	 * Return the health checks by name: one for each generator that reports its state,
	 * and one for the {@linkplain WatchedColumns watched columns}.
	 */
	static Map<String, Supplier<IdHealth>> checks(IdGenerators generators, Iterable<ManagedScopedIdGenerator> scoped,
			Iterable<WatchedColumns> columns) {
		Map<String, Supplier<IdHealth>> checks = new LinkedHashMap<>();
		OpenGenerators open = new OpenGenerators(generators);
		for (String name : open.unused()) {
			checks.put(name, new GeneratorHealth(() -> open.find(name)));
		}
		for (ManagedIdGenerator generator : open.managed()) {
			checks.put(generator.name(), new GeneratorHealth(() -> Optional.of(generator)));
		}
		for (ManagedScopedIdGenerator generator : scoped) {
			checks.put(generator.name(), new ScopedHealth(generator));
		}
		for (WatchedColumns watched : columns) {
			checks.put("columns", () -> new IdHealth(true, watched.healthDetails()));
		}
		return checks;
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
