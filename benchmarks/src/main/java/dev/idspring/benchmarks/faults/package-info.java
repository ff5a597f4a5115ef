/**
 * Exposes this project's generators and other generators to the same faults. Measures how
 * many ids are issued twice, and the longest time that a caller waits for an id.
 */
@NullMarked
package dev.idspring.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
