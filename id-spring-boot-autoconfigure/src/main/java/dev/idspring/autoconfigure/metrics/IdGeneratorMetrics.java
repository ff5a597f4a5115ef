package dev.idspring.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.ClockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.SeriesSnapshot;
import dev.idspring.worker.TimeSource;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * {@link MeterBinder} for generators. All meters are read from what generators count
 * anyway: handing out ids costs nothing more, and no meter asks the store. What is said
 * of a whole key space is what this instance saw last, when it reserved or looked; of
 * several instances the one that saw most is right. The time that reservations take is
 * observed while they are made.
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
			bindStatus(meters);
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

	/**
	 * One meter for each status, so that numbers need no explanation.
	 */
	private static void bindStatus(Meters meters) {
		for (GeneratorStatus status : GeneratorStatus.values()) {
			meters.with("status", status.name().toLowerCase(Locale.ROOT))
				.count("ids.status", "1 for the status that the generator has, 0 for the others", null,
						(snapshot) -> (snapshot.status() == status) ? 1 : 0);
		}
	}

	private static void bindBlock(Meters meters) {
		meters.gauge("ids.block.size", "Ids that the next reservation asks for", (snapshot) -> snapshot.block().size());
		meters.gauge("ids.block.remaining", "Ids that this instance has reserved and not handed out yet",
				(snapshot) -> inMemory(snapshot.block()));
		meters.count("ids.block.fill", "Share of the ids in memory that has not been handed out yet, from 0 to 1", null,
				(snapshot) -> fill(snapshot.block()));
		meters.counter("ids.block.failures", "Attempts to reserve that failed", "attempts",
				(snapshot) -> snapshot.block().failures());
		meters.counter("ids.block.exhaustions", "Callers that found no id in memory and had to wait", "callers",
				(snapshot) -> snapshot.block().exhaustions());
		meters.timer("ids.block.waits", "Time for which callers waited because no id was in memory",
				(snapshot) -> snapshot.block().exhaustions(), (snapshot) -> snapshot.block().waited());
	}

	private static long inMemory(BlockSnapshot block) {
		return block.remaining() + block.ahead();
	}

	/**
	 * Return how full what is in memory is, not a number if nothing is held in memory.
	 * What threads keep to themselves helps no other thread, so it does not count.
	 */
	private static double fill(BlockSnapshot block) {
		double forAll = Math.max(0, inMemory(block) - block.owned());
		return (block.held() > 0) ? Math.min(1, forAll / block.held()) : Double.NaN;
	}

	private void bindKeySpace(Meters meters) {
		meters.gauge("ids.keyspace.capacity", "Keys in the key space",
				(snapshot) -> snapshot.keySpace().capacity().doubleValue());
		meters.gauge("ids.keyspace.reserved", "Keys that all instances have reserved, as far as this one knows",
				(snapshot) -> snapshot.keySpace().reserved().doubleValue());
		meters.gauge("ids.keyspace.remaining", "Keys that are not reserved, as far as this instance knows",
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
		bindSeries(meters, "ids.series.held", "Keys left in series whose owners are alive", SeriesSnapshot::held);
		bindSeries(meters, "ids.series.abandoned", "Keys left in series without an owner", SeriesSnapshot::abandoned);
		bindSeries(meters, "ids.series.untouched", "Keys of series that were never begun", SeriesSnapshot::untouched);
	}

	private static void bindSeries(Meters meters, String name, String description,
			ToLongFunction<SeriesSnapshot> keys) {
		meters.gauge(name, description + ", as far as this instance knows", (snapshot) -> {
			SeriesSnapshot series = snapshot.series();
			return (series != null) ? keys.applyAsLong(series) : Double.NaN;
		});
	}

	private void bindNode(Meters meters) {
		meters.count("ids.node.number", "Number of the node of this instance", null, (snapshot) -> {
			NodeSnapshot node = snapshot.node();
			Long number = (node != null) ? node.number() : null;
			return (number != null) ? number : Double.NaN;
		});
		meters.timeGauge("ids.node.lease", "Time until another instance may take over the node of this one",
				this::leaseLeft);
		meters.timeGauge("ids.clock.skew", "Time by which the clock was ahead of that of the store when last compared",
				(snapshot) -> {
					Duration skew = skew(snapshot);
					return (skew != null) ? skew.toMillis() : Double.NaN;
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
	 * Return the milliseconds until the lease ends, not a number if there is none. It
	 * ends by the clock of the store.
	 */
	private double leaseLeft(GeneratorSnapshot snapshot) {
		NodeSnapshot node = snapshot.node();
		Instant end = (node != null) ? node.leaseUntil() : null;
		Duration skew = skew(snapshot);
		if (end == null || skew == null) {
			return Double.NaN;
		}
		return Math.max(0, Duration.between(this.timeSource.instant().minus(skew), end).toMillis());
	}

	private static @Nullable Duration skew(GeneratorSnapshot snapshot) {
		ClockSnapshot clock = snapshot.clock();
		return (clock != null) ? clock.skew() : null;
	}

	/**
	 * The meters of one generator.
	 */
	private record Meters(MeterRegistry registry, ManagedIdGenerator generator, Tags tags) {

		Meters with(String key, String value) {
			return new Meters(this.registry, this.generator, this.tags.and(key, value));
		}

		void counter(String name, String description, String unit, ToDoubleFunction<GeneratorSnapshot> value) {
			FunctionCounter.builder(name, this.generator, read(value))
				.description(description)
				.baseUnit(unit)
				.tags(this.tags)
				.register(this.registry);
		}

		void timer(String name, String description, ToLongFunction<GeneratorSnapshot> count,
				Function<GeneratorSnapshot, Duration> total) {
			FunctionTimer
				.builder(name, this.generator, (generator) -> count.applyAsLong(generator.snapshot()),
						(generator) -> total.apply(generator.snapshot()).toNanos(), TimeUnit.NANOSECONDS)
				.description(description)
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
		 * Register what is given in milliseconds, in the unit of time of the registry.
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
