/**
 * What generators ask of a store: counters of key spaces, slots with one owner, and
 * gapless numbers; with stores in memory.
 */
@NullMarked
package dev.idspring.store;

import org.jspecify.annotations.NullMarked;
