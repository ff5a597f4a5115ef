package dev.idspring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.monitor.ManagedScopedIdGenerator;

/**
 * The health checks of all generators by name, and of the watched columns.
 */
final class GeneratorHealthChecks {

	private GeneratorHealthChecks() {
	}

	static Map<String, Supplier<IdHealth>> of(IdGenerators generators, Stream<ManagedScopedIdGenerator> scoped,
			Stream<WatchedColumns> columns) {
		Map<String, Supplier<IdHealth>> checks = new LinkedHashMap<>();
		OpenGenerators open = new OpenGenerators(generators);
		open.unused().forEach((name) -> checks.put(name, new GeneratorHealth(() -> open.find(name))));
		open.managed()
			.forEach((generator) -> checks.put(generator.name(), new GeneratorHealth(() -> Optional.of(generator))));
		scoped.forEach((generator) -> checks.put(generator.name(), new ScopedHealth(generator)));
		columns.forEach((watched) -> checks.put("columns", () -> new IdHealth(true, watched.healthDetails())));
		return checks;
	}

}
