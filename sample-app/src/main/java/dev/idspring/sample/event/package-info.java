/**
 * An event log. The ids of events come from a {@code snowflake} generator, so events are
 * read in the order of the times in their ids.
 */
@NullMarked
package dev.idspring.sample.event;

import org.jspecify.annotations.NullMarked;
