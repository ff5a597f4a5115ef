package dev.idspring.store.rules;

import dev.idspring.store.FenceLine;
import org.jspecify.annotations.Nullable;

/**
 * The state that shows whether a fail-over has happened: the server that last wrote a key
 * space, and the server that the state was read from.
 *
 * @param writer the server that last wrote the key space, or {@code null} if no server
 * has been recorded yet
 * @param server the server that the state was read from, or {@code null} without a fence
 * @param line the line, which limits how fast a counter of the key space advances
 * @param clock the time by the clock of {@code server}, in microseconds since 1970
 * @since 0.1.0
 */
public record FenceState(@Nullable String writer, @Nullable String server, FenceLine line, long clock) {

	/** The state of key spaces without a fence. */
	public static final FenceState NONE = new FenceState(null, null, new FenceLine(0, 0, 1, 1, 0, 0), 0);

	/**
	 * Return whether the fence is enabled, but no writer of the key space has been
	 * recorded yet.
	 * @return {@code true} if the current server must be recorded as the first writer
	 */
	public boolean isFirstContact() {
		return this.writer == null && this.server != null;
	}

	/**
	 * Return whether a fail-over is known to have happened since the key space was last
	 * written. At the {@linkplain #isFirstContact() first contact}, no fail-over is
	 * known.
	 * @return {@code true} if the server is not the writer
	 */
	public boolean hasFailedOver() {
		return this.writer != null && !this.writer.equals(this.server);
	}

	/**
	 * Return whether a take-over is needed before the key space can be used on this
	 * server.
	 * @return {@code true} at the first contact and after a fail-over
	 */
	public boolean needsTakeOver() {
		return isFirstContact() || hasFailedOver();
	}

}
