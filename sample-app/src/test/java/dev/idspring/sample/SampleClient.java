package dev.idspring.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.jayway.jsonpath.JsonPath;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An HTTP client of the sample application.
 */
final class SampleClient {

	private static final String ENDPOINT = "/actuator/ids";

	private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
			(registry) -> registry
				.schemaRegistryConfig(SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));

	private final HttpClient http = HttpClient.newHttpClient();

	private final int port;

	SampleClient(int port) {
		this.port = port;
	}

	HttpResponse<String> get(String path) throws Exception {
		HttpResponse<String> response = send(request(path).GET());
		if (response.statusCode() == 200 && path.matches(ENDPOINT + "(/.*)?")) {
			verify(path.substring(ENDPOINT.length()), response.body());
		}
		return response;
	}

	/**
	 * Validate a response of the endpoint against the JSON schema of its operation.
	 */
	private static void verify(String path, String response) {
		String operation = List.of("ids", "generator", "id").get((int) path.chars().filter((it) -> it == '/').count());
		SchemaLocation location = SchemaLocation
			.of("classpath:dev/idspring/testsupport/ids-endpoint.schema.json#/$defs/" + operation);
		assertThat(SCHEMAS.getSchema(location).validate(response, InputFormat.JSON)).as(response).isEmpty();
	}

	HttpResponse<String> post(String contentType, String body) throws Exception {
		return post("/links", contentType, body);
	}

	HttpResponse<String> post(String path, String contentType, String body) throws Exception {
		return send(request(path).header("Content-Type", contentType).POST(BodyPublishers.ofString(body)));
	}

	/**
	 * Import URLs.
	 * @return the URLs, by the keys of their links
	 */
	Map<String, String> importAll(List<String> urls) throws Exception {
		HttpResponse<String> response = post("text/plain", String.join("\n", urls));
		if (response.statusCode() != 201) {
			throw new IllegalStateException(response.statusCode() + " " + response.body());
		}
		List<Map<String, Object>> links = JsonPath.read(response.body(), "$");
		return links.stream()
			.collect(Collectors.toMap((link) -> (String) link.get("key"), (link) -> (String) link.get("url")));
	}

	/**
	 * Read a number of the generator {@code links} from the endpoint.
	 * @param path the path of the number in the JSON response
	 */
	long readNumber(String path) throws Exception {
		return JsonPath.<Number>read(get("/actuator/ids/links").body(), "$." + path).longValue();
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
		return this.http.send(request.build(), BodyHandlers.ofString());
	}

}
