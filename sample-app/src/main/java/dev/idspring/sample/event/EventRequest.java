package dev.idspring.sample.event;

import org.jspecify.annotations.Nullable;

/**
 * A request to log an event.
 *
 * @param type the type of the event, 1 to 100 characters
 * @param detail a description of the event, up to 2,000 characters
 */
record EventRequest(@Nullable String type, @Nullable String detail) {

}
