package dev.idspring.autoconfigure.actuate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.ClockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot.TimeLeft;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.SeriesSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The state of one generator, as the {@code ids} endpoint shows it. All components after
 * {@code status} are {@code null} if the status is {@code UNUSED}.
 *
 * @param strategy the name of the strategy
 * @param status the status of the generator: {@code UNUSED}, or the name of a
 * {@link dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus GeneratorStatus}
 * @param definition the settings that determine the ids and must not change
 * @param keySpace the key space, which all instances share
 * @param block the blocks of ids that this instance has reserved
 * @param series the series that have been started and are not used up; only for
 * {@code recycled}
 * @param seriesTotals the number of keys left in the series, by the state of the series;
 * only for {@code recycled}
 * @param node the node of this instance; only for time-based strategies
 * @param clock the clock that supplies the times in ids; only for time-based strategies
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record GeneratorDescriptor(String strategy, String status,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String definition,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KeySpace keySpace,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Block block,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Series> series,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SeriesTotals seriesTotals,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Node node,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Clock clock) implements OperationResponseBody {

	/** The status of a generator that opens on first use and has not been used yet. */
	static final String UNUSED = "UNUSED";

	static GeneratorDescriptor unused(String strategy) {
		return new GeneratorDescriptor(strategy, UNUSED, null, null, null, null, null, null, null);
	}

	static GeneratorDescriptor of(GeneratorSnapshot snapshot) {
		return new GeneratorDescriptor(snapshot.strategy(), snapshot.status().name(), snapshot.definition(),
				KeySpace.of(snapshot.keySpace()), Block.of(snapshot.block()),
				ifKnown(snapshot.series(), (all) -> all.series().stream().map(Series::of).toList()),
				ifKnown(snapshot.series(), (all) -> new SeriesTotals(all.held(), all.abandoned(), all.untouched())),
				ifKnown(snapshot.node(), Node::of), ifKnown(snapshot.clock(), Clock::of));
	}

	private static <S, T> @Nullable T ifKnown(@Nullable S source, Function<S, @Nullable T> property) {
		return (source != null) ? property.apply(source) : null;
	}

	/**
	 * The key space of a generator.
	 *
	 * @param name the name of the key space in its store
	 * @param capacity the number of keys
	 * @param reserved the number of reserved keys
	 * @param remaining the number of keys that are not reserved
	 * @param usedPercent the percentage of keys that are reserved
	 * @param idsPerSecond the number of keys that are reserved per second (for time-based
	 * strategies, the number of ids that are issued), or {@code null} if not yet measured
	 * @param exhaustedAt when the last key will be reserved at {@code idsPerSecond}, or
	 * {@code null} if that is unknown or is after the year 9999; for time-based
	 * strategies, the last instant that an id can contain
	 * @param remainingOfNode the number of ids that the node of this instance can still
	 * create at the maximum rate of the layout; only for time-based strategies
	 * @param expectedOfNode the number of ids that the node will still create at the rate
	 * measured so far; only for time-based strategies, and only once a rate is measured
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record KeySpace(String name, BigInteger capacity, BigInteger reserved, BigInteger remaining,
			BigDecimal usedPercent, @Nullable Double idsPerSecond, @Nullable Instant exhaustedAt,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigInteger remainingOfNode,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigInteger expectedOfNode) {

		static KeySpace of(KeySpaceSnapshot snapshot) {
			BigDecimal usedPercent = new BigDecimal(snapshot.reserved()).multiply(BigDecimal.valueOf(100))
				.divide(new BigDecimal(snapshot.capacity()), 6, RoundingMode.HALF_UP);
			return new KeySpace(snapshot.name(), snapshot.capacity(), snapshot.reserved(), snapshot.remaining(),
					usedPercent, snapshot.idsPerSecond(), snapshot.exhaustedAt(),
					ifKnown(snapshot.timeLeft(), TimeLeft::remainingOfNode),
					ifKnown(snapshot.timeLeft(), TimeLeft::expectedOfNode));
		}

	}

	/**
	 * The blocks of ids that this instance has reserved.
	 *
	 * @param size the number of ids that the next reservation requests
	 * @param remaining the number of unused ids in the current block
	 * @param ahead the number of ids in the blocks after the current one
	 * @param reservations the number of successful reservations
	 * @param exhaustions how often a caller found too few ids in memory and had to wait
	 * @param failures the number of failed reservation attempts
	 * @param lastReservedAt when the last reservation succeeded, or {@code null} if none
	 * has succeeded yet
	 * @param lastReservationMillis the duration of the last successful reservation in
	 * milliseconds, or {@code null} if none has succeeded yet
	 * @param lastError why the last reservation attempt failed, or {@code null} if it
	 * succeeded. With {@code gapless}, why the store failed in the last draw or, if it
	 * did not, in the last read
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record Block(long size, long remaining, long ahead, long reservations, long exhaustions, long failures,
			@Nullable Instant lastReservedAt, @Nullable Double lastReservationMillis, @Nullable String lastError) {

		static Block of(BlockSnapshot snapshot) {
			return new Block(snapshot.size(), snapshot.remaining(), snapshot.ahead(), snapshot.reservations(),
					snapshot.exhaustions(), snapshot.failures(), snapshot.lastReservedAt(),
					ifKnown(snapshot.lastReservationTook(), (took) -> took.toNanos() / 1_000 / 1_000.0),
					snapshot.lastError());
		}

	}

	/**
	 * A series: a range of keys that at most one instance owns at a time.
	 *
	 * @param number the number of the series, from 0
	 * @param next the next key to reserve
	 * @param end the last key of the series
	 * @param own whether this instance owns the series
	 * @param abandoned whether another instance may take the series over, because the
	 * owner has released the series or the lease has expired
	 * @param leaseAgeMillis the number of milliseconds since the owner renewed the lease
	 * or released the series
	 */
	public record Series(long number, String next, String end, boolean own, boolean abandoned, long leaseAgeMillis) {

		private static Series of(SeriesSnapshot.Series series) {
			return new Series(series.number(), Long.toString(series.next()), Long.toString(series.end()), series.own(),
					!series.owned(), series.leaseAge().toMillis());
		}

	}

	/**
	 * The number of keys left to reserve, by the state of their series.
	 *
	 * @param held the number of keys left in series whose owners hold a valid lease
	 * @param abandoned the number of keys left in series that another instance may take
	 * over
	 * @param untouched the number of keys in series that have never been started
	 */
	public record SeriesTotals(long held, long abandoned, long untouched) {

	}

	/**
	 * The node of this instance, whose number is part of every id that the instance
	 * creates.
	 *
	 * @param number the number of the node, or {@code null} if the instance currently has
	 * none
	 * @param source where the number comes from, as in {@code ids.node.source}
	 * @param owner the id under which this instance owns the node, or {@code null} if no
	 * store records the owner
	 * @param windowStart the earliest time in ids that this instance creates with this
	 * number, or {@code null} if there is no node
	 * @param windowEnd the end, exclusive, of the times that this instance has reserved
	 * for its ids, or {@code null} if there is no node or no store
	 * @param leaseMillis the number of milliseconds for which this instance owns the node
	 * after a renewal, or {@code null} if there is no store
	 * @param leaseUntil the time from which another instance may take the node over, or
	 * {@code null} if there is no node or no store
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record Node(@Nullable Long number, String source, @Nullable String owner, @Nullable Instant windowStart,
			@Nullable Instant windowEnd, @Nullable Long leaseMillis, @Nullable Instant leaseUntil) {

		private static Node of(NodeSnapshot snapshot) {
			return new Node(snapshot.number(), snapshot.source(), snapshot.owner(), snapshot.windowStart(),
					snapshot.windowEnd(), (snapshot.lease() != null) ? snapshot.lease().toMillis() : null,
					snapshot.leaseUntil());
		}

	}

	/**
	 * The clock that supplies the times in ids.
	 *
	 * @param trusted whether new ids use this clock. At the last comparison, this clock
	 * must have differed from the clock of the store by at most
	 * {@code ids.clock.max-skew}. Since then, it must not have jumped by more than
	 * {@code ids.clock.max-skew}. A jump that was undone does not count. Without a store,
	 * only jumps count
	 * @param aheadMillis how many milliseconds the time in the last id is ahead of the
	 * wall clock, or 0 if the time is behind
	 * @param skewMillis how many milliseconds the wall clock was ahead of the clock of
	 * the store at the last comparison; negative if the wall clock was behind,
	 * {@code null} if there is no store
	 * @param jumps the number of detected jumps of the wall clock by a second or more
	 * @param waits how often a caller had to wait for ids
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record Clock(boolean trusted, long aheadMillis, @Nullable Long skewMillis, long jumps, long waits) {

		private static Clock of(ClockSnapshot snapshot) {
			return new Clock(snapshot.trusted(), snapshot.ahead().toMillis(),
					ifKnown(snapshot.skew(), Duration::toMillis), snapshot.jumps(), snapshot.waits());
		}

	}

}
