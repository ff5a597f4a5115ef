package dev.idspring.sample;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeLayout;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Compiles and runs the examples of the README and of some pages in {@code docs}. The
 * examples of entities and requests are tested in the modules that have the required
 * libraries.
 */
@ExtendWith(OutputCaptureExtension.class)
class DocumentationExamplesTests {

	private static final List<String> PAGES = List.of("strategies", "gapless", "time-ids", "generators", "database",
			"endpoint", "operations", "troubleshooting", "configuration", "scoped-numbers");

	private static String documentation;

	@TempDir
	private static Path directory;

	@BeforeAll
	static void compileExamples() throws Exception {
		documentation = Documentation.readme() + PAGES.stream().map(Documentation::page).collect(Collectors.joining());
		List<String> sources = new ArrayList<>();
		for (String example : examples("java")) {
			if (example.contains("@GeneratedId")) {
				// an entity, which is tested in another module
				continue;
			}
			Matcher name = Pattern.compile("\nclass (\\w+)").matcher(example);
			assertThat(name.find()).isTrue();
			Path source = directory.resolve(name.group(1) + ".java");
			Files.writeString(source, example);
			sources.add(source.toString());
		}
		assertThat(sources).hasSize(8);
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-parameters", "-d", directory.toString(), "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
		arguments.addAll(sources);
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
	}

	@Test
	void quickStartIssuesTheDocumentedKeys() throws Exception {
		TestDatabase database = TestDatabase.postgresql();
		try (ConfigurableApplicationContext context = start("jdbc:postgresql:", "Orders", database)) {
			Object orders = context.getBean("orders");
			var place = orders.getClass().getDeclaredMethod("place");
			place.setAccessible(true);
			for (String key : List.of("000000", "zcDK0x", "8phu14", "HBVe1B")) {
				assertThat(place.invoke(orders)).isEqualTo(key);
			}
		}
	}

	@Test
	void namedGeneratorsAreInjectedAsShown() throws Exception {
		try (ConfigurableApplicationContext context = start("alphabet: base58", "Shop")) {
			assertThat(context.getBean(IdGenerators.class).names()).containsExactly("default", "orders", "tickets");
			assertThat(context.getBean(IdGenerators.class).get("orders").nextString()).isEqualTo("1".repeat(8));
			assertThat(context.getBean(IdGenerators.class).get("tickets").nextString()).isEqualTo("33614");
		}
	}

	@Test
	void numbersOfTenantsAreDrawnAsShown() throws Exception {
		try (ConfigurableApplicationContext context = start("INV-{scope}", "TenantInvoices")) {
			context.getBean(JdbcTemplate.class)
				.execute(examples("sql").stream()
					.filter((example) -> example.contains("tenant_invoice"))
					.findFirst()
					.orElseThrow()
					.replace(";", ""));
			Object invoices = context.getBean("tenantInvoices");
			Method write = invoices.getClass().getMethod("write", String.class, long.class);
			write.setAccessible(true);
			String year = String.valueOf(LocalDate.now(ZoneId.of("Europe/Berlin")).getYear());
			assertThat(write.invoke(invoices, "acme", 100)).isEqualTo("INV-acme-" + year + "-00001");
			assertThat(write.invoke(invoices, "acme", 100)).isEqualTo("INV-acme-" + year + "-00002");
			assertThat(write.invoke(invoices, "globex", 100)).isEqualTo("INV-globex-" + year + "-00001");
		}
	}

	@Test
	void generatorsAreCustomizedAsShown() throws Exception {
		try (ConfigurableApplicationContext context = start("alphabet: base58", "KeySpaces")) {
			context.getBean(IdGenerators.class).get("default");
			assertThat(context.getBean(JdbcTemplate.class).queryForList("select name from ids_key_space", String.class))
				.containsExactlyInAnyOrder("shop-default", "shop-orders", "shop-tickets");
		}
	}

