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

	Optional<String> findUrl(String key) {
		return this.jdbc.queryForList("select url from link where link_key = ?", String.class, key)
			.stream()
			.findFirst();
	}

}
