package dev.idspring.sample.event;

import java.util.List;

import dev.idspring.IdGenerator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.stereotype.Repository;

/**
 * The table of events.
 */
@Repository
class EventRepository {

	private final JdbcTemplate jdbc;

	private final RowMapper<Event> mapper;

	EventRepository(JdbcTemplate jdbc, IdGenerator eventsIdGenerator) {
		this.jdbc = jdbc;
		this.mapper = (row, number) -> {
			long id = row.getLong(1);
			return new Event(eventsIdGenerator.format(id), eventsIdGenerator.describe(id).time(), row.getString(2),
					row.getString(3));
		};
	}

	void insert(long id, String type, String detail) {
		this.jdbc.update("insert into event (event_id, event_type, detail) values (?, ?, ?)", id, type, detail);
	}

	/**
	 * Find the events between two ids.
	 * @param after the lower bound, exclusive
	 * @param last the upper bound, inclusive
	 */
	List<Event> findBetween(long after, long last) {
		return this.jdbc.query("select event_id, event_type, detail from event where event_id > ? and event_id <= ?"
				+ " order by event_id", this.mapper, after, last);
	}

	List<Event> findAfter(long after, int limit) {
		return this.jdbc.query(
				"select event_id, event_type, detail from event where event_id > ? order by event_id limit ?",
				this.mapper, after, limit);
	}

}
