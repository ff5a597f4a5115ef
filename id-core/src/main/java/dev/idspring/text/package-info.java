/**
 * Converts numbers to strings or UUIDs and back. A string consists of digits of an
 * alphabet, optionally with a check character and a prefix. With secrets, the number is
 * first permuted. This package uses no clock, starts no threads and performs no I/O.
 */
@NullMarked
package dev.idspring.text;

import org.jspecify.annotations.NullMarked;
