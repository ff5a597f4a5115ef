package dev.idspring.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.ClockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
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
 * maintain anyway, so they add no cost to drawing an id. They never query the store.
 * <p>
 * Meters of a whole key space show what this instance knew after its last reservation or
 * refresh. If several instances report different values, the instance with the most
 * reserved keys has the most recent values. An unknown value is {@code NaN}. The duration
 * of reservations has no meter here, because {@link ObservedReservations} observes it.
 *
 * @param generators the generators to measure; later iterations may return more of them
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
		Meters meters = new Meters(registry, this, name, Tags.of("generator", name, "strategy", snapshot.strategy()));
		meters.counter("ids.issued", "Ids that this instance has handed out", "ids");
		// one meter per status, so that operators need not know numeric codes
		Stream.of(GeneratorStatus.values()).forEach(meters::status);
		meters.gauge("ids.block.size", "Ids that the next reservation requests", "ids");
		meters.gauge("ids.block.remaining", "Ids that this instance has reserved and not handed out yet", "ids");
		meters.gauge("ids.block.fill", "Share of the reserved ids that is available to all threads, from 0 to 1", null);
		meters.counter("ids.block.failures", "Reservation attempts that failed", "attempts");
		meters.counter("ids.block.exhaustions", "Callers that found too few ids in memory and had to wait", "callers");
		meters.waits();
		meters.gauge("ids.keyspace.capacity", "Keys in the key space", "ids");
		meters.gauge("ids.keyspace.reserved", "Keys that all instances have reserved, as far as this instance knows",
				"ids");
		meters.gauge("ids.keyspace.remaining", "Keys that are not reserved, as far as this instance knows", "ids");
		meters.timeGauge("ids.keyspace.horizon", "Time until the key space is projected to be used up");
		if (snapshot.series() != null) {
			meters.gauge("ids.series.owned", "Series that this instance owns", "series");
			meters.gauge("ids.series.held", "Keys left in series with a live owner, as far as this instance knows",
					"ids");
			meters.gauge("ids.series.abandoned",
					"Keys left in series without a live owner, as far as this instance knows", "ids");
			meters.gauge("ids.series.untouched",
					"Keys in series that have never been started, as far as this instance knows", "ids");
		}
		if (snapshot.node() != null) {
			meters.gauge("ids.node.number", "Number of the node of this instance", null);
			meters.timeGauge("ids.node.lease", "Time until another instance may take over the node of this instance");
			meters.timeGauge("ids.clock.skew",
					"Time by which the clock was ahead of the store's clock at the last comparison");
			meters.timeGauge("ids.clock.ahead", "Time by which the last id is ahead of the clock");
			meters.counter("ids.clock.jumps", "Jumps of the clock by a second or more", "jumps");
		}
	}

	/**
	 * Return the current value of a meter. The meters share this method, because a lambda
	 * expression for each of them would slow down the start of applications.
	 * @return the value, in milliseconds for a time gauge and in nanoseconds for a timer,
	 * or {@code null} if it is unknown
	 */
	private @Nullable Number value(String meter, GeneratorSnapshot snapshot) {
		BlockSnapshot block = snapshot.block();
		KeySpaceSnapshot keySpace = snapshot.keySpace();
		return switch (meter) {
			case "ids.issued" -> snapshot.issued();
			case "ids.block.size" -> block.size();
			case "ids.block.remaining" -> inMemory(block);
			case "ids.block.fill" -> fill(block);
			case "ids.block.failures" -> block.failures();
			case "ids.block.exhaustions" -> block.exhaustions();
			case "ids.block.waits" -> block.waited().toNanos();
			case "ids.keyspace.capacity" -> keySpace.capacity();
			case "ids.keyspace.reserved" -> keySpace.reserved();
			case "ids.keyspace.remaining" -> keySpace.remaining();
			case "ids.keyspace.horizon" -> millisUntil(keySpace.exhaustedAt(), Duration.ZERO);
			default -> (snapshot.series() != null) ? seriesValue(meter, snapshot.series())
					: nodeValue(meter, snapshot.node(), snapshot.clock());
		};
	}

	private static long inMemory(BlockSnapshot block) {
		return block.remaining() + block.ahead();
	}

	/**
	 * Return the share of the ids in the reserved blocks that is still available to all
	 * threads, or {@code null} if no block is reserved. Ids that one thread has taken in
	 * advance do not count as available, because other threads cannot use them.
	 */
	private static @Nullable Double fill(BlockSnapshot block) {
		double availableToAll = Math.max(0, inMemory(block) - block.owned());
		return (block.held() > 0) ? Math.min(1, availableToAll / block.held()) : null;
	}

	private static Number seriesValue(String meter, SeriesSnapshot series) {
		return switch (meter) {
			case "ids.series.owned" -> series.series().stream().filter(SeriesSnapshot.Series::own).count();
			case "ids.series.held" -> series.held();
			case "ids.series.abandoned" -> series.abandoned();
			case "ids.series.untouched" -> series.untouched();
			default -> throw new IllegalArgumentException(meter);
		};
	}

	private @Nullable Number nodeValue(String meter, @Nullable NodeSnapshot node, @Nullable ClockSnapshot clock) {
		if (node == null || clock == null) {
			return null;
		}
		Duration skew = clock.skew();
		return switch (meter) {
			case "ids.node.number" -> node.number();
			// the lease expires by the store's clock
			case "ids.node.lease" -> (skew != null) ? millisUntil(node.leaseUntil(), skew) : null;
			case "ids.clock.skew" -> (skew != null) ? skew.toMillis() : null;
			case "ids.clock.ahead" -> clock.ahead().toMillis();
			case "ids.clock.jumps" -> clock.jumps();
			default -> throw new IllegalArgumentException(meter);
		};
	}

	private @Nullable Long millisUntil(@Nullable Instant end, Duration skew) {
		return (end != null) ? Math.max(0, Duration.between(this.timeSource.instant().minus(skew), end).toMillis())
				: null;
	}

	/**
	 * Registers the meters of one generator.
	 */
	private record Meters(MeterRegistry registry, IdGeneratorMetrics source, String generator, Tags tags) {

		void counter(String name, String description, String unit) {
			FunctionCounter.builder(name, this.source.generators, read(name))
				.description(description)
				.baseUnit(unit)
				.tags(this.tags)
				.register(this.registry);
		}

		void gauge(String name, String description, @Nullable String unit) {
			Gauge.builder(name, this.source.generators, read(name))
				.description(description)
				.baseUnit(unit)
				.tags(this.tags)
				.register(this.registry);
		}

		/**
		 * Register a gauge for a value in milliseconds. The registry converts it to its
		 * own time unit.
		 */
		void timeGauge(String name, String description) {
			TimeGauge.builder(name, this.source.generators, TimeUnit.MILLISECONDS, read(name))
				.description(description)
				.tags(this.tags)
				.register(this.registry);
		}

		void status(GeneratorStatus status) {
			Gauge
				.builder("ids.status", this.source.generators,
						read((snapshot) -> (snapshot.status() == status) ? 1 : 0))
				.description("1 for the current status of the generator, 0 for all others")
				.tags(this.tags.and("status", status.name().toLowerCase(Locale.ROOT)))
				.register(this.registry);
		}

		void waits() {
			ToDoubleFunction<Iterable<?>> count = read("ids.block.exhaustions");
			FunctionTimer
				.builder("ids.block.waits", this.source.generators,
						(generators) -> (long) count.applyAsDouble(generators), read("ids.block.waits"),
						TimeUnit.NANOSECONDS)
				.description("Time for which callers waited because too few ids were in memory")
				.tags(this.tags)
				.register(this.registry);
		}

		private ToDoubleFunction<Iterable<?>> read(String meter) {
			return read((snapshot) -> {
				Number value = this.source.value(meter, snapshot);
				return (value != null) ? value.doubleValue() : Double.NaN;
			});
		}

		private ToDoubleFunction<Iterable<?>> read(ToDoubleFunction<GeneratorSnapshot> value) {
			return (generators) -> {
				for (Object generator : generators) {
					if (generator instanceof ManagedIdGenerator managed && managed.name().equals(this.generator)) {
						return value.applyAsDouble(managed.snapshot());
					}
				}
				return Double.NaN;
			};
		}

	}

}
