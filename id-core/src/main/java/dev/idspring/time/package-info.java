/**
 * Time-based ids, which contain the time at which they were generated. A
 * {@link dev.idspring.time.TimeScheme} defines the layout and the text form of ids. A
 * {@link dev.idspring.time.TimeIdGenerator} generates ids. With a store, the generator
 * claims a slot as its node, and uses only times that it has reserved for this node.
 */
@NullMarked
package dev.idspring.time;

import org.jspecify.annotations.NullMarked;
