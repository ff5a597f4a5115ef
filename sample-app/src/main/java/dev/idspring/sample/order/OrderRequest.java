package dev.idspring.sample.order;

import org.jspecify.annotations.Nullable;

/**
 * A request to place an order.
 *
 * @param customer the name of the customer
 * @param cents the amount to pay, in cents
 * @param tenant the tenant that owns the shop, or {@code null} for the application's own
 * shop
 */
record OrderRequest(@Nullable String customer, @Nullable Long cents, @Nullable String tenant) {

}
