/**
 * The pure mathematics of key spaces: the conversion of ordinals to keys, of keys to
 * texts, and back. No clock, no thread, no I/O.
 */
@NullMarked
package dev.idspring.keyspace;

import org.jspecify.annotations.NullMarked;
