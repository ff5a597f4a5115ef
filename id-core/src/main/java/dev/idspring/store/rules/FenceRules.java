package dev.idspring.store.rules;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;

import dev.idspring.store.FenceLine;

/**
 * The rules for counters whose server can fail over. Instances reserve ordinals
 * (positions in a key space) by advancing a counter. The rules form a <em>fence</em>:
 * before a new primary can reserve ordinals, it must take over the counter, and skip the
 * ordinals whose reservations the fail-over may have lost. The {@linkplain FenceLine
 * line} of a counter limits how fast the counter advances, and therefore how many
 * reservations a fail-over can lose. Under the assumptions of {@link FenceLine}, no
 * server issues an ordinal that another server has issued:
 * <ol>
 * <li>Each reservation is one atomic step. In this step, the server verifies that it was
 * the last to write the key space, and that the line allows the reservation at the
 * current time of the server's clock. Both checks are correct even if a connection, a
 * pool or a proxy survives the promotion of a replica. On a replica, the step fails.</li>
 * <li>A take-over is one atomic step, which advances the counter and stores the new
 * writer. This step fails if the counter or the writer has changed since the instance
 * read them. Therefore, only one instance performs the take-over.</li>
 * <li>Ordinals are given back only on the server that reserved them.</li>
 * <li>Before the take-over, a read returns the position that the take-over would set.
 * Without this rule, an instance would mistake the lost reservations for a restored
 * backup.</li>
 * <li>A take-over may advance a counter beyond the upper bound that an instance knows,
 * because the fail-over may have lost a raise of the bound.</li>
 * <li>A take-over skips at most a fixed share of the ordinals that are left. If this
 * share is too small, ids may repeat, and the take-over logs a warning.</li>
 * <li>Slots (series and nodes) have their own rules: {@link SlotRules}.</li>
 * </ol>
 * A take-over does not advance gapless numbers, because a fail-over loses them only
 * together with the transactions that drew them. Nor does it advance counters that only
 * count ids.
 *
 * @since 0.1.0
 */
public final class FenceRules {

	private static final Logger logger = System.getLogger(FenceRules.class.getName());

	/**
	 * The cost of a new series, in ordinals of the line that limits the creation of
	 * series. The cost is lower if a full bucket of {@link FenceLine} contains fewer
	 * ordinals.
	 */
	private static final long UNITS_PER_SERIES = 1_000;

	private final long margin;

	private final long lag;

	private final String takeOverMessage;

	/**
	 * Create the rules of a store.
	 * @param margin how many ordinals a full bucket of {@link FenceLine} contains at the
	 * initial rate, or 0 to disable the fence
	 * @param lag the longest expected replication lag of a server that takes over, in
	 * microseconds
	 * @param takeOverMessage the beginning of the message that a take-over logs
	 */
	public FenceRules(long margin, long lag, String takeOverMessage) {
		this.margin = margin;
		this.lag = lag;
		this.takeOverMessage = takeOverMessage;
	}

	/**
	 * Return the rules for a store whose server never fails over.
	 * @return rules without a fence
	 */
	public static FenceRules none() {
		return new FenceRules(0, 1, "The server was replaced");
	}

	/**
	 * Return whether the fence is enabled.
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
	 * Return how far a reservation may advance the time of the line ahead of the clock.
	 * @return the duration in microseconds
	 */
	public long burst() {
		return FenceLine.burst(this.lag);
	}

	/**
	 * Return the longest expected replication lag of a server that takes over.
	 * @return the duration in microseconds
	 */
	public long lag() {
		return this.lag;
	}

	long margin() {
		return this.margin;
	}

	/**
	 * Return the line of a counter after the take-over by this server.
	 * @param fence the state, for which {@link FenceState#needsTakeOver} is {@code true}
	 * @param end the end of the ordinals, exclusive; the take-over skips at most a share
	 * of the ordinals that are left before this end
	 */
	FenceLine takeOverLine(FenceState fence, long end) {
		return fence.isFirstContact() ? unused(fence.line().position(), fence.clock())
				: fence.line().takeOver(fence.clock(), this.lag, end - fence.line().position());
	}

	/**
	 * Return the position of a counter after the take-over by this server, if one is
	 * needed.
	 */
	long position(FenceState fence, long end) {
		return fence.hasFailedOver() ? takeOverLine(fence, end).position() : fence.line().position();
	}

	/**
	 * Log that a take-over advanced a counter.
	 */
	void logTakeOver(String keySpace, FenceState fence, long end) {
		boolean capped = fence.line().isCapped(fence.clock(), this.lag, end - fence.line().position());
		logger.log(Level.WARNING, this.takeOverMessage + ": key space '" + keySpace + "' skipped "
				+ (position(fence, end) - fence.line().position()) + " ids, and no ids are reserved for "
				+ Duration.ofNanos(this.lag * 1_000).toMillis() + " ms (failover-lag)"
				+ (capped ? ". More ids should have been skipped, but a take-over skips at most 1/64 of the ids that"
						+ " are left. Ids that were reserved on the previous server may repeat. Lower failover-margin"
						+ " or enlarge the key space" : ""));
	}

	/**
	 * Log that a take-over advanced slots.
	 * @param wait the minimum time during which slots without an owner cannot be claimed
	 */
	void logTakeOver(String keySpace, Duration wait) {
		logger.log(Level.WARNING,
				this.takeOverMessage + ": the slots of key space '" + keySpace
						+ "' were advanced, and those without an owner cannot be claimed for at least "
						+ wait.toSeconds() + " s");
	}

	/**
	 * Return the maximum number of ordinals to request now: as many as the line allows,
	 * but at least 1.
	 */
	long affordable(FenceState fence) {
		return isOn() ? Math.max(1, fence.line().affordable(fence.clock(), this.lag)) : Long.MAX_VALUE;
	}

