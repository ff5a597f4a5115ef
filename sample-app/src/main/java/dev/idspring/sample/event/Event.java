package dev.idspring.sample.event;

import java.time.Instant;

/**
 * A logged event.
 *
 * @param id the id of the event. Ids sort by time. The id is a string because JavaScript
 * numbers cannot represent all {@code long} values
 * @param time the time at which the event was logged, which is part of the id
 * @param type the type of the event
 * @param detail a description of the event
 */
record Event(String id, Instant time, String type, String detail) {

}
