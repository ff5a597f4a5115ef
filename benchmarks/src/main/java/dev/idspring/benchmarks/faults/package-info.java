/**
 * The same faults for this project's generators and for others: how many ids come twice,
 * and how long none comes.
 */
@NullMarked
package dev.idspring.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
