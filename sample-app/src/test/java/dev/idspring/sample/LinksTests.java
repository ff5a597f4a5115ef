package dev.idspring.sample;

import java.time.Instant;
import java.util.List;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.test.TestIdClock;
import dev.idspring.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Links} in a test slice. This is the example in
 * {@code docs/testing.md}.
 */
@JdbcTest
@Import({ Links.class, LinkRepository.class })
@AutoConfigureTestIds
class LinksTests {

	@Test
	void keysAreTheSameInEveryRun(@Autowired Links links) {
		List<Link> shortened = links.shorten(List.of("https://example.com/a", "https://example.com/b"));
		assertThat(shortened).extracting(Link::key).containsExactly("9hvro97", "uyyZYyi");
		assertThat(links.follow("uyyZYyi")).contains("https://example.com/b");
	}

	@Test
	void timeIsSetByTheTest(@Autowired IdGenerators ids, @Autowired TestIdClock clock) {
		clock.set(Instant.parse("2030-01-01T00:00:00Z"));
		IdGenerator events = ids.get("events");
		assertThat(events.describe(events.nextLong()).time()).isEqualTo("2030-01-01T00:00:00Z");
	}

}
