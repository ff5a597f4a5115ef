package dev.idspring.store.rules;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;

import dev.idspring.store.FenceLine;

/**
 * The rules for counters whose servers can fail over. Why no server issues what another
 * one has confirmed, under the conditions of {@link FenceLine}:
 * <ol>
 * <li>Each reservation is one atomic step in which the server compares the key space's
 * writer with itself, and the line with its own clock. So no pool, proxy or connection
 * that outlives a promotion can falsify them. A replica does not count as a server.</li>
 * <li>A take-over is one atomic step that advances the counter along the line and stores
 * the new writer, if both are unchanged since they were read. So only one of several
 * instances performs it.</li>
 * <li>Ordinals are given back only on the server that reserved them. A read before the
 * take-over predicts the counter's next position, so that a fail-over does not look like
 * a restored backup.</li>
 * <li>A take-over may advance a counter beyond the bound of an instance, because a raise
 * of the bound may be lost. It skips at most a share of the ordinals that are left. If
 * that is too little, a warning is logged and ids may repeat.</li>
 * <li>Slots: see {@link SlotRules}.</li>
 * </ol>
 * Gapless numbers are lost together with the transactions that drew them, so a take-over
 * never advances them. Nor does it advance a counter that only counts ids.
 *
 * @since 0.1.0
 */
public final class FenceRules {

	private static final Logger logger = System.getLogger(FenceRules.class.getName());

	/** How many units of the line a new series uses, if the line has so many. */
	private static final long UNITS_PER_SERIES = 1_000;

	private final long margin;

	private final long lag;

	private final String takenOver;

	/**
	 * Create rules.
	 * @param margin how many ordinals may be reserved at once, 0 for no fence
	 * @param lag the longest replication lag of a server that takes over, in microseconds
	 * @param takenOver the beginning of the log message of a take-over
	 */
	public FenceRules(long margin, long lag, String takenOver) {
		this.margin = margin;
		this.lag = lag;
		this.takenOver = takenOver;
	}

	/**
	 * Return rules for a store whose server never fails over.
	 * @return no fence
	 */
	public static FenceRules none() {
		return new FenceRules(0, 1, "The server was replaced");
	}

	/**
	 * Return whether there is a fence.
	 * @return {@code false} if the margin is 0
	 */
	public boolean isOn() {
		return this.margin > 0;
	}

	/**
	 * Return the line of an unused counter.
	 * @param position the position of the counter
	 * @param clock the clock of the server, in microseconds
	 * @return the line
	 */
	public FenceLine unused(long position, long clock) {
		return FenceLine.first(position, this.margin, this.lag, clock);
	}

	/**
	 * Return how far the line may run ahead of the clock.
	 * @return in microseconds
	 */
	public long burst() {
		return FenceLine.burst(this.lag);
	}

	/**
	 * Return the longest replication lag of a server that takes over.
	 * @return in microseconds
	 */
	public long lag() {
		return this.lag;
	}

	long margin() {
		return this.margin;
	}

	/**
	 * Return the line with which a counter may be used on this server.
	 * @param fence the state at the first contact or after a fail-over
	 * @param end the end of the ordinals: a take-over skips at most a share
	 */
	FenceLine takeOverLine(FenceState fence, long end) {
		return fence.isFirstContact() ? unused(fence.line().position(), fence.clock())
				: fence.line().takeOver(fence.clock(), this.lag, end - fence.line().position());
	}

	/**
	 * Return the position of a counter at its first use on this server.
	 */
	long position(FenceState fence, long end) {
		return fence.isOtherServer() ? takeOverLine(fence, end).position() : fence.line().position();
	}

