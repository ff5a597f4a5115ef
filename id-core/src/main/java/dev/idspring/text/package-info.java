/**
 * Writes and reads the text forms of a number: digits of an alphabet, permuted by a
 * secret, with a check character and a prefix. No clock, no thread, no I/O.
 */
@NullMarked
package dev.idspring.text;

import org.jspecify.annotations.NullMarked;
