package dev.idspring.sample;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the event log over HTTP. Pages overlap: each page begins with the events of
 * the 25 seconds before the requested position.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.datasource.url=jdbc:h2:mem:events;DB_CLOSE_DELAY=-1")
class EventTests {

	private final JdbcTemplate jdbc;

	private final IdGenerator ids;

	private final SampleClient client;

	EventTests(@Autowired JdbcTemplate jdbc, @Autowired @Qualifier("events") IdGenerator ids,
			@Autowired Environment environment) {
		this.jdbc = jdbc;
		this.ids = ids;
		this.client = new SampleClient(environment.getRequiredProperty("local.server.port", Integer.class));
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("delete from event");
	}

	private String log(String type) throws Exception {
		HttpResponse<String> response = this.client.post("/events", "application/json", "{\"type\": \"" + type + "\"}");
		assertThat(response.statusCode()).isEqualTo(201);
		return JsonPath.read(response.body(), "$.id");
	}

	private String page(String query) throws Exception {
		HttpResponse<String> response = this.client.get("/events" + query);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return response.body();
	}

	private static List<String> idsOf(String page) {
		return JsonPath.read(page, "$.events[*].id");
	}

	private static String next(String page) {
		return JsonPath.read(page, "$.next");
	}

	@Test
	void loggedEventContainsItsTime() throws Exception {
		Instant before = Instant.now().minusSeconds(10);
		HttpResponse<String> created = this.client.post("/events", "application/json",
				"{\"type\": \"login\", \"detail\": \"Ada\"}");
		assertThat(created.statusCode()).isEqualTo(201);
		assertThat(Instant.parse(JsonPath.read(created.body(), "$.time"))).isBetween(before,
				Instant.now().plusSeconds(10));
		assertThat(JsonPath.<Object>read(page(""), "$.events[0]")).isEqualTo(JsonPath.read(created.body(), "$"));
	}

	@Test
	void consecutivePagesContainAllEventsInOrder() throws Exception {
		List<String> logged = new ArrayList<>();
		for (int i = 0; i < 25; i++) {
			logged.add(log("tick"));
		}
		assertThat(page("?limit=10")).satisfies((page) -> assertThat(idsOf(page)).isEqualTo(logged.subList(0, 10)));
		List<String> newIds = new ArrayList<>();
		Set<String> seen = new HashSet<>();
		String since = "0";
		for (int i = 0; i < 4; i++) {
			String page = page("?limit=10&since=" + since);
			idsOf(page).stream().filter(seen::add).forEach(newIds::add);
			since = next(page);
		}
		assertThat(newIds).isEqualTo(logged);
		assertThat(since).isEqualTo(logged.get(24));
		assertThat(JsonPath.<Integer>read(page(""), "$.overlapMillis")).isEqualTo(25_000);
	}

	/**
	 * The late event has the lower id, but it is committed after the other event was
	 * read.
	 */
	@Test
	void eventThatIsCommittedLateIsNotMissed() throws Exception {
		long lateId = this.ids.nextLong();
		String earlyId = log("early");
		String page = page("?since=0");
		assertThat(idsOf(page)).containsExactly(earlyId);
		this.jdbc.update("insert into event (event_id, event_type, detail) values (?, 'late', '')", lateId);
		assertThat(idsOf(page("?since=" + next(page)))).containsExactly(this.ids.format(lateId), earlyId);
	}

	@Test
	void overlapIncludesOnlyTheLast25Seconds() throws Exception {
		long now = this.ids.nextLong();
		long millisecond = 1L << 22;
		long justInside = now - Duration.ofSeconds(25).toMillis() * millisecond;
		for (long id : new long[] { now, justInside, justInside - 1 }) {
			this.jdbc.update("insert into event (event_id, event_type, detail) values (?, 'x', '')", id);
		}
		assertThat(this.ids.describe(justInside).time()).isEqualTo(this.ids.describe(now).time().minusSeconds(25));
		assertThat(idsOf(page("?since=" + this.ids.format(now)))).containsExactly(this.ids.format(justInside),
				this.ids.format(now));
	}

	@Test
	void readerSeesEveryEventOfConcurrentWriters() throws Exception {
		Set<String> logged = ConcurrentHashMap.newKeySet();
		CompletableFuture<?> writers = CompletableFuture
			.allOf(IntStream.range(0, 8).mapToObj((i) -> CompletableFuture.runAsync(() -> {
				for (int n = 0; n < 50; n++) {
					try {
						assertThat(logged.add(log("w" + i))).isTrue();
					}
					catch (Exception ex) {
						throw new IllegalStateException(ex);
					}
				}
			}, (task) -> new Thread(task).start())).toArray(CompletableFuture[]::new));
		Set<String> seen = new HashSet<>();
		String since = "0";
		boolean last;
		do {
			last = writers.isDone();
			String page = page("?limit=1000&since=" + since);
			seen.addAll(idsOf(page));
			since = next(page);
		}
		while (!last);
		writers.join();
		assertThat(seen).isEqualTo(logged).hasSize(400);
	}

	@Test
	void positionIsUnchangedWithoutNewEvents() throws Exception {
		assertThat(next(page(""))).isEqualTo("0");
		String id = log("one");
		assertThat(next(page("?since=" + id))).isEqualTo(id);
	}

	@ParameterizedTest
	@ValueSource(strings = { "?since=abc", "?since=-1", "?since=9223372036854775808", "?since=9223372036854775807",
			"?limit=0", "?limit=1001", "?limit=many" })
	void invalidQueryIsRejected(String query) throws Exception {
		HttpResponse<String> response = this.client.get("/events" + query);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"type\": \" \"}", "" })
	void invalidEventIsRejected(String body) throws Exception {
		HttpResponse<String> response = this.client.post("/events", "application/json", body);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
	}

}
