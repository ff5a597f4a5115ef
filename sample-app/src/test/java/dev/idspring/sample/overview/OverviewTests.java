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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.sample.SampleApplication;
import org.assertj.core.api.InstanceOfAssertFactories;
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
 * Tests for the requests that the overview page sends. The tests do not use a browser.
 */
@ExtendWith(OutputCaptureExtension.class)
class OverviewTests {

	private static final List<String> GENERATORS = List.of("default", "links", "orders", "invoices", "payments",
			"shipments", "events");

	private final HttpClient http = HttpClient.newHttpClient();

	private ConfigurableApplicationContext context;

	@BeforeEach
	void start() {
		this.context = new SpringApplicationBuilder(SampleApplication.class, TrafficControl.class).run(
				"--server.port=0", "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
				"--spring.lifecycle.timeout-per-shutdown-phase=2s");
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void drawsFromEveryGeneratorAndShowsTheLastId() throws Exception {
		for (String name : GENERATORS) {
			assertThat(JsonPath.<List<String>>read(get("/api/generators/" + name + "/ids").body(), "$.ids")).isEmpty();
			for (int count : List.of(1, 700, 600)) {
				post("/api/generators/" + name + "/ids?count=" + count);
			}
			String drawn = get("/api/generators/" + name + "/ids").body();
			assertThat(JsonPath.<Integer>read(drawn, "$.drawn")).isEqualTo(1301);
			List<String> ids = JsonPath.read(drawn, "$.ids");
			assertThat(ids).hasSizeBetween(1, ChartData.MAX_POINTS);
			assertThat(JsonPath.<List<Double>>read(drawn, "$.heights")).hasSameSizeAs(ids)
				.allMatch((height) -> height >= 0 && height <= 1);
			String last = JsonPath.read(drawn, "$.last");
			Map<String, Object> description = JsonPath.read(get("/actuator/ids/" + name + "/" + last).body(), "$");
			assertThat(description).containsEntry("id", ids.get(ids.size() - 1)).containsEntry("text", last);
			List<Long> sorted = ids.stream().map(Long::parseUnsignedLong).sorted(Long::compareUnsigned).toList();
			assertThat(text(name, sorted.get(0))).isEqualTo(JsonPath.read(drawn, "$.lowest"));
			assertThat(text(name, sorted.get(ids.size() - 1))).isEqualTo(JsonPath.read(drawn, "$.highest"));
		}
	}

	@Test
	void omitsIdsEvenlyButShowsTheLastId() throws Exception {
		for (int i = 0; i < 12; i++) {
			post("/api/generators/links/ids?count=5000");
			post("/api/generators/default/ids?count=5000");
		}
		String links = get("/api/generators/links/ids").body();
		assertThat(JsonPath.<Integer>read(links, "$.step")).isEqualTo(RecentIds.LENGTH / ChartData.MAX_POINTS);
		List<Long> ids = JsonPath.<List<String>>read(links, "$.ids").stream().map(Long::valueOf).toList();
		assertThat(ids).hasSize(ChartData.MAX_POINTS).last().isEqualTo(60_000L);
		assertThat(IntStream.range(1, ids.size())).allMatch((i) -> ids.get(i) - ids.get(i - 1) == 50);
		String coprime = get("/api/generators/default/ids").body();
		assertThat(JsonPath.<Integer>read(coprime, "$.step")).isOne();
		assertThat(JsonPath.<List<String>>read(coprime, "$.ids")).hasSize(ChartData.MAX_POINTS);
	}

	@Test
	void showsTheLastMillisecondsAsAStaircase() throws Exception {
		Set<Long> times = new TreeSet<>();
		String drawn = "";
		while (times.size() < 20) {
			drawn = post("/api/generators/events/ids?count=5000").body();
			times.addAll(times(drawn));
		}
		List<Long> all = List.copyOf(times);
		List<Long> shownTimes = times(drawn);
		assertThat(new TreeSet<>(shownTimes)).containsExactlyElementsOf(all.subList(all.size() - 10, all.size()));
		List<Double> heights = JsonPath.read(drawn, "$.heights");
		assertThat(heights).isSorted().first().isEqualTo(0.0);
		assertThat(IntStream.range(1, heights.size())
			.filter((i) -> !shownTimes.get(i).equals(shownTimes.get(i - 1)))
			.mapToDouble((i) -> heights.get(i) - heights.get(i - 1))).hasSize(9).allMatch((jump) -> jump > 0.05);
	}

	private static List<Long> times(String drawn) {
		return JsonPath.<List<String>>read(drawn, "$.ids").stream().map((id) -> Long.parseLong(id) >> 22).toList();
	}

	@Test
	void showsIdsThatOtherCodeHasDrawn() throws Exception {
		send(request("/orders").header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString("{\"customer\": \"Ada\", \"cents\": 1999}")));
		for (String name : List.of("orders", "invoices", "payments")) {
			assertThat(JsonPath.<Integer>read(get("/api/generators/" + name + "/ids").body(), "$.drawn")).isOne();
		}
		IdGenerator links = this.context.getBean(IdGenerators.class).get("links");
		List<Long> ids = new ArrayList<>(
				List.of(links.nextLong(), links.parse(links.nextString()), links.fromUuid(links.nextUuid())));
		links.nextStrings(2).forEach((text) -> ids.add(links.parse(text)));
		long[] two = new long[2];
		links.nextLongs(two);
		ids.addAll(List.of(two[0], two[1]));
		assertThat(JsonPath.<List<String>>read(get("/api/generators/links/ids").body(), "$.ids"))
			.containsExactlyElementsOf(ids.stream().map(String::valueOf).toList());
	}

