package dev.idspring.sample.order;

/**
 * An order that has been paid. Numbers are strings, since JavaScript cannot hold all
 * longs.
 *
 * @param id the id of the order
 * @param customer who ordered
 * @param cents what was paid
 * @param invoice the number of the invoice, of all tenants
 * @param document the number on the invoice, which each tenant has begin again each year
 * @param payment the reference under which it was paid
 */
record Order(String id, String customer, long cents, String invoice, String document, String payment) {

}
