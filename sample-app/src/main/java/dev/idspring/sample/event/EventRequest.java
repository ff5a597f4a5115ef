package dev.idspring.sample.event;

import org.jspecify.annotations.Nullable;

/**
 * Asks for an event to be logged.
 *
 * @param type what kind of thing happened, 1 to 100 characters
 * @param detail what exactly, up to 2,000 characters
 */
record EventRequest(@Nullable String type, @Nullable String detail) {

}
