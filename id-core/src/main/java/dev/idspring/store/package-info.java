/**
 * The stores that generators use: counters of key spaces, slots with one owner each, and
 * gapless numbers.
 */
@NullMarked
package dev.idspring.store;

import org.jspecify.annotations.NullMarked;
