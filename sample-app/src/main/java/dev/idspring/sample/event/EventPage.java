package dev.idspring.sample.event;

import java.util.List;

/**
 * Events in the order of their ids.
 *
 * @param events the events; those at the beginning may have been seen before
 * @param next from where to go on: what to give as {@code since} the next time
 * @param overlapMillis how far back from there the next page will begin
 */
record EventPage(List<Event> events, String next, long overlapMillis) {

}