	@Test
	void failureIsAnalyzedAsShown(CapturedOutput output) throws Exception {
		Path configuration = Files.writeString(directory.resolve("application.yml"), """
				ids:
				  cooprime.length: 7
				  generators:
				    orders:
				      coprime:
				        length: 8
				        multiplier: 62
				""");
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.run("--spring.config.location=" + configuration.toUri(), "--spring.main.banner-mode=off")
				.close());
		String location = "URL [" + configuration.toUri().toString().replace("file:///", "file:/") + "]";
		String analysis = output.toString().replace(location, "class path resource [application.yml]");
		for (String block : documentedBlocks("APPLICATION FAILED TO START", "is not known and has no effect")) {
			assertThat(analysis).contains(block);
		}
	}

	/**
	 * Return the indented blocks that contain one of the given strings.
	 */
	private static List<String> documentedBlocks(String... texts) {
		List<String> blocks = new ArrayList<>();
		Matcher block = Pattern.compile("(?m)(^    .*\\n|^\\n(?=    ))+").matcher(documentation);
		while (block.find()) {
			if (Arrays.stream(texts).anyMatch(block.group()::contains)) {
				blocks.add(block.group().replaceAll("(?m)^    ", "").strip());
			}
		}
		assertThat(blocks).hasSameSizeAs(texts);
		return blocks;
	}

	@Test
	void gaplessNumbersAreDrawnAsShown() throws Exception {
		try (ConfigurableApplicationContext context = start("ids:\n  generators:\n    invoices:", "Invoices")) {
			context.getBean(JdbcTemplate.class)
				.execute("create table invoice (invoice_number bigint primary key, order_id bigint unique)");
			Object invoices = context.getBean("invoices");
			Method write = AopUtils.getTargetClass(invoices).getDeclaredMethod("write", long.class);
			write.setAccessible(true);
			assertThat(write.invoke(invoices, 7L)).isEqualTo(1L);
			// order 7 already has an invoice, so the insert fails, and the invoice of
			// order 8 gets the number
			assertThatExceptionOfType(InvocationTargetException.class).isThrownBy(() -> write.invoke(invoices, 7L));
			assertThat(write.invoke(invoices, 8L)).isEqualTo(2L);
		}
	}

	@Test
	void fourThreadsDrawFromFourSeriesAsShown() throws Exception {
		try (ConfigurableApplicationContext context = start("series-per-instance: 4", "Orders")) {
			IdGenerator orders = context.getBean(IdGenerators.class).get("orders");
			assertThat(Stream.generate(() -> inNewThread(orders::nextLong)).limit(4)).containsExactlyInAnyOrder(1L,
					1_000_001L, 2_000_001L, 3_000_001L);
		}
	}

	private static <T> T inNewThread(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, (command) -> new Thread(command).start()).join();
	}

	@Test
	void dataSourceForIdsIsUsed() throws Exception {
		try (ConfigurableApplicationContext context = start("alphabet: base58", "IdsConfiguration")) {
			JdbcTemplate ids = new JdbcTemplate(context.getBean("idsDataSource", DataSource.class));
			assertThat(ids.queryForList("select name from ids_key_space", String.class)).contains("orders");
		}
	}

	/**
	 * Sends the requests of all curl commands in the README, in their order.
	 */
	@Test
	void sampleAnswersTheCurlCommandsShown() throws Exception {
		Pattern line = Pattern.compile("(?m)^curl (?:-i )?(?:--json '([^']+)' )?localhost:8080(\\S+)$");
		List<Integer> statuses = new ArrayList<>();
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class)
			.run("--server.port=0", "--spring.datasource.url=jdbc:h2:mem:readme-curl;DB_CLOSE_DELAY=-1")) {
			SampleClient client = new SampleClient(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			for (MatchResult found : line.matcher(Documentation.readme()).results().toList()) {
				statuses.add((found.group(1) != null)
						? client.post(found.group(2), "application/json", found.group(1)).statusCode()
						: client.get(found.group(2)).statusCode());
			}
		}
		assertThat(statuses).containsExactly(201, 302, 200, 201, 200, 200);
	}

	@Test
	void endpointResponsesHaveTheDocumentedProperties() throws Exception {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class)
			.run("--server.port=0", "--spring.datasource.url=jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1")) {
			int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			String answer = new SampleClient(port).get("/actuator/ids").body();
			Map<String, Object> endpoint = JsonPath.read(answer, "$");
			Map<String, Object> generators = JsonPath.read(answer, "$.generators");
			generators.keySet().retainAll(List.of("default"));
			endpoint.put("generators", generators);
			// documented separately, on the page about scoped numbers
			endpoint.remove("scoped");
			assertThat(paths("", JsonPath.read(examples("json").get(0), "$"))).isEqualTo(paths("", endpoint));
			String recycled = new SampleClient(port).get("/actuator/ids/orders").body();
			assertThat(paths("", JsonPath.read(examples("json").get(1), "$")))
				.isEqualTo(paths("", JsonPath.read(recycled, "$")));
			String snowflake = new SampleClient(port).get("/actuator/ids/events").body();
			assertThat(paths("", JsonPath.read(examples("json").get(2), "$")))
				.isEqualTo(paths("", JsonPath.read(snowflake, "$")));
		}
	}

	@Test
	void timeBasedIdsAreGeneratedAsShown() throws Exception {
		try (ConfigurableApplicationContext context = start("decimal-uid:", "Tenants")) {
			IdGenerators ids = context.getBean(IdGenerators.class);
			assertThat(ids.get("events").nextString()).hasSize(13);
			assertThat(ids.get("transfers").nextString()).hasSize(20).endsWith("00");
			Object tenants = context.getBean("tenants");
			Method enter = tenants.getClass().getDeclaredMethod("enter", int.class);
			enter.setAccessible(true);
			enter.invoke(tenants, 7);
			assertThat(ids.get("documents").nextString()).startsWith("00720").hasSize(23);
		}
	}

	/**
	 * Computes the rows of the table of layouts.
	 */
	@Test
	void layoutsLastAsLongAsShown() {
		List<String> rows = new ArrayList<>();
		for (Preset preset : Preset.values()) {
			rows.add(row("snowflake.preset: " + preset.name().toLowerCase(Locale.ROOT).replace('_', '-'),
					preset.settings().scheme().layout()));
		}
		Instant epoch = Instant.parse("2011-01-01T00:00:00Z");
		rows.add(row("decimal-uid", new DecimalUidSettings(epoch, 6, 1, true).scheme().layout()));
		rows.add(row("decimal-uid.signed: false", new DecimalUidSettings(epoch, 6, 1, false).scheme().layout()));
		epoch = Instant.parse("2024-01-01T00:00:00Z");
		rows.add(row("composite", new CompositeSettings(epoch, false, 3, 3).scheme().layout()));
		rows.add(row("composite.prefix", new CompositeSettings(epoch, true, 3, 3).scheme().layout()));
		assertThat(documentation).contains(String.join("\n", rows));
	}

	private static String row(String name, TimeLayout layout) {
		return String.format(Locale.ROOT, "| `%s` | %,d | %,d | %s |", name, layout.nodes(), layout.tails(),
				layout.lastInstant());
	}

	@Test
	void healthIsPartOfReadinessAsShown() throws Exception {
		Path configuration = Files.writeString(directory.resolve("health.yml"), yaml("readiness:"));
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class).run(
				"--server.port=0", "--spring.datasource.url=jdbc:h2:mem:readme-health;DB_CLOSE_DELAY=-1",
				"--spring.config.additional-location=" + configuration.toUri())) {
			SampleClient client = new SampleClient(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			String readiness = client.get("/actuator/health/readiness").body();
			assertThat(JsonPath.<String>read(readiness, "$.components.ids.components.orders.details.generator"))
				.isEqualTo("UP");
			assertThat(client.get("/actuator/health/ids/events").statusCode()).isEqualTo(200);
		}
	}

	/**
	 * Start an application with the YAML example that contains the given text, and with
	 * the Java example that declares the given class.
	 */
	private static ConfigurableApplicationContext start(String text, String className) throws Exception {
		return start(text, className, TestDatabase.h2());
	}

	private static ConfigurableApplicationContext start(String text, String className, TestDatabase database)
			throws Exception {
		Path configuration = Files.writeString(directory.resolve(className + ".yml"), yaml(text));
		URLClassLoader classes = new URLClassLoader(new URL[] { directory.toUri().toURL() },
				DocumentationExamplesTests.class.getClassLoader());
		ClassLoader previousLoader = Thread.currentThread().getContextClassLoader();
		// the class loader in which Spring defines the proxies of the application
		Thread.currentThread().setContextClassLoader(classes);
		try {
			return new SpringApplicationBuilder(Application.class, classes.loadClass(className))
				.web(WebApplicationType.NONE)
				.run("--spring.config.location=" + configuration.toUri(), "--spring.datasource.url=" + database.url(),
						"--spring.datasource.username=" + database.username(),
						"--spring.datasource.password=" + database.password());
		}
		finally {
			Thread.currentThread().setContextClassLoader(previousLoader);
		}
	}

	private static String yaml(String text) {
		List<String> found = examples("yaml").stream().filter((example) -> example.contains(text)).toList();
		assertThat(found).hasSize(1);
		return found.get(0);
	}

	private static List<String> examples(String language) {
		return Documentation.examples(documentation, language);
	}

	private static TreeSet<String> paths(String prefix, Map<String, Object> json) {
		TreeSet<String> paths = new TreeSet<>();
		json.forEach((name, value) -> {
			paths.add(prefix + name);
			Object element = (value instanceof List<?> list && !list.isEmpty()) ? list.get(0) : value;
			if (element instanceof Map<?, ?> nested) {
				@SuppressWarnings("unchecked")
				Map<String, Object> object = (Map<String, Object>) nested;
				paths.addAll(paths(prefix + name + ".", object));
			}
		});
		return paths;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
