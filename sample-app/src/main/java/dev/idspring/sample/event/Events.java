package dev.idspring.sample.event;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.IdGenerator;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Logs events and lets readers follow the log.
 * <p>
 * A reader that continues directly after the last id it has seen would miss events,
 * because events do not become visible in the order of their ids:
 * <ul>
 * <li>An id contains the time of the instance that issued it. The clock of an instance
 * may differ from the clock of the database by up to {@code clock.max-skew} in either
 * direction.</li>
 * <li>In a burst, ids may be ahead of the clock by up to {@code clock.max-ahead}.</li>
 * <li>An event becomes visible when its transaction commits. An event with a higher id
 * may be committed earlier.</li>
 * </ul>
 * Each page therefore begins before the last event that the reader has seen. This overlap
 * allows for all three reasons. Readers see some events again, and recognize them by
 * their ids. A commit may take longer than the overlap, because the transaction timeout
 * applies only to statements. A reader that must never miss an event therefore also reads
 * the whole table from time to time.
 */
@Service
class Events {

	/** The value of {@code clock.max-skew} for this generator. */
	private static final Duration MAX_SKEW = Duration.ofSeconds(5);

	/** The value of {@code clock.max-ahead} for this generator. */
	private static final Duration MAX_AHEAD = Duration.ofSeconds(1);

	private static final int TRANSACTION_SECONDS = 10;

	/** Additional time for the commit and for reading a page. */
	private static final int SLACK_SECONDS = 4;

	private static final Duration OVERLAP = MAX_SKEW.multipliedBy(2)
		.plus(MAX_AHEAD)
		.plusSeconds(TRANSACTION_SECONDS + SLACK_SECONDS);

	/**
	 * The number of bits below the time in milliseconds: 10 bits for the node, and 12
	 * that distinguish the ids of a node within a millisecond.
	 */
	private static final int BITS_BELOW_TIME = 10 + 12;

	private final IdGenerator ids;

	private final EventRepository repository;

	Events(IdGenerator eventsIdGenerator, EventRepository repository) {
		this.ids = eventsIdGenerator;
		this.repository = repository;
	}

	/**
	 * Log an event. The id is drawn inside the transaction. An id that was drawn earlier
	 * might be older than the overlap, and readers would miss the event.
	 */
	@Transactional(timeout = TRANSACTION_SECONDS)
	Event log(String type, String detail) {
		long id = this.ids.nextLong();
		this.repository.insert(id, type, detail);
		return new Event(this.ids.format(id), this.ids.describe(id).time(), type, detail);
	}

	/**
	 * Return the events after the last event that a reader has seen. The result also
	 * contains that event and those shortly before it.
	 * @param since the id of the last event that the reader has seen, or {@code 0} for
	 * all events
	 * @param limit the maximum number of events after {@code since}
	 * @throws IllegalArgumentException if the string is not an id, or the time in the id
	 * is too far in the future
	 */
	EventPage since(String since, int limit) {
		long seen = this.ids.parse(since);
		if (this.ids.describe(seen).time().isAfter(Instant.now().plus(OVERLAP))) {
			throw new IllegalArgumentException(
					"No event with the id '" + since + "' exists yet: the time in the id is in the future");
		}
		long from = Math.max(0, seen - (OVERLAP.toMillis() << BITS_BELOW_TIME)) - 1;
		// read the newer events first, so that the second query finds events with lower
		// ids that are committed in the meantime
		List<Event> newer = this.repository.findAfter(seen, limit);
		List<Event> events = new ArrayList<>(this.repository.findBetween(from, seen));
		events.addAll(newer);
		String last = events.isEmpty() ? since : events.get(events.size() - 1).id();
		return new EventPage(events, (this.ids.parse(last) > seen) ? last : since, OVERLAP.toMillis());
	}

}
