package dev.idspring.store;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits how fast a counter advances. After a fail-over, the new server may lack the last
 * reservations of the old one. The new server uses this limit to compute how many
 * ordinals (values of the counter) it must skip, see {@code docs/failover.md}.
 * <p>
 * The limit is a token bucket, whose state is stored with the counter. All times are
 * microseconds since 1970 by the clock of the database server. The lag is the longest
 * expected replication lag.
 * <p>
 * The state defines a line: {@code line(t) = position + rate * (t - time)}. A reservation
 * of {@code n} ordinals advances the position by {@code n} and the time by
 * {@code n / rate}. A reservation may set the time to at most {@link #burst} ahead of the
 * clock. Reserved ordinals are therefore always below {@code line(clock + burst)}.
 * <p>
 * A server that takes over the counter from another server advances the position along
 * the line to {@code clock + burst + lag}. It then reserves nothing for one lag.
 * <p>
 * No server issues an ordinal that another server has issued, if two assumptions hold.
 * First, each server that takes over has replicated its predecessor, except for changes
 * that are at most one lag old. Second, the clocks of the two servers differ by at most
 * one lag. A comment in the source of this class gives the reasons.
 *
 * @param position the first ordinal that is not reserved
 * @param time the time at which the line reaches {@code position}
 * @param rate how many ordinals per second may be reserved before {@code raiseAt}
 * @param raised how many ordinals per second may be reserved from {@code raiseAt} on
 * @param raiseAt when the raised rate takes effect, or {@link #NOT_STARTED}
 * @param holdUntil the time until which idle time does not lower the line, see
 * {@link #HOLD}
 * @since 0.1.0
 */
public record FenceLine(long position, long time, long rate, long raised, long raiseAt, long holdUntil) {

	// Why no server issues an ordinal that another server has issued.
	//
	// The later of two servers is the one that takes over later. A server knows the
	// changes that are in its copy of the counter. A hold is the period HOLD after a
	// take-over. A raise of the rate is pending from the transaction that stores it until
	// it takes effect.
	//
	// Two servers never issue the same ordinal under these conditions, even if neither
	// has replicated the other:
	// (a) The last reservation that the later server knows is at most one lag later than
	// the last one that the earlier server knows.
	// (b) Both servers know the same raises, and the same reservations at the old rate
	// while a raise was pending.
	// (c) The earlier server knows each lowering of the rate that the later one knows.
	// (d) Either both servers know the first reservation after a hold, or neither does.
	//
	// The reasons:
	// 1. No operation except followClock() raises the line, if the line is computed at
	// the raised rate:
	// - Reservations and take-overs follow the line.
	// - Four operations lower it: discarding idle time in start(), giving back ordinals,
	// reserving at the old rate while a raise is pending, and lowering the rate.
	// - followClock() raises it, but only if the server's clock is more than one lag
	// behind the clock that determined the times of the line.
	// 2. After the last reservation that the later server knows, the earlier server
	// issues only ordinals below its own line at clock + burst. The later server begins
	// on its own line at clock + burst + lag, with a later reading of the clock.
	// 3. If the later server knows fewer reservations, its line is the older one. By 1,
	// the older line is not lower. If the later server knows more reservations, its line
	// is lower by at most the idle time between the last reservations that the two
	// servers know. By (a), this time is at most one lag.
	// 4. During a hold, idle time does not lower the line. If the primary is replaced
	// during the hold by a server that never replicated it, both servers are on the same
	// line.
	// 5. One transaction stores a raise, and a later one starts it. The later transaction
	// sees only a committed raise. The raised rate takes effect one lag after the start,
	// however long the second commit takes. A server that takes over uses a stored raise
	// at once.
	// 6. A lower rate takes effect at once. A server that does not know the lower rate
	// takes over at the higher rate.
	// 7. No rate is changed during a hold.

	/** The number of microseconds per second. */
	public static final long SECOND = 1_000_000;

	/**
	 * The {@code raiseAt} of a raise that is stored but not started. This time is in the
	 * year 2255, because the Lua numbers of Redis scripts are exact only up to about this
	 * value.
	 */
	public static final long NOT_STARTED = 9_000_000_000_000_000L;

	/**
	 * How long the line is held after a take-over, in microseconds. While the line is
	 * held, idle time does not lower it.
	 */
	public static final long HOLD = Duration.ofHours(1).toSeconds() * SECOND;

	/**
	 * The factor by which {@link #raise} multiplies the rate, unless a limit results in a
	 * lower rate. The old rate may have slowed callers down, so they may need far more
	 * than was measured.
	 */
	public static final long RAISE_FACTOR = 10;

	/** The size of the token bucket, as a multiple of the lag. */
	private static final long BURST_LAGS = 10;

	/**
	 * How long a raised rate must have been higher than needed before it is lowered, as a
	 * multiple of the lag. {@link #raise} relies on this duration.
	 */
	private static final long SETTLED_LAGS = 12;

	/** A take-over skips at most the remaining ordinals divided by this number. */
	public static final long SKIP_DIVISOR = 64;

	/**
	 * The maximum rate: more than any database can serve, and low enough that the
	 * ordinals of a full bucket fit into a {@code long}.
	 */
	private static final long HIGHEST_RATE = 1_000_000_000_000L;

	/**
	 * Return the line of a counter that had no line before.
	 * @param position the position of the counter
	 * @param margin the ordinals in a full bucket at the initial rate
	 * @param lag the lag in microseconds, at least 1
	 * @param now the clock of the server
	 * @return the line
	 */
	public static FenceLine first(long position, long margin, long lag, long now) {
		long rate = initialRate(margin, lag);
		return new FenceLine(position, now, rate, rate, 0, 0);
	}

	/**
	 * Return the initial rate of a counter.
	 * @param margin the ordinals in a full bucket at the initial rate
	 * @param lag the lag in microseconds, at least 1
	 * @return the rate in ordinals per second, at least 1
	 */
	public static long initialRate(long margin, long lag) {
		return Math.max(1, perSecond(margin, burst(lag)));
	}

	/**
	 * Return how far a reservation may set the time of the line ahead of the clock.
	 * @param lag the lag in microseconds
	 * @return the duration in microseconds
	 */
	public static long burst(long lag) {
		return BURST_LAGS * lag;
	}

	/**
	 * Return how long a raised rate must have been higher than needed before it is
	 * lowered.
	 * @param lag the lag in microseconds
	 * @return the duration in microseconds
	 */
	public static long settled(long lag) {
		return SETTLED_LAGS * lag;
	}

	/**
	 * Return the current rate.
	 * @param now the clock of the server
	 * @return the rate in ordinals per second
	 */
	public long rateAt(long now) {
		return (now >= this.raiseAt) ? this.raised : this.rate;
	}

	/**
	 * Return the time to which the cost of the next reservation is added. Idle time in
	 * the past is discarded, except while the line is held.
	 */
	private long start(long now) {
		return (now > this.holdUntil) ? Math.max(this.time, now) : this.time;
	}

	/**
	 * Return how many ordinals may be reserved now.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @return zero or more
	 */
	public long affordable(long now, long lag) {
		return ordinalsIn(Math.max(0, now + burst(lag) - start(now)), rateAt(now)).longValueExact();
	}

	/**
	 * Return how long to wait until a number of ordinals may be reserved.
	 * @param count how many ordinals
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @return the wait in microseconds, zero if they may be reserved now
	 */
	public long wait(long count, long now, long lag) {
		return Math.max(0, start(now) + cost(count, rateAt(now)) - now - burst(lag));
	}

	/**
	 * Reserve ordinals. The caller has verified that they are {@link #affordable}.
	 * @param count how many ordinals
	 * @param now the clock of the server
	 * @return the line after the operation
	 */
	public FenceLine reserve(long count, long now) {
		return new FenceLine(this.position + count, start(now) + cost(count, rateAt(now)), this.rate, this.raised,
				this.raiseAt, this.holdUntil);
	}

	/**
	 * Give back the last ordinals. The refunded time is computed at the raised rate, even
	 * if the ordinals were reserved at a lower rate. Otherwise, this line would be above
	 * the line of a server that knows the reservation but not the give-back.
	 * @param count how many ordinals
	 * @return the line after the operation
	 */
	public FenceLine giveBack(long count) {
		long refund = BigInteger.valueOf(count)
			.multiply(BigInteger.valueOf(SECOND))
			.divide(BigInteger.valueOf(this.raised))
			.longValueExact();
		return new FenceLine(this.position - count, this.time - refund, this.rate, this.raised, this.raiseAt,
				this.holdUntil);
	}

	/**
	 * Return whether the rate should be raised: more than a quarter of the burst is in
	 * use, the line is not held, and the last raise has taken effect.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @return {@code true} if a raise is due
	 */
	public boolean isRaiseDue(long now, long lag) {
		return this.time - now > burst(lag) / 4 && mayChangeRate(now);
	}

	/**
	 * Return whether the line is not held, and the last raise has taken effect.
	 */
	private boolean mayChangeRate(long now) {
		return now > this.holdUntil && now >= this.raiseAt;
	}

	/**
	 * Raise the rate to {@link #RAISE_FACTOR} times the rate at which ordinals were
	 * reserved. The raise takes effect after it has been {@linkplain #startRaise
	 * started}. The new rate is limited, because a take-over skips only a
	 * {@linkplain #SKIP_DIVISOR share} of the ordinals that are left. With this limit,
	 * the share is enough even if nothing was reserved for as long as {@link #settled}.
	 * @param used how many ordinals per second were reserved recently; if the current
	 * rate is higher, the current rate is used instead
	 * @param lag the lag in microseconds
	 * @param left how many ordinals are left
	 * @return the line after the operation, unchanged if the rate is already that high
	 */
	public FenceLine raise(long used, long lag, long left) {
		long wantedRate = RAISE_FACTOR * Math.min(Math.max(used, this.raised), HIGHEST_RATE / RAISE_FACTOR);
		long rate = Math.min(wantedRate, perSecond(maxSkipped(left), burst(lag) + lag + settled(lag)));
		return (rate > this.raised) ? raiseTo(rate) : this;
	}

	private FenceLine raiseTo(long rate) {
		return new FenceLine(this.position, this.time, this.raised, rate, NOT_STARTED, this.holdUntil);
	}

	/**
	 * Return whether a raise was stored but not started.
	 * @return {@code true} if {@link #startRaise} is due
	 */
	public boolean isRaiseStored() {
		return this.raiseAt == NOT_STARTED;
	}

	/**
	 * Start a raise that is already stored. It takes effect one lag from now.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @return the line after the operation
	 */
	public FenceLine startRaise(long now, long lag) {
		return new FenceLine(this.position, this.time, this.rate, this.raised, now + lag, this.holdUntil);
	}

	/**
	 * Raise the rate if the configured margin requires a higher rate.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @param margin the ordinals in a full bucket at the initial rate
	 * @return the line after the operation, unchanged if the rate is high enough or may
	 * not be changed now
	 */
	public FenceLine raiseToMargin(long now, long lag, long margin) {
		long initialRate = initialRate(margin, lag);
		return (this.raised < initialRate && mayChangeRate(now)) ? raiseTo(initialRate) : this;
	}

	/**
	 * Lower a raised rate to the initial one. This takes effect at once.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @param margin the ordinals in a full bucket at the initial rate
	 * @return the line after the operation, unchanged if the rate is not higher than the
	 * initial one, or may not be changed now
	 */
	public FenceLine lower(long now, long lag, long margin) {
		long initial = initialRate(margin, lag);
		return (this.raised > initial && mayChangeRate(now))
				? new FenceLine(this.position, this.time, initial, initial, 0, this.holdUntil) : this;
	}

	/**
	 * Return how many ordinals an instance may reserve before it checks again whether a
	 * raise is due.
	 * @param margin the ordinals in a full bucket at the initial rate
	 * @param lag the lag in microseconds
	 * @param rate the last known rate
	 * @return the number of ordinals
	 */
	public static long refreshAfter(long margin, long lag, long rate) {
		return Math.max(margin, rate * (burst(lag) / 1_000) / 1_000) / 8;
	}

	/**
	 * Move the times of the line back if they are too far ahead of the server's clock.
	 * Either the clock was set back, or it is behind the clock of the previous server.
	 * Without this correction, no ordinals could be reserved before the clock catches up.
	 * A raise that would take effect more than one lag from now must be started again.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @return the line after the operation, or empty if it does not change
	 */
	public Optional<FenceLine> followClock(long now, long lag) {
		long latestTime = now + burst(lag);
		long latestRaise = now + lag;
		long latestHold = now + HOLD;
		long ahead = Math.max(isRaiseStored() ? 0 : this.raiseAt - latestRaise,
				Math.max(this.time - latestTime, this.holdUntil - latestHold));
		return (ahead > 2 * lag) ? Optional
			.of(new FenceLine(this.position, Math.min(this.time, latestTime), this.rate, this.raised,
					(this.raiseAt > latestRaise) ? NOT_STARTED : this.raiseAt, Math.min(this.holdUntil, latestHold)))
				: Optional.empty();
	}

	/**
	 * Return how long to wait until a useful number of ordinals may be reserved. The
	 * useful number is the requested number, or the number that the rate allows in a
	 * tenth of a second, whichever is smaller. With a shorter wait, callers would reserve
	 * ordinals one by one.
	 * @param count how many ordinals are requested
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @return the wait in microseconds, zero if ordinals may be reserved now
	 */
	public long waitForUsefulCount(long count, long now, long lag) {
		return wait(Math.min(count, Math.max(1, rateAt(now) / 10)), now, lag);
	}

	/**
	 * Return whether at most one lag has passed since a take-over.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @return {@code true} if ordinals must not be reserved yet
	 */
	public boolean isWaitingAfterTakeOver(long now, long lag) {
		return this.holdUntil - HOLD + lag >= now;
	}

	/**
	 * Take over the counter from another server, and advance the position along the line.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @param left how many ordinals are left; at most this number divided by
	 * {@link #SKIP_DIVISOR} is skipped
	 * @return the line after the operation
	 */
	public FenceLine takeOver(long now, long lag, long left) {
		long newTime = Math.max(this.time, now + burst(lag) + lag);
		long distance = isCapped(now, lag, left) ? maxSkipped(left)
				: ordinalsIn(newTime - this.time, this.raised).longValueExact() + 1;
		return new FenceLine(this.position + Math.min(distance, Long.MAX_VALUE - this.position),
				Math.max(newTime, this.time + cost(distance, this.raised)), this.raised, this.raised, 0,
				heldUntil(now));
	}

	/**
	 * Hold the line as after a take-over, without advancing the position.
	 * @param now the clock of the server
	 * @return the line after the operation
	 */
	public FenceLine hold(long now) {
		return new FenceLine(this.position, this.time, this.rate, this.raised, this.raiseAt, heldUntil(now));
	}

	/**
	 * Return the end of the hold that a take-over at the given time begins. The end is
	 * always later than that of the previous hold, even if the clocks of the servers
	 * differ.
	 */
	private long heldUntil(long now) {
		return Math.max(this.holdUntil + 1, now + HOLD);
	}

	/**
	 * Return whether a take-over without a limit would skip more than the
	 * {@linkplain #SKIP_DIVISOR maximum} number of ordinals.
	 * @param now the clock of the server
	 * @param lag the lag in microseconds
	 * @param left how many ordinals are left
	 * @return {@code true} if the number of skipped ordinals is limited
	 */
	public boolean isCapped(long now, long lag, long left) {
		return ordinalsIn(now + burst(lag) + lag - this.time, this.raised)
			.compareTo(BigInteger.valueOf(maxSkipped(left))) >= 0;
	}

	private static long maxSkipped(long left) {
		return Math.max(1, left / SKIP_DIVISOR);
	}

	/**
	 * Return the time that a number of ordinals costs, in microseconds. The result is
	 * rounded up, so that a reservation never raises the line.
	 */
	private static long cost(long count, long rate) {
		return BigInteger.valueOf(count)
			.multiply(BigInteger.valueOf(SECOND))
			.add(BigInteger.valueOf(rate - 1))
			.divide(BigInteger.valueOf(rate))
			.longValueExact();
	}

	private static BigInteger ordinalsIn(long micros, long rate) {
		return BigInteger.valueOf(micros).multiply(BigInteger.valueOf(rate)).divide(BigInteger.valueOf(SECOND));
	}

	/**
	 * Compute a rate, limited to the maximum rate.
	 * @param count how many ordinals
	 * @param micros the time in microseconds, at least 1
	 * @return the rate in ordinals per second
	 */
	public static long perSecond(long count, long micros) {
		return BigInteger.valueOf(count)
			.multiply(BigInteger.valueOf(SECOND))
			.divide(BigInteger.valueOf(micros))
			.min(BigInteger.valueOf(HIGHEST_RATE))
			.longValueExact();
	}

}
