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
 * One generator.
 *
 * @param strategy the name of the strategy
 * @param status the state of the generator: {@code UNUSED}, or the name of a
 * {@link dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus GeneratorStatus}
 * @param definition the settings that determine the order of the keys. This and all
 * following components are {@code null} if the status is {@code UNUSED}
 * @param keySpace the key space, shared by all instances
 * @param block the blocks of this instance
 * @param series the series that have been started and are not used up ({@code recycled})
 * @param seriesTotals the keys left in each kind of series ({@code recycled})
 * @param node the node of this instance (time strategies)
 * @param clock the clock behind the times in ids (time strategies)
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

	/** The status of a generator that is not open because it has not been used yet. */
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
	 * @param usedPercent the share that is reserved, in percent
	 * @param idsPerSecond the rate at which keys are reserved, or {@code null} if it is
	 * too early to measure it
	 * @param exhaustedAt when no key will be left, or {@code null} if that is unknown;
	 * with time strategies, the instant after the last one that fits into an id
	 * @param remainingOfNode the number of ids that the node of this instance can still
	 * make at the maximum speed of the layout (time strategies)
	 * @param expectedOfNode the number it will make at the rate measured so far (time
	 * strategies)
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
	 * The blocks of this instance.
	 *
	 * @param size the number of ids that the next reservation requests
	 * @param remaining the number of unused ids in the current block
	 * @param ahead the number of ids reserved beyond it
	 * @param reservations the number of successful reservations
	 * @param exhaustions the number of callers that found no id in memory and had to wait
	 * @param failures the number of failed attempts to reserve
	 * @param lastReservedAt when the last reservation succeeded, or {@code null}
	 * @param lastReservationMillis the duration of that reservation, or {@code null}
	 * @param lastError the error of the last reservation, or {@code null} if it succeeded
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
	 * One series.
	 *
	 * @param number the number of the series, from 0
	 * @param next the next key to reserve
	 * @param end the last key
	 * @param own whether it belongs to this instance
	 * @param abandoned whether another instance may take it over: its owner has released
	 * it, or the owner's lease has expired
	 * @param leaseAgeMillis the time since the owner renewed its lease or released the
	 * series
	 */
	public record Series(long number, String next, String end, boolean own, boolean abandoned, long leaseAgeMillis) {

		private static Series of(SeriesSnapshot.Series series) {
			return new Series(series.number(), Long.toString(series.next()), Long.toString(series.end()), series.own(),
					!series.owned(), series.leaseAge().toMillis());
		}

	}

	/**
	 * The remaining keys of a key space of series.
	 *
	 * @param held the number of keys left to reserve in series whose owners are alive
	 * @param abandoned the number left in series that may be taken over
	 * @param untouched the number in series that were never started
	 */
	public record SeriesTotals(long held, long abandoned, long untouched) {

	}

	/**
	 * The node of this instance.
	 *
	 * @param number the number of the node, or {@code null} if there is currently none
	 * @param source the source of the number
	 * @param owner the id under which this instance owns the node, or {@code null} if no
	 * store has a record of it
	 * @param windowStart the first instant this instance has used or may use under this
	 * number
	 * @param windowEnd the exclusive end of the reserved times, or {@code null} if there
	 * is no store
	 * @param leaseMillis how long this instance owns the node without renewal, or
	 * {@code null} if there is no store
	 * @param leaseUntil when another instance may take the node over, or {@code null} if
	 * there is no store
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
	 * The clock behind the times in ids.
	 *
	 * @param trusted whether ids are made by this clock: it agrees with the clock of the
	 * store and has not jumped since
	 * @param aheadMillis the distance of the last id ahead of the wall clock, 0 if it is
	 * behind
	 * @param skewMillis the distance of the wall clock ahead of the store's clock at the
	 * last comparison, or {@code null} if there is no store
	 * @param jumps the number of detected jumps of the wall clock by a second or more
	 * @param waits the number of callers that had to wait
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record Clock(boolean trusted, long aheadMillis, @Nullable Long skewMillis, long jumps, long waits) {

		private static Clock of(ClockSnapshot snapshot) {
			return new Clock(snapshot.trusted(), snapshot.ahead().toMillis(),
					ifKnown(snapshot.skew(), Duration::toMillis), snapshot.jumps(), snapshot.waits());
		}

	}

}
