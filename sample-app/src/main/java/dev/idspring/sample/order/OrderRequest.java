package dev.idspring.sample.order;

import org.jspecify.annotations.Nullable;

/**
 * A request to place an order.
 *
 * @param customer the name of the customer
 * @param cents the amount to pay, in cents
 * @param tenant the tenant that receives the order, or {@code null} for the tenant
 * {@code shop}
 */
record OrderRequest(@Nullable String customer, @Nullable Long cents, @Nullable String tenant) {

}
