/**
 * How many rows a second get a number of their tenant, which has no gap.
 */
@NullMarked
package dev.idspring.benchmarks.scopes;

import org.jspecify.annotations.NullMarked;
