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
 * The results of JMH: ids per second and bytes per id, by benchmark and number of
 * threads. If there are several rounds, the mean is used.
 */
final class Speeds {

	private static final String ALLOCATION = "gc.alloc.rate.norm";

	private final Map<Key, List<Double>> idsPerSecond = new LinkedHashMap<>();

	private final Map<Key, List<Double>> bytesPerId = new LinkedHashMap<>();

	/**
	 * Read the result files of JMH.
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
	 * Add a score, unless it is missing. JMH writes a string for a score that it could
	 * not measure.
	 */
	private static void add(Map<Key, List<Double>> all, Key key, JsonNode score) {
		if (score.isNumber()) {
			all.computeIfAbsent(key, (unused) -> new ArrayList<>()).add(score.asDouble());
		}
	}

	/**
	 * Return the numbers of threads for which there are results.
	 */
	List<Integer> threads() {
		return List.copyOf(
				this.idsPerSecond.keySet().stream().map(Key::threads).collect(Collectors.toCollection(TreeSet::new)));
	}

	/**
	 * Return the number of ids per second.
	 * @param benchmark the class, the method and the parameters, as in
	 * {@code CosId.chain/100}
	 * @param threads the number of threads
	 * @return the rate of all threads together, or {@code null} if it was not measured
	 */
	@Nullable Double idsPerSecond(String benchmark, int threads) {
		return mean(this.idsPerSecond.get(new Key(benchmark, threads)));
	}

	/**
	 * Return the highest rate of several benchmarks.
	 */
	@Nullable Double best(List<String> benchmarks, int threads) {
		return benchmarks.stream()
			.map((benchmark) -> idsPerSecond(benchmark, threads))
			.filter(Objects::nonNull)
			.max(Double::compare)
			.orElse(null);
	}

	/**
	 * Return the number of bytes that are allocated per id.
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
