/**
 * The mathematics of key spaces: conversions between ordinals, keys and strings. This
 * package uses no clock and no threads, and does no I/O.
 */
@NullMarked
package dev.idspring.keyspace;

import org.jspecify.annotations.NullMarked;
