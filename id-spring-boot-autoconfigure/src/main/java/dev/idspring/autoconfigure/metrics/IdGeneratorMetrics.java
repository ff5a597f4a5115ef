package dev.idspring.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.ClockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.SeriesSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
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
 * Binds the meters of generators. The meters only read values that the generators
 * maintain in any case. They add no cost to drawing an id, and never query the store.
 * <p>
 * Meters of a whole key space show what this instance knew after its last reservation or
 * refresh. If several instances report different values, the instance with the most
 * reserved keys has the most recent values. An unknown value is {@code NaN}. The duration
 * of reservations has no meter here, because {@link ObservedReservations} observes it.
 *
 * @param generators the generators to measure, to which others may be added later;
 * registries hold only a weak reference to this iterable
 * @param timeSource the clock for computing the remaining time of key spaces and leases
 * @param registries the registries to which the meters are bound
 */
record IdGeneratorMetrics(Iterable<?> generators, TimeSource timeSource,
		Set<MeterRegistry> registries) implements MeterBinder {

	IdGeneratorMetrics(Iterable<?> generators, TimeSource timeSource) {
		this(generators, timeSource, new CopyOnWriteArraySet<>());
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.registries.add(registry);
		for (Object generator : this.generators) {
			if (generator instanceof ManagedIdGenerator managed) {
				bindTo(registry, managed.name(), managed.snapshot());
			}
		}
	}

	/**
	 * Add the meters of a generator that is opened after {@link #bindTo} was called.
	 * Their values are {@code NaN} until {@link #generators} contains the generator.
	 * @param snapshot determines which meters the generator has
	 */
	void add(String name, GeneratorSnapshot snapshot) {
		this.registries.forEach((registry) -> bindTo(registry, name, snapshot));
	}

	private void bindTo(MeterRegistry registry, String name, GeneratorSnapshot snapshot) {
		Meters meters = new Meters(registry, this.generators, name,
				Tags.of("generator", name, "strategy", snapshot.strategy()));
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

	/**
	 * Bind one meter per status, so that operators need not know numeric codes.
	 */
	private static void bindStatus(Meters meters) {
		for (GeneratorStatus status : GeneratorStatus.values()) {
			Tags tags = meters.tags.and("status", status.name().toLowerCase(Locale.ROOT));
			new Meters(meters.registry, meters.generators, meters.name, tags).gauge("ids.status",
					"1 for the current status of the generator, 0 for all others", null,
					(snapshot) -> (snapshot.status() == status) ? 1 : 0);
		}
	}

	private static void bindBlock(Meters meters) {
		meters.gauge("ids.block.size", "Ids that the next reservation requests", "ids",
				(snapshot) -> snapshot.block().size());
		meters.gauge("ids.block.remaining", "Ids that this instance has reserved and not handed out yet", "ids",
				(snapshot) -> inMemory(snapshot.block()));
		meters.gauge("ids.block.fill", "Share of the reserved ids that is available to all threads, from 0 to 1", null,
				(snapshot) -> fill(snapshot.block()));
		meters.counter("ids.block.failures", "Reservation attempts that failed", "attempts",
				(snapshot) -> snapshot.block().failures());
		meters.counter("ids.block.exhaustions", "Callers that found no id in memory and had to wait", "callers",
				(snapshot) -> snapshot.block().exhaustions());
		FunctionTimer
			.builder("ids.block.waits", meters.generators,
					(generators) -> (long) meters.read((snapshot) -> snapshot.block().exhaustions())
						.applyAsDouble(generators),
					meters.read((snapshot) -> snapshot.block().waited().toNanos()), TimeUnit.NANOSECONDS)
			.description("Time for which callers waited because no id was in memory")
			.tags(meters.tags)
			.register(meters.registry);
	}

	private static long inMemory(BlockSnapshot block) {
		return block.remaining() + block.ahead();
	}

	/**
	 * Return the share of the ids in the reserved blocks that is still available to all
	 * threads, or {@code NaN} if no block is reserved. Ids that one thread has taken in
	 * advance do not count as available, because other threads cannot use them.
	 */
	private static double fill(BlockSnapshot block) {
		double availableToAll = Math.max(0, inMemory(block) - block.owned());
		return (block.held() > 0) ? Math.min(1, availableToAll / block.held()) : Double.NaN;
	}

	private void bindKeySpace(Meters meters) {
		meters.gauge("ids.keyspace.capacity", "Keys in the key space", "ids",
				(snapshot) -> snapshot.keySpace().capacity().doubleValue());
		meters.gauge("ids.keyspace.reserved", "Keys that all instances have reserved, as far as this instance knows",
				"ids", (snapshot) -> snapshot.keySpace().reserved().doubleValue());
		meters.gauge("ids.keyspace.remaining", "Keys that are not reserved, as far as this instance knows", "ids",
				(snapshot) -> snapshot.keySpace().remaining().doubleValue());
		meters.timeGauge("ids.keyspace.horizon", "Time until the key space is projected to be used up",
				(snapshot) -> value(snapshot.keySpace().exhaustedAt(), (end) -> millisUntil(end, Duration.ZERO)));
	}

	private static void bindSeries(Meters meters) {
		bindSeries(meters, "ids.series.owned", "Series that this instance owns", "series",
				(series) -> series.series().stream().filter(SeriesSnapshot.Series::own).count());
		bindSeries(meters, "ids.series.held",
				"Keys left in series whose owners are alive, as far as this instance knows", "ids",
				SeriesSnapshot::held);
		bindSeries(meters, "ids.series.abandoned",
				"Keys left in series without a live owner, as far as this instance knows", "ids",
				SeriesSnapshot::abandoned);
		bindSeries(meters, "ids.series.untouched",
				"Keys in series that have never been started, as far as this instance knows", "ids",
				SeriesSnapshot::untouched);
	}

	private static void bindSeries(Meters meters, String name, String description, String unit,
			Function<SeriesSnapshot, Long> value) {
		meters.gauge(name, description, unit, (snapshot) -> value(snapshot.series(), value));
	}

	private void bindNode(Meters meters) {
		meters.gauge("ids.node.number", "Number of the node of this instance", null,
				(snapshot) -> value(snapshot.node(), NodeSnapshot::number));
		meters.timeGauge("ids.node.lease", "Time until another instance may take over the node of this instance",
				(snapshot) -> value(snapshot.clock(), (clock) -> leaseLeft(snapshot.node(), clock)));
		meters.timeGauge("ids.clock.skew",
				"Time by which the clock was ahead of the store's clock at the last comparison",
				(snapshot) -> value(snapshot.clock(), (clock) -> value(clock.skew(), Duration::toMillis)));
		meters.timeGauge("ids.clock.ahead", "Time by which the last id is ahead of the clock",
				(snapshot) -> value(snapshot.clock(), (clock) -> clock.ahead().toMillis()));
		meters.counter("ids.clock.jumps", "Jumps of the clock by a second or more", "jumps",
				(snapshot) -> value(snapshot.clock(), ClockSnapshot::jumps));
	}

	/**
	 * Return the number of milliseconds until the lease expires, according to the clock
	 * of the store, or {@code null} if this number is not known.
	 */
	private @Nullable Long leaseLeft(@Nullable NodeSnapshot node, ClockSnapshot clock) {
		Instant end = (node != null) ? node.leaseUntil() : null;
		Duration skew = clock.skew();
		return (end != null && skew != null) ? millisUntil(end, skew) : null;
	}

	private Long millisUntil(Instant end, Duration skew) {
		return Math.max(0, Duration.between(this.timeSource.instant().minus(skew), end).toMillis());
	}

	private static <T> double value(@Nullable T source, Function<T, ? extends @Nullable Number> property) {
		Number value = (source != null) ? property.apply(source) : null;
		return (value != null) ? value.doubleValue() : Double.NaN;
	}

	/**
	 * Registers the meters of one generator.
	 */
	private record Meters(MeterRegistry registry, Iterable<?> generators, String name, Tags tags) {

		void counter(String name, String description, String unit, ToDoubleFunction<GeneratorSnapshot> value) {
			FunctionCounter.builder(name, this.generators, read(value))
				.description(description)
				.baseUnit(unit)
				.tags(this.tags)
				.register(this.registry);
		}

		void gauge(String name, String description, @Nullable String unit, ToDoubleFunction<GeneratorSnapshot> value) {
			Gauge.builder(name, this.generators, read(value))
				.description(description)
				.baseUnit(unit)
				.tags(this.tags)
				.register(this.registry);
		}

		/**
		 * Register a gauge for a value in milliseconds. The registry converts it to its
		 * own time unit.
		 */
		void timeGauge(String name, String description, ToDoubleFunction<GeneratorSnapshot> value) {
			TimeGauge.builder(name, this.generators, TimeUnit.MILLISECONDS, read(value))
				.description(description)
				.tags(this.tags)
				.register(this.registry);
		}

		private ToDoubleFunction<Iterable<?>> read(ToDoubleFunction<GeneratorSnapshot> value) {
			return (generators) -> {
				for (Object generator : generators) {
					if (generator instanceof ManagedIdGenerator managed && managed.name().equals(this.name)) {
						return value.applyAsDouble(managed.snapshot());
					}
				}
				return Double.NaN;
			};
		}

	}

}
