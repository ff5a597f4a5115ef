package dev.idspring.sample.overview;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.sample.SampleApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page asks for, without a browser.
 */
@ExtendWith(OutputCaptureExtension.class)
class OverviewTests {

	private static final List<String> GENERATORS = List.of("default", "links", "orders", "invoices", "payments",
			"shipments", "events");

	private final HttpClient http = HttpClient.newHttpClient();

	private ConfigurableApplicationContext context;

	@BeforeEach
	void start() {
		this.context = new SpringApplicationBuilder(SampleApplication.class, Between.class).run("--server.port=0",
				"--spring.datasource.url=jdbc:h2:mem:overview;DB_CLOSE_DELAY=-1",
				"--spring.lifecycle.timeout-per-shutdown-phase=2s");
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void drawsFromEveryGeneratorAndRemembersTheLast() throws Exception {
		for (String name : GENERATORS) {
			assertThat(JsonPath.<List<String>>read(get("/api/generators/" + name + "/ids").body(), "$.ids")).isEmpty();
			Set<String> all = new HashSet<>();
			for (int count : List.of(1, 700, 600)) {
				String drawn = post("/api/generators/" + name + "/ids?count=" + count).body();
				all.addAll(JsonPath.<List<String>>read(drawn, "$.ids"));
			}
			String drawn = get("/api/generators/" + name + "/ids").body();
			assertThat(JsonPath.<Integer>read(drawn, "$.drawn")).isEqualTo(1301);
			List<String> ids = JsonPath.read(drawn, "$.ids");
			assertThat(ids).hasSize(1000);
			// what was rolled back comes again
			assertThat(all).as(name).hasSize(name.equals("invoices") ? 700 : 1301);
			String last = JsonPath.read(drawn, "$.last");
			Map<String, Object> read = JsonPath.read(get("/actuator/ids/" + name + "/" + last).body(), "$");
			assertThat(read).containsEntry("id", ids.get(999)).containsEntry("text", last);
			List<Long> sorted = ids.stream().map(Long::parseUnsignedLong).sorted(Long::compareUnsigned).toList();
			assertThat(text(name, sorted.get(0))).isEqualTo(JsonPath.read(drawn, "$.lowest"));
			assertThat(text(name, sorted.get(999))).isEqualTo(JsonPath.read(drawn, "$.highest"));
		}
	}

	private String text(String generator, long id) throws Exception {
		return JsonPath.read(get("/actuator/ids/" + generator + "/" + Long.toUnsignedString(id)).body(), "$.text");
	}

	@Test
	void invoiceNumbersAreRolledBack() throws Exception {
		assertThat(JsonPath.<String>read(post("/api/generators/invoices/ids?count=10").body(), "$.last"))
			.isEqualTo("10");
		HttpResponse<String> order = send(request("/orders").header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString("{\"customer\": \"Ada\", \"cents\": 1999}")));
		assertThat(JsonPath.<String>read(order.body(), "$.invoice")).isEqualTo("1");
	}

	@Test
	void refusesInvalidDraws() throws Exception {
		assertThat(post("/api/generators/nobody/ids").statusCode()).isEqualTo(404);
		assertThat(get("/api/generators/nobody/ids").statusCode()).isEqualTo(404);
		for (String count : List.of("0", "-1", "5001", "many")) {
			assertThat(post("/api/generators/default/ids?count=" + count).statusCode()).isEqualTo(400);
		}
		assertThat(JsonPath.<Integer>read(get("/api/generators/default/ids").body(), "$.drawn")).isZero();
	}

	@Test
	void readsAnIdForEveryMatchingGenerator() throws Exception {
		assertThat(candidates("zcDK0x")).containsExactly("default");
		assertThat(candidates("lnk_9hvro97")).containsExactly("links");
		assertThat(candidates("7")).contains("orders", "invoices", "events");
		assertThat(candidates("no%20id")).isEmpty();
	}

	private List<String> candidates(String id) throws Exception {
		return JsonPath.read(get("/actuator/ids?id=" + id).body(), "$.candidates[*].generator");
	}

	@Test
	void sendsEndpointUpdatesUntilTheApplicationStops(CapturedOutput output) throws Exception {
		try (BufferedReader events = events()) {
			for (int i = 0; i < 2; i++) {
				Map<String, Object> generators = JsonPath.read(nextEvent(events), "$.generators");
				assertThat(generators).containsOnlyKeys(GENERATORS.toArray(String[]::new));
			}
			this.context.close();
			assertThat(events.lines()).noneMatch((line) -> line.contains("error"));
		}
		assertThat(output).doesNotContain("Graceful shutdown aborted", "Failed to shut down");
	}