	@Test
	void pageLinksToExistingPagesAndShowsGeneratorsFirst() throws Exception {
		String page = get("/").body();
		List<String> links = Pattern.compile("href=\"([^\"]+)\"")
			.matcher(page.replace("documentation.html?", "documentation/"))
			.results()
			.map((link) -> "/" + link.group(1))
			.filter((link) -> !link.equals("/data:,"))
			.toList();
		assertThat(links).contains("/actuator/ids", "/documentation.html", "/documentation/docs/strategies.md");
		for (String link : links) {
			assertThat(get(link).statusCode()).as(link).isEqualTo(200);
		}
		assertThat(get("/documentation/README.md").body()).startsWith("# id-spring-boot");
		assertThat(page.indexOf("id=\"generators\"")).isPositive().isLessThan(page.indexOf("id=\"forms\""));
	}

	private String text(String generator, long id) throws Exception {
		return JsonPath.read(get("/actuator/ids/" + generator + "/" + Long.toUnsignedString(id)).body(), "$.text");
	}

	@Test
	void invoiceNumbersDrawnForDemonstrationAreRolledBack() throws Exception {
		assertThat(JsonPath.<String>read(post("/api/generators/invoices/ids?count=10").body(), "$.last"))
			.isEqualTo("10");
		HttpResponse<String> order = send(request("/orders").header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString("{\"customer\": \"Ada\", \"cents\": 1999}")));
		assertThat(JsonPath.<String>read(order.body(), "$.invoice")).isEqualTo("1");
	}

	@Test
	void rejectsInvalidDraws() throws Exception {
		assertThat(post("/api/generators/unknown/ids").statusCode()).isEqualTo(404);
		assertThat(get("/api/generators/unknown/ids").statusCode()).isEqualTo(404);
		for (String count : List.of("0", "-1", "5001", "many")) {
			assertThat(post("/api/generators/default/ids?count=" + count).statusCode()).isEqualTo(400);
		}
		assertThat(JsonPath.<Integer>read(get("/api/generators/default/ids").body(), "$.drawn")).isZero();
	}

	@Test
	void namesEveryGeneratorThatMatchesAnId() throws Exception {
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
				Map<String, Object> generators = JsonPath.read(nextEvent(events), "$.ids.generators");
				assertThat(generators).containsOnlyKeys(GENERATORS.toArray(String[]::new));
			}
			this.context.close();
			assertThat(events.lines()).noneMatch((line) -> line.contains("error"));
		}
		assertThat(output).doesNotContain("Graceful shutdown aborted", "Failed to shut down");
	}

	@Test
	void sendsTheRatesOfTheLastMinute() throws Exception {
		try (BufferedReader events = events()) {
			nextEvent(events);
			post("/api/generators/links/ids?count=100");
			Awaitility.await().untilAsserted(() -> {
				Map<String, Object> links = JsonPath.read(nextEvent(events), "$.issued.links");
				assertThat(links).containsEntry("total", 100);
				assertThat(JsonPath.<List<Integer>>read(links, "$.perSecond")).hasSize(60)
					.contains(0)
					.filteredOn((rate) -> rate > 0)
					.singleElement(InstanceOfAssertFactories.INTEGER)
					.isBetween(1, 1000);
			});
		}
	}

	@Test
	@Tag("wide")
	void stalledViewerDelaysNeitherOtherViewersNorTheShutdown() throws Exception {
		TrafficControl traffic = this.context.getBean(TrafficControl.class);
		try (TrafficControl.Blockade blockade = traffic.stall("GET /api/live?stalled")) {
			CompletableFuture<?> stalled = this.http.sendAsync(request("/api/live?stalled").GET().build(),
					BodyHandlers.ofInputStream());
			assertThat(blockade.awaitBlockedResponse(Duration.ofMinutes(1))).isTrue();
			try (BufferedReader events = events()) {
				CompletableFuture<String> thirdEvent = CompletableFuture.supplyAsync(() -> {
					nextEvent(events);
					nextEvent(events);
					return nextEvent(events);
				});
				assertThat(thirdEvent).succeedsWithin(Duration.ofSeconds(20));
			}
			assertThat(stalled).isNotDone();
			CompletableFuture<Void> closed = CompletableFuture.runAsync(this.context::close);
			assertThat(closed).succeedsWithin(Duration.ofSeconds(20));
		}
	}

	@Test
	@Tag("wide")
	void newViewerReplacesAnIdleViewerAtTheLimit() throws Exception {
		List<CompletableFuture<HttpResponse<InputStream>>> idle = new ArrayList<>();
		try (BufferedReader oldest = events()) {
			for (int i = 1; i < LiveUpdates.MAX_VIEWERS; i++) {
				idle.add(view("/api/live"));
			}
			for (CompletableFuture<HttpResponse<InputStream>> viewer : idle) {
				assertThat(viewer.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
			}
			CompletableFuture<Long> ended = CompletableFuture.supplyAsync(() -> oldest.lines().count());
			// while data is being sent to the oldest viewer, another viewer is
			// disconnected instead
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
	void rejectsViewersWhenEveryThreadIsBusy() throws Exception {
		TrafficControl traffic = this.context.getBean(TrafficControl.class);
		List<CompletableFuture<HttpResponse<InputStream>>> stalled = new ArrayList<>();
		try (TrafficControl.Blockade blockade = traffic.stall("GET /api/live?stalled")) {
			for (int i = 0; i < LiveUpdates.MAX_VIEWERS; i++) {
				stalled.add(view("/api/live?stalled"));
			}
			Awaitility.await().untilAsserted(() -> assertThat(sendingThreads()).isEqualTo(LiveUpdates.MAX_VIEWERS));
			HttpResponse<InputStream> response = this.http.send(
					request("/api/live").header("Accept", "text/event-stream").GET().build(),
					BodyHandlers.ofInputStream());
			try (InputStream body = response.body()) {
				assertThat(response.statusCode()).isEqualTo(503);
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
