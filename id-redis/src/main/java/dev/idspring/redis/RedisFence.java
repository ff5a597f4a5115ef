package dev.idspring.redis;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;

/**
 * What {@link FenceRules} need of a server. The key space remembers the
 * {@code master_replid} of the server that wrote it last, and the state of its
 * {@link FenceLine}.
 * <ol>
 * <li>Each script that reserves asks the server itself for its {@code master_replid} and
 * its clock, and compares both with what is stored. A replica has the id of its master,
 * and is refused by its role.</li>
 * <li>A server that is promoted draws a new id, and so does one that is restarted.</li>
 * <li>A take-over hands out nothing, so it need not be confirmed: what is reserved
 * afterwards is confirmed together with it ({@link RedisDatabase}). So the time in which
 * nothing is reserved begins when the take-over is seen, even if no replica confirms
 * anything yet.</li>
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
	 * Return the servers, and the line of a counter.
	 */
	FenceState state(Look look, String counter) {
		String writer = look.incarnation();
		return this.rules.isOn()
				? new FenceState(writer.isEmpty() ? null : writer, look.server(), look.line(counter), look.clock())
				: FenceState.NONE;
	}

	/**
	 * Return how far the time of the line may be ahead of the clock, as scripts take it.
	 */
	String burst() {
		return this.rules.isOn() ? Long.toString(this.rules.burst()) : "";
	}

	/**
	 * Return the server that a change must meet.
	 */
	String server(Look look) {
		return this.rules.isOn() ? look.server() : "";
	}

	/**
	 * Store this server and a line.
	 */
	Change takeOver(Look look, String counter, FenceLine line) {
		return Change.on(look.server())
			.when("incarnation", look.incarnation())
			.when(counter, look.field(counter))
			.set(counter, line.position())
			.set("incarnation", look.server())
			.set(line);
	}

	/**
	 * Bring the line back to the clock.
	 */
	Change followClock(Look look, FenceLine followed) {
		return sameRate(look).when("line_time", look.field("line_time")).set(followed);
	}

	/**
	 * Raise the rate. Others reserve meanwhile, so their time is left alone. The server
	 * may make the change late.
	 */
	Change raise(Look look, FenceLine raised) {
		return sameRate(look).set("line_rate", raised.rate())
			.set("line_raised_rate", raised.raised())
			.setLater("line_raised_at", this.rules.lag());
	}

	private static Change sameRate(Look look) {
		return Change.on(look.server())
			.when("incarnation", look.incarnation())
			.when("line_raised_rate", look.field("line_raised_rate"))
			.when("line_raised_at", look.field("line_raised_at"));
	}

}
