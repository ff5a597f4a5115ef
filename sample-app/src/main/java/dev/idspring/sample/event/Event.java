package dev.idspring.sample.event;

import java.time.Instant;

/**
 * Something that happened.
 *
 * @param id tells events apart, and sorts them by time; a string, since JavaScript cannot
 * hold all longs
 * @param time when it was logged, which is what the id says
 * @param type what kind of thing
 * @param detail what exactly
 */
record Event(String id, Instant time, String type, String detail) {

}
