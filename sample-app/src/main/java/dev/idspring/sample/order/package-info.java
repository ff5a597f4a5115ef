/**
 * Orders, invoices and payments: orders are numbered by a recycled generator, invoices
 * without a gap, and payments get a decimal reference with the time in it.
 */
@NullMarked
package dev.idspring.sample.order;

import org.jspecify.annotations.NullMarked;