	/**
	 * Return the cost of a new series, in ordinals of the line that limits the creation
	 * of series. A full bucket is always enough for one series.
	 * @return the cost, at least 1
	 */
	public long unitsPerSeries() {
		long bucket = unused(0, 0).affordable(0, this.lag);
		return Math.max(1, Math.min(UNITS_PER_SERIES, bucket));
	}

	/**
	 * Find out why the server refused a reservation, and remove the cause if possible.
	 * @param fence the state, which does not need a take-over
	 * @param usage how fast the counter advanced recently
	 * @param left how many ordinals are left
	 * @param count how many ordinals are requested
	 * @param acceptsFewer whether the caller also accepts fewer ordinals
	 * @return a retry with the cause as its reason, or empty if no cause was found
	 */
	<T, X extends Exception> Optional<Outcome<T>> findObstacle(FenceAccess<X> access, String keySpace, FenceState fence,
			Usage usage, long left, long count, boolean acceptsFewer) throws X {
		if (!isOn()) {
			return Optional.empty();
		}
		Optional<Boolean> changeStored = adjust(access, keySpace, fence, usage.overAtLeastASecond(), left);
		if (changeStored.isPresent()) {
			// false: another instance has changed the line since it was read
			return Optional.of(changeStored.get() ? Outcome.retry("the line was changed", Duration.ZERO)
					: Outcome.retryAfterConflict());
		}
		FenceLine line = fence.line();
		long wait = acceptsFewer ? line.waitForUsefulCount(count, fence.clock(), this.lag)
				: line.wait(count, fence.clock(), this.lag);
		return (wait > 0) ? Optional.of(Outcome.retry(
				line.isWaitingAfterTakeOver(fence.clock(), this.lag)
						? "the database has failed over to another server, and no ids are reserved during failover-lag"
						: "all instances together have reserved as many ids as failover-margin allows",
				Duration.ofNanos((wait + 1_000) * 1_000))) : Optional.empty();
	}

	/**
	 * Correct the line if it is too far ahead of the server's clock. Otherwise, change
	 * the rate if a change is due.
	 * @return whether the change was stored, or empty if no change is due
	 */
	<X extends Exception> Optional<Boolean> adjust(FenceAccess<X> access, String keySpace, FenceState fence,
			Usage usage, long left) throws X {
		if (!isOn() || fence.needsTakeOver()) {
			return Optional.empty();
		}
		Optional<FenceLine> followed = fence.line().followClock(fence.clock(), this.lag);
		if (followed.isPresent()) {
			logger.log(Level.WARNING,
					"The clock of the database is behind the last reservations of key space '" + keySpace
							+ "', probably because it was set back. Reservations continue, but a fail-over within"
							+ " the next hour may skip too few ids");
			return Optional.of(access.followClock(fence, followed.get()));
		}
		if (fence.line().isRaiseStored()) {
			return Optional.of(access.startRaise(fence));
		}
		FenceLine changed = withRate(fence.line(), fence.clock(), usage, left);
		return (changed != fence.line()) ? Optional.of(access.changeRate(fence, changed)) : Optional.empty();
	}

	/**
	 * Return the line with a new rate, or the unchanged line if no change is due. If the
	 * usage covers less than a second, the rate is raised at most to the initial rate of
	 * the configured margin. The reason: a short measurement underestimates a burst that
	 * has just begun.
	 */
	private FenceLine withRate(FenceLine line, long now, Usage usage, long left) {
		FenceLine raisedToMargin = line.raiseToMargin(now, this.lag, this.margin);
		if (raisedToMargin != line) {
			return raisedToMargin;
		}
		if (line.isRaiseDue(now, this.lag)) {
			return (usage.micros >= FenceLine.SECOND) ? line.raise(usage.perSecond(), this.lag, left) : line;
		}
		boolean isRateUnneeded = usage.micros >= FenceLine.settled(this.lag) && !isRaised(usage.perSecond());
		return isRateUnneeded ? line.lower(now, this.lag, this.margin) : line;
	}

	/**
	 * Return whether a rate is higher than the initial one.
	 */
	boolean isRaised(long rate) {
		return rate > FenceLine.initialRate(this.margin, this.lag);
	}

	/**
	 * Return how long an instance waits before it checks again whether a raised rate is
	 * still needed.
	 */
	Duration rateCheckInterval() {
		return Duration.ofNanos(FenceLine.settled(this.lag) * 1_000);
	}

	/**
	 * Return how many ordinals an instance may reserve before it checks again whether a
	 * raise is due.
	 * @param rate the last known rate
	 */
	long refreshAfter(long rate) {
		return FenceLine.refreshAfter(this.margin, this.lag, rate);
	}

	/**
	 * How fast a counter advanced between two reads by the same instance.
	 *
	 * @param ordinals by how many ordinals it advanced
	 * @param micros the time between the reads
	 */
	record Usage(long ordinals, long micros) {

		/** The usage after a single read. */
		static final Usage UNKNOWN = new Usage(0, 0);

		static Usage between(FenceState before, FenceState after) {
			return new Usage(Math.max(0, after.line().position() - before.line().position()),
					after.clock() - before.clock());
		}

		/**
		 * Return this usage as if it had been measured over at least a second, for
		 * callers that cannot wait that long.
		 */
		Usage overAtLeastASecond() {
			return new Usage(this.ordinals, Math.max(FenceLine.SECOND, this.micros));
		}

		long perSecond() {
			return (this.micros > 0) ? FenceLine.perSecond(this.ordinals, this.micros) : 0;
		}

	}

}
