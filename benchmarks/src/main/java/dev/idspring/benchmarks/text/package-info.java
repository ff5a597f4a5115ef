/**
 * Benchmarks of text ids that hide their numbers.
 */
@NullMarked
package dev.idspring.benchmarks.text;

import org.jspecify.annotations.NullMarked;
