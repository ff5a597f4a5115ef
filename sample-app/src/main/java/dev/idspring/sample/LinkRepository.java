package dev.idspring.sample;

import java.util.List;
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

	void insert(List<Link> links) {
		this.jdbc.batchUpdate("insert into link (link_key, url) values (?, ?)", links, 500, (statement, link) -> {
			statement.setString(1, link.key());
			statement.setString(2, link.url());
		});
	}

	Optional<StoredLink> find(String key) {
		return this.jdbc
			.query("select url, clicks from link where link_key = ?",
					(row, number) -> new StoredLink(row.getString(1), row.getLong(2)), key)
			.stream()
			.findFirst();
	}

	void countClick(String key) {
		this.jdbc.update("update link set clicks = clicks + 1 where link_key = ?", key);
	}

	/**
	 * What is stored for a key.
	 *
	 * @param url where it leads
	 * @param clicks how often it was followed
	 */
	record StoredLink(String url, long clicks) {

	}

}
