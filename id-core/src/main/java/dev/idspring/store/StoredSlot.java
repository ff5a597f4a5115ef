package dev.idspring.store;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a store remembers of a slot. All times are those of the store's own clock.
 *
 * @param slot the slot
 * @param owner the id of its owner, or {@code null} if it has none
 * @param token what the attempt wrote that changed it last, or {@code null} if the store
 * moved it by itself
 * @param leasedAt when the owner last renewed, or the slot was left
 * @param leaseUntil when the owner's lease runs out
 * @param readAt the time at which that was so
 * @since 0.1.0
 */
public record StoredSlot(Slot slot, @Nullable String owner, @Nullable String token, Instant leasedAt,
		Instant leaseUntil, Instant readAt) {

	/**
	 * Return whether there is an owner whose lease has not run out.
	 * @return {@code true} if the slot must not be taken over
	 */
	public boolean live() {
		return this.owner != null && !this.leaseUntil.isBefore(this.readAt);
	}

	/**
	 * Return how long ago the owner renewed, or the slot was left.
	 * @return zero or more
	 */
	public Duration leaseAge() {
		return notNegative(Duration.between(this.leasedAt, this.readAt));
	}

	/**
	 * Return how long the lease has to run.
	 * @return zero if it has run out or there is no owner
	 */
	public Duration leaseLeft() {
		return (this.owner != null) ? notNegative(Duration.between(this.readAt, this.leaseUntil)) : Duration.ZERO;
	}

	private static Duration notNegative(Duration duration) {
		return duration.isNegative() ? Duration.ZERO : duration;
	}

}
