package dev.idspring.sample.order;

import org.jspecify.annotations.Nullable;

/**
 * Asks for an order to be placed.
 *
 * @param customer who orders
 * @param cents what is to be paid
 * @param tenant whose shop it is, {@code null} for the shop of this application
 */
record OrderRequest(@Nullable String customer, @Nullable Long cents, @Nullable String tenant) {

}
