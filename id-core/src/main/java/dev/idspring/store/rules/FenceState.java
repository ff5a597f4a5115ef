package dev.idspring.store.rules;

import dev.idspring.store.FenceLine;
import org.jspecify.annotations.Nullable;

/**
 * The server that wrote a key space last, and the server that it was read from.
 *
 * @param writer the server that wrote the key space last, {@code null} before the first
 * contact
 * @param server the server that it was read from, {@code null} without a fence
 * @param line the line of a counter
 * @param clock the clock of the server, in microseconds since 1970
 * @since 0.1.0
 */
public record FenceState(@Nullable String writer, @Nullable String server, FenceLine line, long clock) {

	/** The state without a fence. */
	public static final FenceState NONE = new FenceState(null, null, new FenceLine(0, 0, 1, 1, 0, 0), 0);

	/**
	 * Return whether no server with a fence has written the key space yet.
	 * @return {@code true} if the server must be stored
	 */
	public boolean isFirstContact() {
		return this.writer == null && this.server != null;
	}

	/**
	 * Return whether another server has taken over. That is unknown before the first
	 * contact.
	 * @return {@code true} if the server is not the writer
	 */
	public boolean isOtherServer() {
		return this.writer != null && !this.writer.equals(this.server);
	}

	/**
	 * Return whether the key space must be fenced before it is used on this server.
	 * @return {@code true} at the first contact and after a fail-over
	 */
	public boolean needsTakeOver() {
		return isFirstContact() || isOtherServer();
	}

}
