package dev.idspring.autoconfigure.metrics;

import java.util.List;
import java.util.function.ToDoubleFunction;

import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.monitor.ScopedSnapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Binds the meters of scoped generators. Scopes are never tags, because there may be too
 * many of them. No meter queries the store.
 *
 * @param generators the generators to measure
 */
record ScopedIdGeneratorMetrics(List<ManagedScopedIdGenerator> generators) implements MeterBinder {

	@Override
	public void bindTo(MeterRegistry registry) {
		for (ManagedScopedIdGenerator generator : this.generators) {
			Tags tags = Tags.of("generator", generator.name(), "strategy", generator.snapshot().strategy());
			FunctionCounter.builder("ids.issued", generator, read(ScopedSnapshot::issued))
				.description("Ids that this instance has handed out")
				.baseUnit("ids")
				.tags(tags)
				.register(registry);
			FunctionCounter.builder("ids.scopes.failures", generator, read(ScopedSnapshot::failures))
				.description("Draws that failed because of the store")
				.tags(tags)
				.register(registry);
			Gauge.builder("ids.scopes", generator, read(ScopedSnapshot::scopes))
				.description("Scopes of the current period, as far as this instance knows")
				.baseUnit("scopes")
				.tags(tags)
				.register(registry);
			Gauge.builder("ids.scopes.limit", generator, read(ScopedSnapshot::maxScopes))
				.description("Maximum number of scopes per period")
				.tags(tags)
				.register(registry);
		}
	}

	private static ToDoubleFunction<ManagedScopedIdGenerator> read(ToDoubleFunction<ScopedSnapshot> value) {
		return (generator) -> value.applyAsDouble(generator.snapshot());
	}

}