	/**
	 * Log that a take-over advanced a counter.
	 */
	void logTakeOver(String keySpace, FenceState fence, long end) {
		boolean capped = fence.line().isCapped(fence.clock(), this.lag, end - fence.line().position());
		logger.log(Level.WARNING,
				this.takenOver + ": key space '" + keySpace + "' skipped "
						+ (position(fence, end) - fence.line().position()) + " ids, and reserves none for "
						+ Duration.ofNanos(this.lag * 1_000).toMillis() + " ms (failover lag)"
						+ (capped ? ". The rule asks for more, but no more than 1/64 of what is left may be skipped:"
								+ " ids that the earlier server confirmed may repeat. Lower the failover margin or"
								+ " enlarge the key space" : ""));
	}

	/**
	 * Log that a take-over advanced slots.
	 * @param wait the least wait of slots without an owner
	 */
	void logTakeOver(String keySpace, Duration wait) {
		logger.log(Level.WARNING, this.takenOver + ": the slots of key space '" + keySpace
				+ "' have moved ahead, and those without an owner wait for at least " + wait.toSeconds() + " s");
	}

	/**
	 * Return how many ordinals may be reserved at once.
	 */
	long affordable(FenceState fence) {
		return isOn() ? Math.max(1, fence.line().affordable(fence.clock(), this.lag)) : Long.MAX_VALUE;
	}

	/**
	 * Return how many units of the line a new series uses: never more than it allows.
	 * @return at least 1
	 */
	public long unitsPerSeries() {
		long bucket = unused(0, 0).affordable(0, this.lag);
		return Math.max(1, Math.min(UNITS_PER_SERIES, bucket));
	}

	/**
	 * Find out why a server does not reserve ordinals, and remove the reason if possible.
	 * @param fence the state that was read on a server that has passed the fence
	 * @param count how many ordinals
	 * @param some whether fewer are useful
	 * @return a retry with its reason, or empty if none was found
	 */
	<T, X extends Exception> Optional<Outcome<T>> findObstacle(FenceAccess<X> access, String keySpace, FenceState fence,
			long count, boolean some) throws X {
		if (!isOn()) {
			return Optional.empty();
		}
		Optional<Boolean> repaired = repair(access, keySpace, fence);
		if (repaired.isPresent()) {
			// if not, another instance has, and the line that was read is outdated
			return Optional
				.of(repaired.get() ? Outcome.retry("the line was changed", Duration.ZERO) : Outcome.lostToOthers());
		}
		FenceLine line = fence.line();
		long wait = some ? line.waitForSome(count, fence.clock(), this.lag) : line.wait(count, fence.clock(), this.lag);
		return (wait > 0) ? Optional.of(Outcome.retry(
				line.isWaitingAfterTakeOver(fence.clock(), this.lag)
						? "the database has failed over to another server, and no id is reserved for failover-lag"
						: "all instances together have reserved as many ids as failover-margin allows",
				Duration.ofNanos((wait + 1_000) * 1_000))) : Optional.empty();
	}

	/**
	 * Bring the line back to the clock if the clock was set back, or raise the rate if a
	 * raise is due.
	 * @return whether that succeeded, or empty if nothing is due
	 */
	<X extends Exception> Optional<Boolean> repair(FenceAccess<X> access, String keySpace, FenceState fence) throws X {
		if (!isOn() || fence.needsTakeOver()) {
			return Optional.empty();
		}
		Optional<FenceLine> followed = fence.line().followClock(fence.clock(), this.lag);
		if (followed.isPresent()) {
			logger.log(Level.WARNING, "The clock of the database is behind the reservations of key space '" + keySpace
					+ "': it was set back. Reservations continue; a fail-over within the next hour may skip too few"
					+ " ids");
			return Optional.of(access.followClock(fence, followed.get()));
		}
		Optional<FenceLine> raised = fence.line().raiseIfDue(fence.clock(), this.lag, this.margin);
		return raised.isPresent() ? Optional.of(access.raise(fence, raised.get())) : Optional.empty();
	}

	/**
	 * Return after how many reserved ordinals to check whether a raise is due.
	 * @param rate the last known rate
	 */
	long refreshAfter(long rate) {
		return FenceLine.refreshAfter(this.margin, this.lag, rate);
	}

}
