/**
 * An event log. The ids of events come from a {@code snowflake} generator, so events are
 * stored and read in the order of time.
 */
@NullMarked
package dev.idspring.sample.event;

import org.jspecify.annotations.NullMarked;
