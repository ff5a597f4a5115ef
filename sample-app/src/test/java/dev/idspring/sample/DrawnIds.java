package dev.idspring.sample;

import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.jayway.jsonpath.JsonPath;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ids that the generators of the sample application have issued over HTTP.
 */
final class DrawnIds {

	/** The generators and their strategies, as the endpoint shows them. */
	static final Map<String, String> STRATEGIES = strategies();

	private final Map<String, Set<String>> ids = new ConcurrentHashMap<>();

	/**
	 * Draw an id from every generator of the sample application, and assert that it has
	 * not been drawn before.
	 * @return the ids by the name of their generator
	 */
	Map<String, String> draw(SampleClient client) throws Exception {
		Map<String, String> drawn = new LinkedHashMap<>();
		drawn.put("default",
				JsonPath.read(client.post("/api/generators/default/ids", "application/json", "").body(), "$.last"));
		String link = create(client, "/links", "{\"url\": \"https://example.org/\"}");
		drawn.put("links", JsonPath.read(link, "$.id"));
		String order = create(client, "/orders", "{\"customer\": \"Ada\", \"cents\": 1999}");
		drawn.put("orders", JsonPath.read(order, "$.id"));
		drawn.put("invoices", JsonPath.read(order, "$.invoice"));
		drawn.put("payments", JsonPath.read(order, "$.payment"));
		String shipment = create(client, "/orders/" + drawn.get("orders") + "/shipments", "");
		drawn.put("shipments", JsonPath.read(shipment, "$.number"));
		String event = create(client, "/events", "{\"type\": \"login\"}");
		drawn.put("events", JsonPath.read(event, "$.id"));
		assertThat(drawn.keySet()).isEqualTo(STRATEGIES.keySet());
		drawn.forEach((name, id) -> assertThat(idsOf(name).add(id)).as("new id " + id + " of " + name).isTrue());
		return drawn;
	}

	/**
	 * Return the ids that a generator has issued.
	 */
	Set<String> idsOf(String name) {
		return this.ids.computeIfAbsent(name, (unknown) -> ConcurrentHashMap.newKeySet());
	}

	private static String create(SampleClient client, String path, String body) throws Exception {
		HttpResponse<String> response = client.post(path, "application/json", body);
		assertThat(response.statusCode()).as(path + " " + response.body()).isEqualTo(201);
		return response.body();
	}

	/**
	 * Assert that the endpoint shows all generators with the status {@code UP} and the
	 * expected strategy.
	 */
	static void assertEndpointShowsAllGenerators(SampleClient client) throws Exception {
		Map<String, Map<String, Object>> generators = JsonPath.read(client.get("/actuator/ids").body(), "$.generators");
		Map<String, Object> shownStrategies = new LinkedHashMap<>();
		generators.forEach((name, generator) -> {
			assertThat(generator).as(name).containsEntry("status", "UP");
			shownStrategies.put(name, generator.get("strategy"));
		});
		assertThat(shownStrategies).isEqualTo(STRATEGIES);
	}

	private static Map<String, String> strategies() {
		Map<String, String> strategies = new LinkedHashMap<>();
		strategies.put("default", "coprime");
		strategies.put("links", "sequential");
		strategies.put("orders", "recycled");
		strategies.put("invoices", "gapless");
		strategies.put("payments", "decimal-uid");
		strategies.put("shipments", "composite");
		strategies.put("events", "snowflake");
		return strategies;
	}

}
