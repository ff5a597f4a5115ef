package dev.idspring.sample.event;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.IdGenerator;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Logs events, and lets readers follow the log.
 * <p>
 * Who reads on from the last id it has seen would miss events, because events do not
 * become visible in the order of their ids:
 * <ul>
 * <li>an id carries the time of the instance that drew it, and clocks differ: each by up
 * to {@code clock.max-skew} from the database's, either way;</li>
 * <li>in a burst ids are ahead of the clock by up to {@code clock.max-ahead};</li>
 * <li>an event becomes visible when its transaction commits, which may be later than that
 * of an event with a higher id.</li>
 * </ul>
 * So every page begins a little before the event that was seen last: by as much as all of
 * that can make. Readers must expect to see events again, and know them by their ids. The
 * last of the three has no strict bound: the timeout holds for the statements, and a
 * commit may hang for longer. Who must not miss anything even then reads the table again
 * from time to time.
 */
@Service
class Events {

	/** The bounds that are configured for this generator. */
	private static final Duration MAX_SKEW = Duration.ofSeconds(5);

	private static final Duration MAX_AHEAD = Duration.ofSeconds(1);

	private static final int TRANSACTION_SECONDS = 10;

	/** For the commit, and for what happens while a page is being read. */
	private static final int SLACK_SECONDS = 4;

	private static final Duration OVERLAP = MAX_SKEW.multipliedBy(2)
		.plus(MAX_AHEAD)
		.plusSeconds(TRANSACTION_SECONDS + SLACK_SECONDS);

	/** The bits of node and tail, which are below those of the time. */
	private static final int BITS_BELOW_TIME = 10 + 12;

	private final IdGenerator ids;

	private final EventRepository repository;

	Events(IdGenerator eventsIdGenerator, EventRepository repository) {
		this.ids = eventsIdGenerator;
		this.repository = repository;
	}

	/**
	 * Log an event. The id is drawn inside of the transaction: what is drawn before may
	 * lie further back than readers look.
	 */
	@Transactional(timeout = TRANSACTION_SECONDS)
	Event log(String type, String detail) {
		long id = this.ids.nextLong();
		this.repository.insert(id, type, detail);
		return new Event(this.ids.format(id), this.ids.describe(id).time(), type, detail);
	}

	/**
	 * Find the events after one that was seen, and once more those shortly before it.
	 * @param since the id of the last event that was seen, {@code 0} for all
	 * @param limit how many events that were not seen yet
	 * @throws IllegalArgumentException if the text is no id, or one of times to come
	 */
	EventPage since(String since, int limit) {
		long seen = this.ids.parse(since);
		if (this.ids.describe(seen).time().isAfter(Instant.now().plus(OVERLAP))) {
			throw new IllegalArgumentException("'" + since + "' cannot have been seen: its time is still to come");
		}
		long from = Math.max(0, seen - (OVERLAP.toMillis() << BITS_BELOW_TIME)) - 1;
		// in this order: what is committed in between is then among those that come late
		List<Event> newer = this.repository.findAfter(seen, limit);
		List<Event> events = new ArrayList<>(this.repository.findBetween(from, seen));
		events.addAll(newer);
		String last = events.isEmpty() ? since : events.get(events.size() - 1).id();
		return new EventPage(events, (this.ids.parse(last) > seen) ? last : since, OVERLAP.toMillis());
	}

}
