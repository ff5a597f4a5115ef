package dev.idspring.sample.order;

/**
 * A paid order. The id and the other numbers from generators are strings because
 * JavaScript numbers cannot represent all {@code long} values.
 *
 * @param id the id of the order
 * @param customer the name of the customer
 * @param cents the amount paid, in cents
 * @param invoice the number of the invoice, from one sequence for all tenants
 * @param document the number printed on the invoice, from the tenant's own sequence,
 * which restarts each year
 * @param payment the reference of the payment
 */
record Order(String id, String customer, long cents, String invoice, String document, String payment) {

}
