/**
 * The mathematics of key spaces: conversions between ordinals, keys and texts. This
 * package uses no clock, no threads and no I/O.
 */
@NullMarked
package dev.idspring.keyspace;

import org.jspecify.annotations.NullMarked;
