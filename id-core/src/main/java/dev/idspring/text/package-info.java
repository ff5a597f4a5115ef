/**
 * Converts numbers to strings or UUIDs and back. A string consists of digits of an
 * alphabet, optionally with a check character and a prefix. The number may be permuted
 * under a secret. This package uses no clock, no threads and no I/O.
 */
@NullMarked
package dev.idspring.text;

import org.jspecify.annotations.NullMarked;
