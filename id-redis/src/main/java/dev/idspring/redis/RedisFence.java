package dev.idspring.redis;

import dev.idspring.store.FenceLine;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;

/**
 * Returns the fence state of a key space, and the changes that {@link FenceRules}
 * require. Each key space stores the {@code master_replid} of the server that last wrote
 * it, and the state of its {@link FenceLine} (the line), which limits how fast ids are
 * reserved. How the fence works:
 * <ol>
 * <li>Each script that reserves compares the stored {@code master_replid} with that of
 * the server that runs the script. {@link RedisScript#RESERVE} also verifies that the
 * line allows the reservation at the current time of the server's clock. A replica has
 * the {@code master_replid} of its master. All scripts therefore also read the role, and
 * fail on a replica.</li>
 * <li>A server generates a new {@code master_replid} when it is promoted, when it is
 * restarted, when its first replica connects, and when it has had no replica for an hour
 * (by default). Each of these events requires a take-over.</li>
 * <li>A take-over reserves nothing, so the store does not wait for its confirmation. The
 * confirmation of a later reservation includes the take-over ({@link RedisDatabase}). The
 * pause in reservations after a take-over therefore begins as soon as the fail-over is
 * detected, even if no replica confirms writes yet.</li>
 * </ol>
 */
final class RedisFence {

	static final String COUNTER = "next";

	static final String NEXT_SLOT = "next_slot";

	private final FenceRules rules;

	RedisFence(RedisSettings settings) {
		this.rules = new FenceRules(settings.failoverMargin(), settings.failoverLag().toNanos() / 1_000,
				"The keys of the id store are now on another server, or the server was restarted, or its"
						+ " master_replid has changed");
	}

	FenceRules rules() {
		return this.rules;
	}

	/**
	 * Return the fence state of a counter: the last writer, the current server, the line
	 * and the clock. Return {@link FenceState#NONE} if the fence is off.
	 */
	FenceState state(KeySpaceSnapshot snapshot, String counter) {
		String writer = snapshot.lastWriter();
		return this.rules.isOn() ? new FenceState(writer.isEmpty() ? null : writer, snapshot.server(),
				snapshot.line(counter), snapshot.clock()) : FenceState.NONE;
	}

	/**
	 * Return how far a reservation may set the time of the line ahead of the clock, in
	 * microseconds. Return an empty string if the fence is off.
	 */
	String burst() {
		return this.rules.isOn() ? Long.toString(this.rules.burst()) : "";
	}

	/**
	 * Return the {@code master_replid} of the server that must apply a change. Return an
	 * empty string if the fence is off.
	 */
	String server(KeySpaceSnapshot snapshot) {
		return this.rules.isOn() ? snapshot.server() : "";
	}

	/**
	 * Return the change that takes over a counter: it stores the current server as the
	 * last writer, the new position of the counter, and the new line.
	 */
	Change takeOver(KeySpaceSnapshot snapshot, String counter, FenceLine line) {
		return Change.on(snapshot.server())
			.when("incarnation", snapshot.lastWriter())
			.when(counter, snapshot.field(counter))
			.set(counter, line.position())
			.set("incarnation", snapshot.server())
			.set(line);
	}

	/**
	 * Return the change that stores a line whose times were moved back because they were
	 * too far ahead of the server's clock.
	 */
	Change followClock(KeySpaceSnapshot snapshot, FenceLine followed) {
		return ifRaiseUnchanged(snapshot).when("line_time", snapshot.field("line_time")).set(followed);
	}

	/**
	 * Return the change that stores the rates of a line. The change does not set the
	 * line's time, because other instances may reserve in the meantime.
	 */
	Change changeRate(KeySpaceSnapshot snapshot, FenceLine changed) {
		return ifRaiseUnchanged(snapshot).set("line_rate", changed.rate())
			.set("line_raised_rate", changed.raised())
			.set("line_raised_at", changed.raiseAt());
	}

	/**
	 * Return the change that starts a stored raise of the rate. The server computes when
	 * the raise takes effect, because the change may arrive late.
	 */
	Change startRaise(KeySpaceSnapshot snapshot) {
		return ifRaiseUnchanged(snapshot).setLater("line_raised_at", this.rules.lag());
	}

	private static Change ifRaiseUnchanged(KeySpaceSnapshot snapshot) {
		return Change.on(snapshot.server())
			.when("incarnation", snapshot.lastWriter())
			.when("line_raised_rate", snapshot.field("line_raised_rate"))
			.when("line_raised_at", snapshot.field("line_raised_at"));
	}

}
