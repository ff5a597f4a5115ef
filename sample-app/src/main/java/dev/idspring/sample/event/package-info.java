/**
 * An event log: events are keyed by a snowflake generator, so that they are stored and
 * read in the order of time.
 */
@NullMarked
package dev.idspring.sample.event;

import org.jspecify.annotations.NullMarked;
