/**
 * Stripes and chunks between callers and the current block, for keys at the cost of an
 * addition.
 */
@NullMarked
package dev.idspring.block.stripe;

import org.jspecify.annotations.NullMarked;
