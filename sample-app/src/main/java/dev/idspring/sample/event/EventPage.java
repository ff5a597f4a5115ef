package dev.idspring.sample.event;

import java.util.List;

/**
 * A page of events in the order of their ids.
 *
 * @param events the events; the reader may already have seen the first ones
 * @param next the value of {@code since} in the request for the next page
 * @param overlapMillis how many milliseconds before the time in {@code next} the
 * following page begins
 */
record EventPage(List<Event> events, String next, long overlapMillis) {

}
