package dev.idspring.redis;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;

/**
 * The state that {@link FenceRules} need on a server. The key space stores the
 * {@code master_replid} of the server that wrote it last, and the state of its
 * {@link FenceLine}.
 * <ol>
 * <li>Each script that reserves reads the {@code master_replid} and the clock of its
 * server, and compares both with the stored values. A replica has the id of its master,
 * and is refused because of its role.</li>
 * <li>A server draws a new id when it is promoted and when it is restarted.</li>
 * <li>A take-over hands out nothing, so it need not be confirmed: later reservations are
 * confirmed together with it ({@link RedisDatabase}). So the pause without reservations
 * begins when the take-over is detected, even if no replica confirms anything yet.</li>
 * </ol>
 */
final class RedisFence {

	static final String COUNTER = "next";

	static final String SLOTS = "next_slot";

	private final FenceRules rules;

	RedisFence(RedisSettings settings) {
		this.rules = new FenceRules(settings.failoverMargin(), settings.failoverLag().toNanos() / 1_000,
				"Another server has taken over the keys of ids, it was restarted, or its master_replid has changed");
	}

	FenceRules rules() {
		return this.rules;
	}

	/**
	 * Return the last writer, the current server, and the line of a counter.
	 */
	FenceState state(KeySpaceSnapshot snapshot, String counter) {
		String writer = snapshot.incarnation();
		return this.rules.isOn() ? new FenceState(writer.isEmpty() ? null : writer, snapshot.server(),
				snapshot.line(counter), snapshot.clock()) : FenceState.NONE;
	}

	/**
	 * Return how far the line may run ahead of the clock, as an argument of scripts.
	 */
	String burst() {
		return this.rules.isOn() ? Long.toString(this.rules.burst()) : "";
	}

	/**
	 * Return the server that must apply a change.
	 */
	String server(KeySpaceSnapshot snapshot) {
		return this.rules.isOn() ? snapshot.server() : "";
	}

	/**
	 * Store this server and a line.
	 */
	Change takeOver(KeySpaceSnapshot snapshot, String counter, FenceLine line) {
		return Change.on(snapshot.server())
			.when("incarnation", snapshot.incarnation())
			.when(counter, snapshot.field(counter))
			.set(counter, line.position())
			.set("incarnation", snapshot.server())
			.set(line);
	}

	/**
	 * Bring the line back to the clock.
	 */
	Change followClock(KeySpaceSnapshot snapshot, FenceLine followed) {
		return sameRate(snapshot).when("line_time", snapshot.field("line_time")).set(followed);
	}

	/**
	 * Raise the rate. The line's time is not changed, because others reserve meanwhile.
	 * The server sets the start, as it may apply the change late.
	 */
	Change raise(KeySpaceSnapshot snapshot, FenceLine raised) {
		return sameRate(snapshot).set("line_rate", raised.rate())
			.set("line_raised_rate", raised.raised())
			.setLater("line_raised_at", this.rules.lag());
	}

	private static Change sameRate(KeySpaceSnapshot snapshot) {
		return Change.on(snapshot.server())
			.when("incarnation", snapshot.incarnation())
			.when("line_raised_rate", snapshot.field("line_raised_rate"))
			.when("line_raised_at", snapshot.field("line_raised_at"));
	}

}
