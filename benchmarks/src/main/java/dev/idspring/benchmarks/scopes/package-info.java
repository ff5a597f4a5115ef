/**
 * Benchmarks of gapless numbers per tenant.
 */
@NullMarked
package dev.idspring.benchmarks.scopes;

import org.jspecify.annotations.NullMarked;
