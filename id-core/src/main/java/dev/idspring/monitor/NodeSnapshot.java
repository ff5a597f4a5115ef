package dev.idspring.monitor;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The node of one instance.
 *
 * @param number the number of the node, or {@code null} if there is none at the moment
 * @param source where it comes from, as in {@code ids.node.source}
 * @param owner the id under which this instance owns it, or {@code null} if no store
 * knows of it
 * @param windowStart the first instant this instance has used or may use under this
 * number, or {@code null} if there is no node
 * @param windowEnd up to when times are reserved, exclusive, or {@code null} if there is
 * no node or no store
 * @param leaseUntil when another instance may take the node over, by the clock of the
 * store, or {@code null} likewise
 * @since 0.1.0
 */
public record NodeSnapshot(@Nullable Long number, String source, @Nullable String owner, @Nullable Instant windowStart,
		@Nullable Instant windowEnd, @Nullable Instant leaseUntil) {

}
