/**
 * The mathematics of key spaces: conversions between ordinals, keys and strings. This
 * package uses no clock, no threads and no I/O.
 */
@NullMarked
package dev.idspring.keyspace;

import org.jspecify.annotations.NullMarked;
