/**
 * Orders, invoices and payments. The ids of orders come from a {@code recycled}
 * generator. The numbers of invoices have no gaps. The references of payments are decimal
 * and contain the time.
 */
@NullMarked
package dev.idspring.sample.order;

import org.jspecify.annotations.NullMarked;
