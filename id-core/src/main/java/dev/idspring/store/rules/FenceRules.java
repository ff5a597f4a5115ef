package dev.idspring.store.rules;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;

import dev.idspring.store.FenceLine;

/**
 * What a counter may do when servers can fail over. Why no server issues what another one
 * has confirmed, under the conditions that {@link FenceLine} states:
 * <ol>
 * <li>Each reservation is one step in which the server itself compares the key space's
 * writer with itself, and the line with its own clock. So neither pools, proxies nor a
 * connection that outlives a promotion can be wrong about them. A replica is no
 * server.</li>
 * <li>A take-over is one step that moves the counter along the line and stores the new
 * writer, on condition that both are as they were read. So one of several instances
 * carries it out.</li>
 * <li>Nothing is given back on a server that it was not reserved on. A read before the
 * take-over predicts where the counter will be, so that nobody takes a fail-over for a
 * restored backup.</li>
 * <li>A counter moves beyond the bound of an instance if need be, as a raise of the bound
 * may be lost, but by no more than a share of what is left. Then a warning says so, and
 * the promise ends there.</li>
 * <li>Slots: see {@link SlotRules}.</li>
 * </ol>
 * Gapless numbers belong to the transactions that drew them and were lost with them, so
 * they never move. Nor does a counter that only counts ids.
 *
 * @since 0.1.0
 */
public final class FenceRules {

	private static final Logger logger = System.getLogger(FenceRules.class.getName());

	private final long margin;

	private final long lag;

	private final String takenOver;

	/**
	 * Create rules.
	 * @param margin how many ordinals may be reserved at once, 0 for no fence
	 * @param lag what a server that takes over may lack, in microseconds
	 * @param takenOver the beginning of a sentence that says what has happened then
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
	 * Return how far the time of the line may be ahead of the clock.
	 * @return in microseconds
	 */
	public long burst() {
		return FenceLine.burst(this.lag);
	}

	/**
	 * Return what a server that takes over may lack.
	 * @return in microseconds
	 */
	public long lag() {
		return this.lag;
	}

	long margin() {
		return this.margin;
	}

	/**
	 * Return the line that lets a counter be used on this server.
	 * @param fence at the first contact or after a fail-over
	 * @param end the end of the ordinals, of which a take-over skips a share
	 */
	FenceLine pass(FenceState fence, long end) {
		return fence.isFirstContact() ? unused(fence.line().position(), fence.clock())
				: fence.line().takeOver(fence.clock(), this.lag, end - fence.line().position());
	}

	/**
	 * Return where a counter will be when it is first used on this server.
	 */
	long position(FenceState fence, long end) {
		return fence.isOtherServer() ? pass(fence, end).position() : fence.line().position();
	}

	/**
	 * Log that a counter was moved.
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
	 * Log that slots were moved.
	 * @param wait how long those without an owner wait at least
	 */
	void logTakeOver(String keySpace, Duration wait) {
		logger.log(Level.WARNING, this.takenOver + ": the slots of key space '" + keySpace
				+ "' have moved ahead, and those without an owner wait for at least " + wait.toSeconds() + " s");
	}

	/**
	 * Return how many ordinals may be reserved at once.
	 */
	long affordable(FenceState fence, long count) {
		return isOn() ? Math.min(count, Math.max(1, fence.line().affordable(fence.clock(), this.lag))) : count;
	}

	/**
	 * Find out why a server does not reserve ordinals, and remove the reason if possible.
	 * @param fence as it was read on a server that has passed
	 * @param count how many ordinals
	 * @param some whether fewer are welcome
	 * @return why to try again, or empty if nothing was found
	 */
	<T, X extends Exception> Optional<Outcome<T>> unblock(FenceAccess<X> access, String keySpace, FenceState fence,
			long count, boolean some) throws X {
		if (!isOn()) {
			return Optional.empty();
		}
		if (repair(access, keySpace, fence)) {
			return Optional.of(Outcome.retry("the rate was raised", Duration.ZERO));
		}
		FenceLine line = fence.line();
		long wait = some ? line.waitForSome(count, fence.clock(), this.lag) : line.wait(count, fence.clock(), this.lag);
		return (wait > 0) ? Optional.of(Outcome.retry(
				line.isResting(fence.clock(), this.lag)
						? "the database has failed over to another server, and no id is reserved for failover-lag"
						: "all instances together have reserved as many ids as failover-margin allows",
				Duration.ofNanos((wait + 1_000) * 1_000))) : Optional.empty();
	}

	/**
	 * Bring the line back to the clock if that was set back, or raise the rate if that is
	 * due.
	 * @return whether anything was changed
	 */
	<X extends Exception> boolean repair(FenceAccess<X> access, String keySpace, FenceState fence) throws X {
		if (!isOn() || fence.mustPass()) {
			return false;
		}
		Optional<FenceLine> followed = fence.line().followClock(fence.clock(), this.lag);
		if (followed.isPresent()) {
			logger.log(Level.WARNING, "The clock of the database is behind the reservations of key space '" + keySpace
					+ "': it was set back. Reservations continue; a fail-over within the next hour may skip too few"
					+ " ids");
			return access.followClock(fence, followed.get());
		}
		Optional<FenceLine> raised = fence.line().raiseIfDue(fence.clock(), this.lag, this.margin);
		return raised.isPresent() && access.raise(fence, raised.get());
	}

	/**
	 * Return after how many reserved ordinals to check whether a raise is due.
	 * @param rate the last known rate
	 */
	long refreshAfter(long rate) {
		return FenceLine.refreshAfter(this.margin, this.lag, rate);
	}

}
