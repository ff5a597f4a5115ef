package dev.idspring.security;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests {@code /actuator/ids/{name}/{id}}, with random and invalid names and ids, from
 * a real server. The server must reject invalid ones with a client error and continue to
 * work.
 *
 * <p>
 * The number of random requests, by default 80, is a fiftieth of {@code test.ids.fuzz}.
 * {@code test.ids.seed} sets the random seed.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class UntrustedRequestsTests {

	private static final int REQUESTS = Integer.getInteger("test.ids.fuzz", 4_000) / 50;

	private static final long SEED = Long.getLong("test.ids.seed", System.nanoTime());

	/** A length that fits into a request line with Tomcat's default limit. */
	private static final int FITTING_LENGTH = 6_000;

	private static ConfigurableApplicationContext context;

	private static int port;

	private final HttpClient http = HttpClient.newHttpClient();

	@BeforeAll
	static void start() {
		context = FuzzedApplication.start();
		port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void randomNamesAndIdsCauseNoServerError() throws Exception {
		Fuzz fuzz = new Fuzz(SEED);
		List<String> names = List.copyOf(context.getBean(IdGenerators.class).names());
		Set<Integer> seenStatuses = new HashSet<>();
		for (int i = 0; i < REQUESTS; i++) {
			IdGenerator generator = context.getBean(IdGenerators.class).get(names.get(i % names.size()));
			String id = shortened(fuzz.text(generator.format(1_000 + i)));
			String name = (i % 7 == 0) ? shortened(fuzz.text(generator.name())) : generator.name();
			HttpResponse<String> response = get("/actuator/ids/" + encode(name) + "/" + encode(id), "*/*");
			assertThat(response.statusCode()).as("seed %d, %s", SEED, response).isIn(200, 400, 404);
			seenStatuses.add(response.statusCode());
		}
		assertThat(seenStatuses).containsExactlyInAnyOrder(200, 400, 404);
		assertThat(get("/actuator/ids", "*/*").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "%2F", "%2f%2e%2e", "..%2F..%2Fenv", "%5C", "%00", "000000%00", "%0d%0aSet-Cookie:%20a=b",
			"%25", "%3B", "000000;v=1", "%7B%7D", "%FF%FE", "%C0%AF", "%ED%A0%80", "%F0%9F%98%80", "%E2%80%AE" })
	void unusualCharactersCauseNoServerError(String id) throws Exception {
		for (String path : List.of("/actuator/ids/" + id, "/actuator/ids/default/" + id,
				"/actuator/ids/" + id + "/000000")) {
			HttpResponse<String> response = get(path, "*/*");
			assertThat(response.statusCode()).as(path + ": " + response.body()).isIn(200, 400, 404);
			assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1_000, FITTING_LENGTH, 100_000 })
	void longNamesAndIdsCauseNoServerError(int length) throws Exception {
		String segment = "0".repeat(length);
		for (String path : List.of("/actuator/ids/" + segment, "/actuator/ids/default/" + segment,
				"/actuator/ids/sequential/" + "/".repeat(length))) {
			HttpResponse<String> response = get(path, "*/*");
			assertThat(response.statusCode()).as(path).isIn(400, 404, 414);
			assertThat(response.body()).hasSizeLessThan(2 * FITTING_LENGTH);
		}
	}

	/**
	 * Uses a raw socket, since HTTP clients do not send these requests.
	 */
	@ParameterizedTest
	@ValueSource(
			strings = { "%", "%zz", "%0", "\u00e4", "<script>", "\"", "a b", "\0", "\t", "{}", "../../env", "..;/env" })
	void malformedRequestsCauseNoServerError(String id) throws Exception {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.getOutputStream()
				.write(("GET /actuator/ids/default/" + id + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.UTF_8));
			InputStream answer = socket.getInputStream();
			String status = new String(answer.readAllBytes(), StandardCharsets.ISO_8859_1).split("\r\n", 2)[0];
			assertThat(status).containsPattern("^HTTP/1.1 40[04]");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/ids/default/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
			"/actuator/ids/default/%3Cscript%3Ealert(1)", "/actuator/ids/%3Cscript%3Ealert(1)/000000" })
	void errorResponsesContainNoScripts(String path) throws Exception {
		HttpResponse<String> response = get(path, "text/html");
		assertThat(response.statusCode()).isIn(400, 404, 406);
		assertThat(response.body()).doesNotContain("<script>");
	}

	/**
	 * The endpoint has only read operations.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT", "DELETE", "PATCH" })
	void writingMethodsAreNotAllowed(String method) throws Exception {
		for (String path : List.of("", "/default", "/default/000000")) {
			HttpRequest request = HttpRequest.newBuilder(uri("/actuator/ids" + path))
				.method(method, HttpRequest.BodyPublishers.ofString("{}"))
				.header("Content-Type", "application/json")
				.build();
			assertThat(this.http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
		}
	}

	private HttpResponse<String> get(String path, String accept) throws Exception {
		return this.http.send(HttpRequest.newBuilder(uri(path)).header("Accept", accept).build(),
				BodyHandlers.ofString());
	}

	private static URI uri(String path) {
		return URI.create("http://127.0.0.1:" + port + path);
	}

	/**
	 * Shorten a text, so that it still fits into a request line after percent-encoding.
	 */
	private static String shortened(String text) {
		return text.substring(0, Math.min(text.length(), FITTING_LENGTH / 12));
	}

	/**
	 * Percent-encode all bytes, so that every string arrives unchanged.
	 */
	private static String encode(String text) {
		StringBuilder encoded = new StringBuilder();
		for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
			encoded.append(String.format("%%%02X", value));
		}
		return encoded.toString();
	}

}
