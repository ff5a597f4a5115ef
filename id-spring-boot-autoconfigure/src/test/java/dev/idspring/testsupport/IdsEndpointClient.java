package dev.idspring.testsupport;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends requests to the endpoint over HTTP and validates each successful response against
 * its schema.
 */
public final class IdsEndpointClient {

	private final HttpClient http = HttpClient.newHttpClient();

	private final String root;

	public IdsEndpointClient(ApplicationContext context) {
		this.root = "http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port")
				+ "/actuator/ids";
	}

	/**
	 * Send a request, and return the body of the response.
	 * @param path the path below {@code /actuator/ids}
	 */
	public String get(String path) throws Exception {
		return get(path, 200);
	}

	public String get(String path, int status) throws Exception {
		return get(path, status, IdsEndpointSchema.at(path));
	}

	public String get(String path, IdsEndpointSchema schema) throws Exception {
		return get(path, 200, schema);
	}

	private String get(String path, int status, IdsEndpointSchema schema) throws Exception {
		HttpResponse<String> response = this.http.send(HttpRequest.newBuilder(URI.create(this.root + path)).build(),
				BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		if (status == 200) {
			schema.verify(response.body());
		}
		return response.body();
	}

}
