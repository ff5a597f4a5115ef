/**
 * How fast ids come, beside those of others: with a store in memory, with databases, and
 * at the start of an application.
 */
@NullMarked
package dev.idspring.benchmarks;

import org.jspecify.annotations.NullMarked;
