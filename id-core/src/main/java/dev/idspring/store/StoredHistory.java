package dev.idspring.store;

import java.time.Instant;

import dev.idspring.monitor.UsageHistory;

/**
 * What a store remembers of how a key space came to be reserved.
 *
 * @param history the marks that all instances have made
 * @param readAt when this was read, by the clock of the store
 * @since 0.1.0
 */
public record StoredHistory(UsageHistory history, Instant readAt) {

}
