/**
 * Benchmarks of the text forms of ids, with and without a secret.
 */
@NullMarked
package dev.idspring.benchmarks.text;

import org.jspecify.annotations.NullMarked;
