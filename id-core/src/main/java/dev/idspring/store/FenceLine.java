package dev.idspring.store;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;

/**
 * The line that bounds a counter over time, regardless of which server is the primary. It
 * is a token bucket whose state is in the counter's row. Times are microseconds since
 * 1970 by the clock of the server.
 * <p>
 * A reservation of {@code n} advances the position by {@code n} and the time by
 * {@code n / rate}. The time may be ahead of the clock by {@link #burst} at most, so the
 * position is always below {@code line(clock + burst)}, where
 * {@code line(t) = position + rate * (t - time)}. When another server takes over, it
 * advances the row along that line to {@code clock + burst + lag}, and so reserves
 * nothing for one lag.
 * <p>
 * If each server replicated its predecessor, a standby may lack the last lag and its
 * clock may differ by one lag. No server issues what another one has issued, even one
 * that it never replicated, under three conditions. The last reservation that the later
 * one knows is older than the last that the earlier one knows, or younger by one lag at
 * most. Both know the same raises of the rate and have used them. Both know that a hold
 * is over, or neither does. The reasons:
 * <ol>
 * <li>At the raised rate, nothing raises the line. A reservation and a take-over follow
 * it. Idle time lowers it, and so do ordinals given back and the use of a rate that is
 * about to be raised.</li>
 * <li>What a server issues after the later one's last reservation lies below the line of
 * its own row at {@code clock + burst}. The later server begins on its own line, at a
 * later clock reading, one lag higher.</li>
 * <li>If the later one knows less, its line is the older one and not lower. If it knows
 * more, its line is lower by at most the idle time in between, which is no more than a
 * lag.</li>
 * <li>After a take-over the line is held for {@link #HOLD}: idle time does not lower it.
 * So a server that never replicated the primary, but replaces it in that time, is on the
 * same line.</li>
 * <li>A raised rate takes effect one lag after it was stored, and is not stored while the
 * line is held. A server that takes over uses it at once.</li>
 * </ol>
 *
 * @param position the first ordinal that is not reserved
 * @param time the time up to which reservations have used the rate
 * @param rate how many ordinals a second may be reserved before {@code raiseAt}
 * @param raised how many from then on
 * @param raiseAt when the raised rate takes effect
 * @param holdUntil when the hold of the line ends
 * @since 0.1.0
 */
public record FenceLine(long position, long time, long rate, long raised, long raiseAt, long holdUntil) {

	/** In microseconds. */
	public static final long SECOND = 1_000_000;

	/** How long the line is held after a take-over. */
	public static final long HOLD = Duration.ofHours(1).toSeconds() * SECOND;

	/** By how much a rate is raised. */
	public static final long RAISE = 8;

	/** How many lags a bucket holds. */
	private static final long BUCKET = 10;

	/** The share of the remaining ordinals that a take-over may skip, as a divisor. */
	public static final long SHARE = 64;

	/** Enough for any database, and low enough that one bucket does not overflow. */
	private static final long HIGHEST_RATE = 1_000_000_000_000L;

	/**
	 * Return the line of an unused counter.
	 * @param position the position of the counter
	 * @param margin how many ordinals may be reserved at once
	 * @param lag in microseconds, at least 1
	 * @param now the clock of the server
	 * @return the line
	 */
	public static FenceLine first(long position, long margin, long lag, long now) {
		long rate = Math.max(1, perSecond(margin, burst(lag)));
		return new FenceLine(position, now, rate, rate, 0, 0);
	}

	/**
	 * Return how far the line may run ahead of the clock.
	 * @param lag in microseconds
	 * @return in microseconds
	 */
	public static long burst(long lag) {
		return BUCKET * lag;
	}

	/**
	 * Return the current rate.
	 * @param now the clock of the server
	 * @return ordinals a second
	 */
	public long rateAt(long now) {
		return (now >= this.raiseAt) ? this.raised : this.rate;
	}

	/**
	 * Return the time from which the next reservation is charged.
	 */
	private long start(long now) {
		return (now > this.holdUntil) ? Math.max(this.time, now) : this.time;
	}

	/**
	 * Return how many ordinals may be reserved at once.
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @return zero or more
	 */
	public long affordable(long now, long lag) {
		return times(Math.max(0, now + burst(lag) - start(now)), rateAt(now)).longValueExact();
	}

	/**
	 * Return how long to wait until ordinals may be reserved.
	 * @param count how many ordinals
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @return in microseconds, zero if they may be reserved already
	 */
	public long wait(long count, long now, long lag) {
		return Math.max(0, start(now) + cost(count, rateAt(now)) - now - burst(lag));
	}

	/**
	 * Reserve ordinals that are affordable.
	 * @param count how many ordinals
	 * @param now the clock of the server
	 * @return the line afterwards
	 */
	public FenceLine reserve(long count, long now) {
		return new FenceLine(this.position + count, start(now) + cost(count, rateAt(now)), this.rate, this.raised,
				this.raiseAt, this.holdUntil);
	}

	/**
	 * Give the last ordinals back, at the raised rate. At a lower rate, the line would
	 * rise for a server that knows only the reservation.
	 * @param count how many ordinals
	 * @return the line afterwards
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
	 * Return whether the rate should be raised and may be raised.
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @return whether it is
	 */
	public boolean isRaiseDue(long now, long lag) {
		return this.time - now > burst(lag) / 4 && mayRaise(now);
	}

