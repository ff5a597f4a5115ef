/**
 * Benchmarks of this project's generators. Most of them compare the generators with other
 * libraries. They measure, for example, generators with a store in memory, generators
 * with a database, and the start of an application.
 */
@NullMarked
package dev.idspring.benchmarks;

import org.jspecify.annotations.NullMarked;
