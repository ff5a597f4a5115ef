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

/**
 * Talks to the sample as any HTTP client would.
 */
final class SampleClient {

	private final HttpClient http = HttpClient.newHttpClient();

	private final int port;

	SampleClient(int port) {
		this.port = port;
	}

	HttpResponse<String> get(String path) throws Exception {
		return send(request(path).GET());
	}

	HttpResponse<String> post(String contentType, String body) throws Exception {
		return post("/links", contentType, body);
	}

	HttpResponse<String> post(String path, String contentType, String body) throws Exception {
		return send(request(path).header("Content-Type", contentType).POST(BodyPublishers.ofString(body)));
	}

	/**
	 * Import URLs, and return them by the keys they got.
	 */
	Map<String, String> importAll(List<String> urls) throws Exception {
		HttpResponse<String> response = post("text/plain", String.join("\n", urls));
		if (response.statusCode() != 201) {
			throw new IllegalStateException(response.statusCode() + " " + response.body());
		}
		List<Map<String, String>> links = JsonPath.read(response.body(), "$");
		return links.stream().collect(Collectors.toMap((link) -> link.get("key"), (link) -> link.get("url")));
	}

	/**
	 * Return a number from the endpoint.
	 */
	long figure(String path) throws Exception {
		return JsonPath.<Number>read(get("/actuator/ids/default").body(), "$." + path).longValue();
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
		return this.http.send(request.build(), BodyHandlers.ofString());
	}

}
