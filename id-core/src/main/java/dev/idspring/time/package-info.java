/**
 * Ids that carry the time at which they were made. A {@link dev.idspring.time.TimeScheme}
 * defines how time, node and tail are laid out and written. A
 * {@link dev.idspring.time.TimeIdGenerator} makes such ids. Its node is a slot of a
 * store, and it uses only the window of time that is reserved for the node there.
 */
@NullMarked
package dev.idspring.time;

import org.jspecify.annotations.NullMarked;
