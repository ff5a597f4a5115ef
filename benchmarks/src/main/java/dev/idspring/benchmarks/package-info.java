/**
 * Benchmarks of this project's generators. Most of them compare the generators with other
 * libraries, for example with a store in memory, with a database, and at the start of an
 * application.
 */
@NullMarked
package dev.idspring.benchmarks;

import org.jspecify.annotations.NullMarked;
