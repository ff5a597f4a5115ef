/**
 * Ids that carry the time at which they were made. A {@link dev.idspring.time.TimeScheme}
 * says how time, node and tail are laid out and written, a
 * {@link dev.idspring.time.TimeIdGenerator} makes such ids: as a node that is a slot of a
 * store, within the window of time that is reserved for it there.
 */
@NullMarked
package dev.idspring.time;

import org.jspecify.annotations.NullMarked;
