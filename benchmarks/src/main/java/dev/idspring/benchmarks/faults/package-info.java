/**
 * Exposes this project's generators and other generators to the same faults. Measures how
 * many ids are issued twice, and how long no id is issued.
 */
@NullMarked
package dev.idspring.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
