package dev.idspring.sample;

import java.util.Map;
import java.util.Optional;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/**
 * The table of links.
 */
@Repository
class LinkRepository {

	private final JdbcTemplate jdbc;

	LinkRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Insert links.
	 * @param urls the URLs by link id
	 */
	void insert(Map<Long, String> urls) {
		this.jdbc.batchUpdate("insert into link (link_id, url) values (?, ?)", urls.entrySet(), 500,
				(statement, link) -> {
					statement.setLong(1, link.getKey());
					statement.setString(2, link.getValue());
				});
	}

	Optional<StoredLink> find(long id) {
		return this.jdbc
			.query("select url, clicks from link where link_id = ?",
					(row, number) -> new StoredLink(row.getString(1), row.getLong(2)), id)
			.stream()
			.findFirst();
	}

	void countClick(long id) {
		this.jdbc.update("update link set clicks = clicks + 1 where link_id = ?", id);
	}

	/**
	 * The stored data of a link.
	 *
	 * @param url the URL to which the link redirects
	 * @param clicks how often the link was followed
	 */
	record StoredLink(String url, long clicks) {

	}

}
