package dev.idspring.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import dev.idspring.clock.TimeSource;
import dev.idspring.monitor.ClockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.NodeSnapshot;
import dev.idspring.monitor.SeriesSnapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * {@link MeterBinder} for generators. All meters are read, when somebody asks, from what
 * generators count anyway: handing out ids costs nothing more, and no meter asks the
 * store.
 *
 * @since 0.1.0
 */
public class IdGeneratorMetrics implements MeterBinder {

	private final List<ManagedIdGenerator> generators;

	private final TimeSource timeSource;

	/**
	 * Create meters.
	 * @param generators the generators to measure
	 * @param timeSource tells how far away the end of a key space is
	 */
	public IdGeneratorMetrics(List<ManagedIdGenerator> generators, TimeSource timeSource) {
		this.generators = List.copyOf(generators);
		this.timeSource = timeSource;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (ManagedIdGenerator generator : this.generators) {
			GeneratorSnapshot snapshot = generator.snapshot();
			Meters meters = new Meters(registry, generator,
					Tags.of("generator", generator.name(), "strategy", snapshot.strategy()));
			meters.counter("ids.issued", "Ids that this instance has handed out", "ids", GeneratorSnapshot::issued);
			bindBlock(meters);
			bindKeySpace(meters);
			if (snapshot.series() != null) {
				bindSeries(meters);
			}
			if (snapshot.node() != null) {
				bindNode(meters);
			}
		}
	}

	private static void bindBlock(Meters meters) {
		meters.gauge("ids.block.size", "Ids that the next reservation asks for", (snapshot) -> snapshot.block().size());
		meters.gauge("ids.block.remaining", "Ids that this instance has reserved and not handed out yet",
				(snapshot) -> snapshot.block().remaining() + snapshot.block().ahead());
		meters.counter("ids.block.reservations", "Reservations that succeeded", "reservations",
				(snapshot) -> snapshot.block().reservations());
		meters.counter("ids.block.failures", "Attempts to reserve that failed", "attempts",
				(snapshot) -> snapshot.block().failures());
		meters.counter("ids.block.exhaustions", "Callers that found no id in memory and had to wait", "callers",
				(snapshot) -> snapshot.block().exhaustions());
	}

	private void bindKeySpace(Meters meters) {
		meters.gauge("ids.keyspace.capacity", "Keys in the key space",
				(snapshot) -> snapshot.keySpace().capacity().doubleValue());
		meters.gauge("ids.keyspace.reserved", "Keys that all instances have reserved, as far as this one knows",
				(snapshot) -> snapshot.keySpace().reserved().doubleValue());
		meters.gauge("ids.keyspace.remaining", "Keys that nobody has reserved, as far as this instance knows",
				(snapshot) -> snapshot.keySpace().remaining().doubleValue());
		meters.timeGauge("ids.keyspace.horizon", "Time until the key space is projected to be used up", this::horizon);
	}

	/**
	 * Return the milliseconds until the end of the key space, not a number if that is not
	 * known.
	 */
	private double horizon(GeneratorSnapshot snapshot) {
		Instant end = snapshot.keySpace().exhaustedAt();
		return (end != null) ? Math.max(0, Duration.between(this.timeSource.instant(), end).toMillis()) : Double.NaN;
	}

	private static void bindSeries(Meters meters) {
		meters.count("ids.series.owned", "Series that this instance owns", "series", (snapshot) -> {
			SeriesSnapshot series = snapshot.series();
			return (series != null) ? series.series().stream().filter(SeriesSnapshot.Series::own).count() : 0;
		});
	}

	private static void bindNode(Meters meters) {
		meters.count("ids.node.number", "Number of the node of this instance", null, (snapshot) -> {
			NodeSnapshot node = snapshot.node();
			Long number = (node != null) ? node.number() : null;
			return (number != null) ? number : Double.NaN;
		});
		meters.timeGauge("ids.clock.ahead", "Time by which the last id is ahead of the clock", (snapshot) -> {
			ClockSnapshot clock = snapshot.clock();
			return (clock != null) ? clock.ahead().toMillis() : 0;
		});
		meters.counter("ids.clock.jumps", "Jumps of the clock by a second or more", "jumps", (snapshot) -> {
			ClockSnapshot clock = snapshot.clock();
			return (clock != null) ? clock.jumps() : 0;
		});
	}

	/**
	 * The meters of one generator.
	 */
	private record Meters(MeterRegistry registry, ManagedIdGenerator generator, Tags tags) {

		void counter(String name, String description, String unit, ToDoubleFunction<GeneratorSnapshot> value) {
			FunctionCounter.builder(name, this.generator, read(value))
				.description(description)
				.baseUnit(unit)
				.tags(this.tags)
				.register(this.registry);
		}

		void gauge(String name, String description, ToDoubleFunction<GeneratorSnapshot> value) {
			count(name, description, "ids", value);
		}

		void count(String name, String description, @Nullable String unit, ToDoubleFunction<GeneratorSnapshot> value) {
			Gauge.builder(name, this.generator, read(value))
				.description(description)
				.baseUnit(unit)
				.tags(this.tags)
				.register(this.registry);
		}

		/**
		 * Register what is told in milliseconds, in the unit of time of the registry.
		 */
		void timeGauge(String name, String description, ToDoubleFunction<GeneratorSnapshot> value) {
			TimeGauge.builder(name, this.generator, TimeUnit.MILLISECONDS, read(value))
				.description(description)
				.tags(this.tags)
				.register(this.registry);
		}

		private static ToDoubleFunction<ManagedIdGenerator> read(ToDoubleFunction<GeneratorSnapshot> value) {
			return (generator) -> value.applyAsDouble(generator.snapshot());
		}

	}

}
