package dev.idspring.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What JMH has measured: ids per second and bytes per id, by benchmark and number of
 * threads. Of several rounds the mean counts.
 */
final class Speeds {

	private static final String ALLOCATION = "gc.alloc.rate.norm";

	private final Map<Key, List<Double>> idsPerSecond = new LinkedHashMap<>();

	private final Map<Key, List<Double>> bytesPerId = new LinkedHashMap<>();

	/**
	 * Read JMH's files.
	 */
	Speeds(List<JsonNode> files) {
		for (JsonNode file : files) {
			file.forEach(this::add);
		}
	}

	private void add(JsonNode result) {
		String[] path = result.path("benchmark").asString().split("\\.");
		String name = path[path.length - 2] + "." + path[path.length - 1];
		Key key = new Key(name + parameters(result.path("params")), result.path("threads").asInt());
		add(this.idsPerSecond, key, result.path("primaryMetric").path("score"));
		add(this.bytesPerId, key, result.path("secondaryMetrics").path(ALLOCATION).path("score"));
	}

	private static String parameters(JsonNode params) {
		return params.properties()
			.stream()
			.map((param) -> "/" + param.getValue().asString())
			.collect(Collectors.joining());
	}

	/**
	 * JMH writes what it could not measure as text.
	 */
	private static void add(Map<Key, List<Double>> all, Key key, JsonNode score) {
		if (score.isNumber()) {
			all.computeIfAbsent(key, (unused) -> new ArrayList<>()).add(score.asDouble());
		}
	}

	/**
	 * Return with how many threads anything was measured.
	 */
	List<Integer> threads() {
		return List.copyOf(
				this.idsPerSecond.keySet().stream().map(Key::threads).collect(Collectors.toCollection(TreeSet::new)));
	}

	/**
	 * Return how many ids came per second.
	 * @param benchmark the class, the method and the parameters, as in
	 * {@code CosId.chain/100}
	 * @param threads how many threads drew
	 * @return the number, or {@code null} if that was not measured
	 */
	@Nullable Double idsPerSecond(String benchmark, int threads) {
		return mean(this.idsPerSecond.get(new Key(benchmark, threads)));
	}

	/**
	 * Return the highest of several benchmarks' numbers.
	 */
	@Nullable Double best(List<String> benchmarks, int threads) {
		return benchmarks.stream()
			.map((benchmark) -> idsPerSecond(benchmark, threads))
			.filter(Objects::nonNull)
			.max(Double::compare)
			.orElse(null);
	}

	/**
	 * Return how many bytes an id costs.
	 */
	@Nullable Double bytesPerId(String benchmark, int threads) {
		return mean(this.bytesPerId.get(new Key(benchmark, threads)));
	}

	private static @Nullable Double mean(@Nullable List<Double> values) {
		return (values != null) ? values.stream().mapToDouble(Double::doubleValue).average().orElseThrow() : null;
	}

	private record Key(String benchmark, int threads) {

	}

}