	@Test
	@Tag("wide")
	void stalledViewerDoesNotDelayOthersOrTheShutdown() throws Exception {
		Between between = this.context.getBean(Between.class);
		try (Between.Held held = between.stall("GET /api/live?stalled")) {
			CompletableFuture<?> stalled = this.http.sendAsync(request("/api/live?stalled").GET().build(),
					BodyHandlers.ofInputStream());
			assertThat(held.reached(Duration.ofSeconds(20))).isTrue();
			try (BufferedReader events = events()) {
				CompletableFuture<String> third = CompletableFuture.supplyAsync(() -> {
					nextEvent(events);
					nextEvent(events);
					return nextEvent(events);
				});
				assertThat(third).succeedsWithin(Duration.ofSeconds(20));
			}
			assertThat(stalled).isNotDone();
			CompletableFuture<Void> closed = CompletableFuture.runAsync(this.context::close);
			assertThat(closed).succeedsWithin(Duration.ofSeconds(20));
		}
	}

	@Test
	@Tag("wide")
	void idleViewersMakeRoomForNewOnes() throws Exception {
		List<CompletableFuture<HttpResponse<InputStream>>> idle = new ArrayList<>();
		try (BufferedReader oldest = events()) {
			for (int i = 1; i < Live.MOST_VIEWERS; i++) {
				idle.add(view("/api/live"));
			}
			for (CompletableFuture<HttpResponse<InputStream>> viewer : idle) {
				assertThat(viewer.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
			}
			CompletableFuture<Long> ended = CompletableFuture.supplyAsync(() -> oldest.lines().count());
			// while something is being written to the oldest, another viewer has to go
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
				try (BufferedReader events = events()) {
					nextEvent(events);
					nextEvent(events);
				}
				return ended.isDone();
			});
			assertThat(ended).isCompleted();
		}
		finally {
			closeAll(idle);
		}
	}

	@Test
	@Tag("wide")
	void refusesMoreViewersThanItHasThreadsFor() throws Exception {
		Between between = this.context.getBean(Between.class);
		List<CompletableFuture<HttpResponse<InputStream>>> stalled = new ArrayList<>();
		try (Between.Held held = between.stall("GET /api/live?stalled")) {
			for (int i = 0; i < Live.MOST_VIEWERS; i++) {
				stalled.add(view("/api/live?stalled"));
			}
			Awaitility.await().untilAsserted(() -> assertThat(sendingThreads()).isEqualTo(Live.MOST_VIEWERS));
			HttpResponse<InputStream> refused = this.http.send(
					request("/api/live").header("Accept", "text/event-stream").GET().build(),
					BodyHandlers.ofInputStream());
			try (InputStream body = refused.body()) {
				assertThat(refused.statusCode()).isEqualTo(503);
				assertThat(JsonPath.<String>read(body, "$.detail")).startsWith("Too many");
			}
		}
		closeAll(stalled);
		Awaitility.await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> {
			try (BufferedReader events = events()) {
				return !nextEvent(events).isEmpty();
			}
		});
	}

	private static long sendingThreads() {
		return Thread.getAllStackTraces().keySet().stream().filter((it) -> it.getName().startsWith("live-")).count();
	}

	private static void closeAll(List<CompletableFuture<HttpResponse<InputStream>>> viewers) throws Exception {
		for (CompletableFuture<HttpResponse<InputStream>> viewer : viewers) {
			viewer.get(1, TimeUnit.MINUTES).body().close();
		}
	}

	private CompletableFuture<HttpResponse<InputStream>> view(String path) {
		return this.http.sendAsync(request(path).GET().build(), BodyHandlers.ofInputStream());
	}

	private BufferedReader events() throws Exception {
		return new BufferedReader(new InputStreamReader(
				this.http.send(request("/api/live").GET().build(), BodyHandlers.ofInputStream()).body(),
				StandardCharsets.UTF_8));
	}

	private static String nextEvent(BufferedReader events) {
		StringBuilder data = new StringBuilder();
		for (String line : (Iterable<String>) events.lines()::iterator) {
			if (line.startsWith("data:")) {
				data.append(line.substring("data:".length()));
			}
			else if (line.isEmpty() && !data.isEmpty()) {
				return data.toString();
			}
		}
		throw new IllegalStateException("There are no more events");
	}

	private HttpResponse<String> get(String path) throws Exception {
		return send(request(path).GET());
	}

	private HttpResponse<String> post(String path) throws Exception {
		return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
		return this.http.send(request.build(), BodyHandlers.ofString());
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(
				"http://127.0.0.1:" + this.context.getEnvironment().getRequiredProperty("local.server.port") + path));
	}

}
