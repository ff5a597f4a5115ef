/**
 * An event log. A {@code snowflake} generator issues the ids of events, so events are
 * read in the order of the times in their ids.
 */
@NullMarked
package dev.idspring.sample.event;

import org.jspecify.annotations.NullMarked;
