package dev.idspring.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.SlotRules;

/**
 * Moves a key space ahead when another server has taken over, or the server was
 * restarted, as it may lack what was confirmed. The key space remembers the
 * {@code master_replid} of the server that wrote it last, and the state of its
 * {@link FenceLine}. Why a server hands out nothing that another one has confirmed, under
 * the conditions that the line states:
 * <ol>
 * <li>Each script that reserves asks the server itself for its {@code master_replid} and
 * its clock, and compares both with what is stored. So neither proxies nor a connection
 * that outlives a promotion can be wrong about them. A replica has the id of its master,
 * and is refused by its role.</li>
 * <li>A server that is promoted draws a new id, and so does one that is restarted.</li>
 * <li>A take-over is one change on condition that counter and id are what was read, and
 * that the server is the one that was asked. So one of several instances carries it
 * out.</li>
 * <li>A take-over hands out nothing, so it need not be confirmed: what is reserved
 * afterwards is confirmed together with it ({@link RedisDatabase}). So the time in which
 * nothing is reserved begins when the take-over is seen, even if no replica confirms
 * anything yet.</li>
 * <li>Nothing is given back on a server that it was not reserved on.</li>
 * <li>A counter moves by no more than a share of what is left: a warning says when that
 * is less than the rule asks for.</li>
 * </ol>
 */
final class RedisFence {

	static final String COUNTER = "next";

	static final String SLOTS = "next_slot";

	private static final Logger logger = System.getLogger(RedisFence.class.getName());

	private final long margin;

	private final long lag;

	private final SlotRules slots;

	RedisFence(RedisSettings settings) {
		this.margin = settings.failoverMargin();
		this.lag = settings.failoverLag().toNanos() / 1_000;
		this.slots = new SlotRules(this.margin, this.lag);
	}

	/**
	 * Return the rules for slots.
	 */
	SlotRules slots() {
		return this.slots;
	}

	boolean isOn() {
		return this.margin > 0;
	}

	/**
	 * Return the servers, and the line of a counter.
	 */
	FenceState state(Look look, String counter) {
		String writer = look.incarnation();
		return isOn()
				? new FenceState(writer.isEmpty() ? null : writer, look.server(), look.line(counter), look.clock())
				: FenceState.NONE;
	}

	/**
	 * Return how far the time of the line may be ahead of the clock, as scripts take it.
	 */
	String burst() {
		return isOn() ? Long.toString(FenceLine.burst(this.lag)) : "";
	}

	/**
	 * Return the server that a change must meet.
	 */
	String server(Look look) {
		return isOn() ? look.server() : "";
	}

	boolean isFirstContact(Look look) {
		return isOn() && look.incarnation().isEmpty();
	}

	/**
	 * Return whether another server has taken over.
	 */
	boolean differs(Look look) {
		return isOn() && !look.incarnation().isEmpty() && !look.incarnation().equals(look.server());
	}

	/**
	 * Return the line of an unused counter, as margin and lag say.
	 */
	FenceLine unused(long position, long clock) {
		return FenceLine.first(position, this.margin, this.lag, clock);
	}

	/**
	 * Return where a counter will be when the key space is first used on this server.
	 */
	long counter(Look look, long bound) {
		return differs(look) ? look.line(COUNTER).takeOver(look.clock(), this.lag, left(look, bound)).position()
				: look.number(COUNTER);
	}

	/**
	 * Return what lets a counter be used on this server.
	 * @param bound the end of the ordinals for the instance that asks
	 */
	Change moveCounter(Look look, long bound) {
		return set(look, COUNTER, isFirstContact(look) ? unused(look.number(COUNTER), look.clock())
				: look.line(COUNTER).takeOver(look.clock(), this.lag, left(look, bound)));
	}

	/**
	 * Return the ordinals of which a take-over skips a share. The bound of the instance
	 * that carries it out may be far lower than that of others.
	 */
	private static long left(Look look, long bound) {
		return Math.max(bound, look.number("capacity")) - look.number(COUNTER);
	}

