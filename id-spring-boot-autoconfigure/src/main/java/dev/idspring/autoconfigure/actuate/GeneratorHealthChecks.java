package dev.idspring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.idspring.IdGenerators;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;

/**
 * The health checks of all generators by name, and of the {@linkplain WatchedColumns
 * watched columns}.
 */
final class GeneratorHealthChecks {

	private GeneratorHealthChecks() {
	}

	static Map<String, Supplier<IdHealth>> of(IdGenerators generators, Iterable<ManagedScopedIdGenerator> scoped,
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

}
