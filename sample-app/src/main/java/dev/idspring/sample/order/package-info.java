/**
 * Orders, invoices and payments. Order ids come from a {@code recycled} generator.
 * Invoice numbers have no gaps. Payment references are decimal and contain the time.
 */
@NullMarked
package dev.idspring.sample.order;

import org.jspecify.annotations.NullMarked;
