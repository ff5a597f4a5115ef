package dev.idspring.sample;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Grafana dashboard uses only metrics that the sample application exports
 * to Prometheus, and that it shows all meters of the id generators.
 */
class DashboardTests {

	/** The labels that Prometheus adds to all scraped metrics. */
	private static final Set<String> TARGET_LABELS = Set.of("instance", "job");

	private static final Set<String> FUNCTIONS = Set.of("sum", "max", "min", "rate", "increase", "by", "or",
			"label_values");

	private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][\\w:]*)\\{([^}]*)}");

	private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");

	private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");

	private static String dashboard;

	/** The labels of each scraped sample, by the name of the metric. */
	private static final Map<String, List<Map<String, String>>> scrapedLabels = new TreeMap<>();

	/**
	 * The names of the scraped meters. For a summary, this is the name without a suffix
	 * such as {@code _count}.
	 */
	private static final Set<String> meterFamilies = new TreeSet<>();

	@BeforeAll
	static void scrape() throws Exception {
		dashboard = Files.readString(Path.of("grafana", "dashboard.json"));
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class)
			.run("--server.port=0", "--spring.datasource.url=jdbc:h2:mem:dashboard;DB_CLOSE_DELAY=-1")) {
			SampleClient client = new SampleClient(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			client.importAll(List.of("https://example.org/a"));
			client.get("/actuator/prometheus").body().lines().forEach(DashboardTests::readLine);
		}
		assertThat(scrapedLabels).containsKey("jvm_info");
	}

	private static void readLine(String line) {
		Matcher sample = Pattern.compile("(\\w+)(?:\\{(.*)})? \\S+").matcher(line);
		if (line.startsWith("# TYPE ")) {
			meterFamilies.add(line.split(" ")[2]);
		}
		else if (sample.matches()) {
			Map<String, String> labels = new TreeMap<>();
			Matcher label = MATCHER.matcher((sample.group(2) != null) ? sample.group(2) : "");
			while (label.find()) {
				labels.put(label.group(1), label.group(2));
			}
			scrapedLabels.computeIfAbsent(sample.group(1), (name) -> new ArrayList<>()).add(labels);
		}
	}

	private static Stream<String> queries() {
		List<String> panels = JsonPath.read(dashboard, "$.panels[*].targets[*].expr");
		List<String> variables = JsonPath.read(dashboard, "$.templating.list[?(@.type == 'query')].query.query");
		assertThat(panels).hasSizeGreaterThan(20);
		assertThat(variables).hasSize(3);
		return Stream.concat(panels.stream(), variables.stream());
	}

	@Test
	void everyMetricAndLabelIsScraped() {
		assertThat(queries()).allSatisfy((query) -> {
			Matcher selector = SELECTOR.matcher(query);
			Set<String> grouping = grouping(query);
			int count = 0;
			while (selector.find()) {
				count++;
				String metric = selector.group(1);
				assertThat(scrapedLabels).containsKey(metric);
				Map<String, String> wantedLabels = new TreeMap<>();
				Matcher matcher = MATCHER.matcher(selector.group(2));
				while (matcher.find()) {
					wantedLabels.put(matcher.group(1), matcher.group(2));
				}
				Set<String> labels = new HashSet<>(wantedLabels.keySet());
				labels.addAll(grouping);
				labels.removeAll(TARGET_LABELS);
				wantedLabels.values().removeIf((value) -> value.startsWith("$"));
				assertThat(scrapedLabels.get(metric)).as(metric).anySatisfy((sample) -> {
					assertThat(sample).containsKeys(labels.toArray(String[]::new));
					assertThat(sample).containsAllEntriesOf(wantedLabels);
				});
			}
			assertThat(count).isPositive();
		});
	}

	private static Set<String> grouping(String query) {
		Set<String> labels = new HashSet<>();
		Matcher matcher = GROUPING.matcher(query);
		while (matcher.find()) {
			labels.addAll(List.of(matcher.group(1).split(",\\s*")));
		}
		Matcher variable = Pattern.compile("label_values\\(.*, (\\w+)\\)").matcher(query);
		if (variable.matches()) {
			labels.add(variable.group(1));
		}
		return labels;
	}

	/**
	 * The test {@link #everyMetricAndLabelIsScraped} finds metrics by their selectors.
	 * Apart from selectors, groupings and ranges, a query must contain only known
	 * functions. Otherwise that test could overlook a metric.
	 */
	@Test
	void queriesUseOnlyKnownFunctions() {
		assertThat(queries()).allSatisfy((query) -> {
			String rest = query.replaceAll(SELECTOR.pattern(), "")
				.replaceAll(GROUPING.pattern(), "by ()")
				.replaceAll("label_values\\(, \\w+\\)", "label_values()")
				.replace("[$__rate_interval]", "");
			assertThat(Pattern.compile("[a-zA-Z_]\\w*").matcher(rest).results().map((word) -> word.group()))
				.isSubsetOf(FUNCTIONS);
			assertThat(rest.replaceAll("[^(]", "")).hasSameSizeAs(rest.replaceAll("[^)]", ""));
		});
	}

	@Test
	void everyMeterIsShown() {
		Set<String> shownMetrics = queries()
			.flatMap((query) -> SELECTOR.matcher(query).results().map((selector) -> selector.group(1)))
			.collect(Collectors.toSet());
		List<String> meterNames = meterFamilies.stream()
			.filter((family) -> family.startsWith("ids_") && !family.endsWith("_seconds_max"))
			.toList();
		assertThat(meterNames).hasSizeGreaterThan(20);
		assertThat(meterNames)
			.allSatisfy((family) -> assertThat(shownMetrics).containsAnyOf(family, family + "_count", family + "_sum"));
	}

	@Test
	void legendsUseOnlyLabelsOfTheirQueries() {
		List<Map<String, Object>> targets = JsonPath.read(dashboard, "$.panels[*].targets[*]");
		assertThat(targets).allSatisfy((target) -> {
			Set<String> labels = Pattern.compile("\\{\\{(\\w+)}}")
				.matcher((String) target.get("legendFormat"))
				.results()
				.map((label) -> label.group(1))
				.collect(Collectors.toSet());
			assertThat(labels).isNotEmpty();
			assertThat(grouping((String) target.get("expr"))).containsAll(labels);
		});
	}

	@Test
	void variablesExistAndPanelsDoNotOverlap() {
		List<String> names = JsonPath.read(dashboard, "$.templating.list[*].name");
		assertThat(names).containsExactly("datasource", "application", "instance", "generator");
		Matcher used = Pattern.compile("\\$\\{?(\\w+)").matcher(dashboard);
		while (used.find()) {
			assertThat(used.group(1)).satisfiesAnyOf((name) -> assertThat(names).contains(name),
					(name) -> assertThat(name).isIn("__rate_interval", "__all"));
		}
		List<Map<String, Integer>> positions = JsonPath.read(dashboard, "$.panels[*].gridPos");
		Set<String> occupiedCells = new HashSet<>();
		for (Map<String, Integer> position : positions) {
			for (int x = position.get("x"); x < position.get("x") + position.get("w"); x++) {
				for (int y = position.get("y"); y < position.get("y") + position.get("h"); y++) {
					assertThat(x).isLessThan(24);
					assertThat(occupiedCells.add(x + " " + y)).as("%s", position).isTrue();
				}
			}
		}
		List<Integer> ids = JsonPath.read(dashboard, "$.panels[*].id");
		assertThat(ids).doesNotHaveDuplicates();
	}

}
