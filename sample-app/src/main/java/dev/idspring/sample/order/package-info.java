/**
 * Orders and invoices: orders are numbered by a recycled generator, invoices without a
 * gap.
 */
@NullMarked
package dev.idspring.sample.order;

import org.jspecify.annotations.NullMarked;