	/**
	 * Return whether the rate may be raised: not while the line is held, nor before the
	 * last raise has taken effect.
	 * @param now the clock of the server
	 * @return whether it may
	 */
	public boolean mayRaise(long now) {
		return now > this.holdUntil && now >= this.raiseAt && this.raised <= HIGHEST_RATE / RAISE;
	}

	/**
	 * Raise the rate one lag from now.
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @return the line afterwards
	 */
	public FenceLine raise(long now, long lag) {
		return raiseTo(this.raised * RAISE, now, lag);
	}

	private FenceLine raiseTo(long rate, long now, long lag) {
		return new FenceLine(this.position, this.time, this.raised, rate, now + lag, this.holdUntil);
	}

	/**
	 * Raise the rate if a raise is due, or if the configured margin was raised above it.
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @param margin how many ordinals may be reserved at once
	 * @return the line afterwards, or empty if there is nothing to do
	 */
	public Optional<FenceLine> raiseIfDue(long now, long lag, long margin) {
		long configured = first(0, margin, lag, 0).rate;
		if (this.raised < configured && mayRaise(now)) {
			return Optional.of(raiseTo(configured, now, lag));
		}
		return isRaiseDue(now, lag) ? Optional.of(raise(now, lag)) : Optional.empty();
	}

	/**
	 * Return how many ordinals to reserve before checking again whether a raise is due.
	 * @param margin how many ordinals may be reserved at once
	 * @param lag in microseconds
	 * @param rate the last known rate
	 * @return how many
	 */
	public static long refreshAfter(long margin, long lag, long rate) {
		return Math.max(margin, rate * (burst(lag) / 1_000) / 1_000) / 8;
	}

	/**
	 * Bring the line back to the clock of the server if that clock was set back, or is
	 * behind that of the previous server. Otherwise reservations would stop until it
	 * catches up.
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @return the line afterwards, or empty if there is nothing to do
	 */
	public Optional<FenceLine> followClock(long now, long lag) {
		FenceLine followed = new FenceLine(this.position, Math.min(this.time, now + burst(lag)), this.rate, this.raised,
				Math.min(this.raiseAt, now + lag), Math.min(this.holdUntil, now + HOLD));
		long ahead = Math.max(this.time - followed.time,
				Math.max(this.raiseAt - followed.raiseAt, this.holdUntil - followed.holdUntil));
		return (ahead > 2 * lag) ? Optional.of(followed) : Optional.empty();
	}

	/**
	 * Return how long to wait before a reservation is worthwhile: until a tenth of a
	 * second's worth is available. Otherwise the next ordinals would be reserved one by
	 * one.
	 * @param count how many ordinals are wanted
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @return in microseconds, zero if something may be reserved already
	 */
	public long waitForSome(long count, long now, long lag) {
		return wait(Math.min(count, Math.max(1, rateAt(now) / 10)), now, lag);
	}

	/**
	 * Return whether the waiting period after a take-over, in which nothing is reserved,
	 * is still running.
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @return whether it is
	 */
	public boolean isWaitingAfterTakeOver(long now, long lag) {
		return this.holdUntil - HOLD + lag >= now;
	}

	/**
	 * Take over from another server.
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @param left how many ordinals are left, of which no more than a share is skipped
	 * @return the line afterwards
	 */
	public FenceLine takeOver(long now, long lag, long left) {
		long reached = Math.max(this.time, now + burst(lag) + lag);
		long distance = isCapped(now, lag, left) ? mostSkipped(left)
				: times(reached - this.time, this.raised).longValueExact() + 1;
		return new FenceLine(this.position + Math.min(distance, Long.MAX_VALUE - this.position),
				Math.max(reached, this.time + cost(distance, this.raised)), this.raised, this.raised, 0,
				heldUntil(now));
	}

	/**
	 * Hold the line as after a take-over, if there is no counter to advance.
	 * @param now the clock of the server
	 * @return the line afterwards
	 */
	public FenceLine hold(long now) {
		return new FenceLine(this.position, this.time, this.rate, this.raised, this.raiseAt, heldUntil(now));
	}

	/**
	 * Each take-over is later than the one before, even if the clocks of the servers
	 * differ.
	 */
	private long heldUntil(long now) {
		return Math.max(this.holdUntil + 1, now + HOLD);
	}

	/**
	 * Return whether a take-over would have to skip more than it may.
	 * @param now the clock of the server
	 * @param lag in microseconds
	 * @param left how many ordinals are left
	 * @return whether it would
	 */
	public boolean isCapped(long now, long lag, long left) {
		return times(now + burst(lag) + lag - this.time, this.raised)
			.compareTo(BigInteger.valueOf(mostSkipped(left))) >= 0;
	}

	private static long mostSkipped(long left) {
		return Math.max(1, left / SHARE);
	}

	/**
	 * Round up, so that the line does not rise.
	 */
	private static long cost(long count, long rate) {
		return BigInteger.valueOf(count)
			.multiply(BigInteger.valueOf(SECOND))
			.add(BigInteger.valueOf(rate - 1))
			.divide(BigInteger.valueOf(rate))
			.longValueExact();
	}

	private static BigInteger times(long micros, long rate) {
		return BigInteger.valueOf(micros).multiply(BigInteger.valueOf(rate)).divide(BigInteger.valueOf(SECOND));
	}

	private static long perSecond(long count, long micros) {
		return BigInteger.valueOf(count)
			.multiply(BigInteger.valueOf(SECOND))
			.divide(BigInteger.valueOf(micros))
			.min(BigInteger.valueOf(HIGHEST_RATE))
			.longValueExact();
	}

}