	/**
	 * Store this server and a line.
	 */
	Change set(Look look, String counter, FenceLine line) {
		return Change.on(look.server())
			.when("incarnation", look.incarnation())
			.when(counter, look.field(counter))
			.set(counter, line.position())
			.set("incarnation", look.server())
			.set(line);
	}

	/**
	 * Log that a counter was moved.
	 */
	void logCounter(String keySpace, Look look, long bound) {
		FenceLine line = look.line(COUNTER);
		logger.log(Level.WARNING,
				"Another server has taken over the keys of ids, it was restarted, or its master_replid has changed: key space '"
						+ keySpace + "' skipped " + (counter(look, bound) - line.position())
						+ " ids, and reserves none for " + Duration.ofNanos(this.lag * 1_000).toMillis()
						+ " ms (failover lag)"
						+ (line.isCapped(look.clock(), this.lag, left(look, bound))
								? ". The rule asks for more, but no more than 1/64 of what is left may be skipped: ids that the"
										+ " earlier server confirmed may repeat. Lower the failover margin or enlarge the key"
										+ " space"
								: ""));
	}

	/**
	 * Return how many ordinals may be reserved at once.
	 * @throws RedisFailure if so few that it is worth waiting
	 */
	long affordable(Look look, long count) throws RedisFailure {
		if (!isOn()) {
			return count;
		}
		FenceLine line = look.line(COUNTER);
		verifyWait(look, line, line.waitForSome(count, look.clock(), this.lag));
		return Math.max(1, line.affordable(look.clock(), this.lag));
	}

	/**
	 * Make sure that as many ordinals may be reserved.
	 */
	void verifyAffordable(Look look, FenceLine line, long count) throws RedisFailure {
		verifyWait(look, line, line.wait(count, look.clock(), this.lag));
	}

	private void verifyWait(Look look, FenceLine line, long wait) throws RedisFailure {
		if (wait > 0) {
			// the script counts some microseconds more
			throw RedisFailure.notYet(
					line.isResting(look.clock(), this.lag)
							? "another server has taken over, and no id is reserved for failover-lag"
							: "all instances together have reserved as many ids as failover-margin allows",
					Duration.ofNanos((wait + 1_000) * 1_000));
		}
	}

	/**
	 * Return what brings the line back to the clock of the server if that was set back,
	 * or raises the rate if reservations have used much of it: nothing if there is
	 * nothing to do.
	 */
	Optional<Change> repair(String keySpace, Look look) {
		if (!isOn() || differs(look) || isFirstContact(look)) {
			return Optional.empty();
		}
		FenceLine line = look.line(COUNTER);
		Optional<FenceLine> followed = line.followClock(look.clock(), this.lag);
		if (followed.isPresent()) {
			logger.log(Level.WARNING, "The clock of the server is behind the reservations of key space '" + keySpace
					+ "': it was set back. Reservations go on; a fail-over within the next hour may skip too few ids");
			return Optional.of(sameRate(look).when("line_time", look.field("line_time")).set(followed.get()));
		}
		// others reserve meanwhile: their time is left alone. The server that was asked
		// may make the change late
		return line.raiseIfDue(look.clock(), this.lag, this.margin)
			.map((raised) -> sameRate(look).set("line_rate", raised.rate())
				.set("line_raised_rate", raised.raised())
				.setLater("line_raised_at", this.lag));
	}

	private static Change sameRate(Look look) {
		return Change.on(look.server())
			.when("incarnation", look.incarnation())
			.when("line_raised_rate", look.field("line_raised_rate"))
			.when("line_raised_at", look.field("line_raised_at"));
	}

	/**
	 * Return after how many reserved ordinals it is worth to look whether a raise is due.
	 */
	long refreshAfter(long rate) {
		return FenceLine.refreshAfter(this.margin, this.lag, rate);
	}

}
