/**
 * Benchmarks that compare the generators with other libraries: with a store in memory,
 * with databases, and at the start of an application.
 */
@NullMarked
package dev.idspring.benchmarks;

import org.jspecify.annotations.NullMarked;
