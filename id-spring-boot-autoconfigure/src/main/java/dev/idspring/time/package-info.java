/**
 * Ids that carry the time at which they were made: how time, node and tail are laid out
 * in a number and in a text.
 */
@NullMarked
package dev.idspring.time;

import org.jspecify.annotations.NullMarked;
