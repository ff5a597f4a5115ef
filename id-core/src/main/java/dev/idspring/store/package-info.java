/**
 * The stores that generators need: counters of key spaces, slots with one owner, and
 * gapless numbers. Includes in-memory stores.
 */
@NullMarked
package dev.idspring.store;

import org.jspecify.annotations.NullMarked;
