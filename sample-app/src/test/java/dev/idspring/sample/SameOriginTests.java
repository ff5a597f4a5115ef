package dev.idspring.sample;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that pages from other origins cannot draw ids, even though browsers send their
 * requests.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.datasource.url=jdbc:h2:mem:origins;DB_CLOSE_DELAY=-1")
class SameOriginTests {

	private static final String DRAW_PATH = "/api/generators/default/ids";

	private final HttpClient http = HttpClient.newHttpClient();

	private final RequestMappingHandlerMapping mappings;

	private final String ownOrigin;

	SameOriginTests(@Qualifier("requestMappingHandlerMapping") @Autowired RequestMappingHandlerMapping mappings,
			@Autowired Environment environment) {
		this.mappings = mappings;
		this.ownOrigin = "http://127.0.0.1:" + environment.getRequiredProperty("local.server.port");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://other.example", "https://127.0.0.1", "http://127.0.0.1", "null" })
	void otherOriginCannotDraw(String origin) throws Exception {
		List<String> paths = this.mappings.getHandlerMethods()
			.keySet()
			.stream()
			.filter((mapping) -> mapping.getMethodsCondition().getMethods().contains(RequestMethod.POST))
			.flatMap((mapping) -> mapping.getPatternValues().stream())
			.map((path) -> path.replaceAll("\\{name}", "default").replaceAll("\\{\\w+}", "1"))
			.distinct()
			.toList();
		assertThat(paths).contains(DRAW_PATH, "/links", "/orders", "/orders/1/shipments", "/events");
		long before = drawnCount();
		for (String path : paths) {
			for (String type : List.of("text/plain", "application/json")) {
				assertThat(status("POST", path, "Content-Type", type, "Origin", origin)).as(path).isEqualTo(403);
			}
		}
		assertThat(drawnCount()).isEqualTo(before);
	}

	@Test
	void ownOriginCanDraw() throws Exception {
		long before = drawnCount();
		assertThat(status("POST", DRAW_PATH, "Origin", this.ownOrigin)).isEqualTo(200);
		assertThat(drawnCount()).isEqualTo(before + 1);
	}

	@Test
	void nonBrowserClientCanDraw() throws Exception {
		assertThat(status("POST", DRAW_PATH, "User-Agent", "curl")).isEqualTo(200);
	}

	@Test
	void preflightFromAnotherOriginIsRejected() throws Exception {
		assertThat(
				status("OPTIONS", DRAW_PATH, "Origin", "http://other.example", "Access-Control-Request-Method", "POST"))
			.isEqualTo(403);
	}

	@Test
	void otherOriginCannotSubscribeToLiveUpdates() throws Exception {
		assertThat(status("GET", "/api/live", "Origin", "http://other.example")).isEqualTo(403);
	}

	private long drawnCount() throws Exception {
		String answer = this.http
			.send(HttpRequest.newBuilder(URI.create(this.ownOrigin + DRAW_PATH)).build(), BodyHandlers.ofString())
			.body();
		return JsonPath.<Number>read(answer, "$.drawn").longValue();
	}

	private int status(String method, String path, String... headers) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.ownOrigin + path))
			.method(method, BodyPublishers.noBody())
			.headers(headers)
			.build();
		HttpResponse<InputStream> response = this.http.send(request, BodyHandlers.ofInputStream());
		// the body may be an endless stream, so it is not read
		response.body().close();
		return response.statusCode();
	}

}
