/**
 * Orders, invoices and payments. A {@code recycled} generator issues the order ids.
 * Invoice numbers have no gaps. Payment references are decimal and contain the time.
 */
@NullMarked
package dev.idspring.sample.order;

import org.jspecify.annotations.NullMarked;
