/**
 * The pure mathematics of key spaces: how an ordinal becomes a key and a key a text, and
 * back. No clock, no thread, no I/O.
 */
@NullMarked
package dev.idspring.keyspace;

import org.jspecify.annotations.NullMarked;
