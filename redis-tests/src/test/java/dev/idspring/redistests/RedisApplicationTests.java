package dev.idspring.redistests;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.autoconfigure.IdsRedisConnectionFactory;
import dev.idspring.redis.RequiresValkey;
import dev.idspring.redis.ValkeyServer;
import dev.idspring.testsupport.ChildProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs an application on a real Valkey server, without JDBC on the class path.
 */
@ExtendWith(OutputCaptureExtension.class)
@RequiresValkey
class RedisApplicationTests {

	private static final String INITIALIZE = "ids.redis.initialize=always";

	private final HttpClient http = HttpClient.newHttpClient();

	private ValkeyServer server;

	@BeforeEach
	void startServer() {
		this.server = new ValkeyServer();
	}

	@AfterEach
	void stopServer() throws Exception {
		this.server.close();
	}

	private static String[] properties(ValkeyServer server, String... others) {
		List<String> properties = new ArrayList<>(List.of("ids.store=redis", "spring.data.redis.port=" + server.port(),
				"server.port=0", "management.endpoints.web.exposure.include=*",
				"management.endpoint.health.show-details=always"));
		properties.addAll(List.of(others));
		return properties.stream().map((property) -> "--" + property).toArray(String[]::new);
	}

	@Test
	void jdbcIsNotOnTheClassPath() {
		for (String name : new String[] { "org.springframework.jdbc.core.JdbcTemplate",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"com.zaxxer.hikari.HikariDataSource" }) {
			assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(name));
		}
	}

	@Test
	void endpointHealthAndMetersWorkAsWithOtherStores() throws Exception {
		try (ConfigurableApplicationContext context = start(INITIALIZE, "ids.generators.orders.strategy=recycled",
				"ids.generators.events.strategy=snowflake")) {
			assertThat(get(context, "/next")).isEqualTo("000000");
			assertThat(get(context, "/next")).isEqualTo("zcDK0x");
			assertThat(get(context, "/next/orders")).isEqualTo("1");
			assertThat(get(context, "/next/events")).matches("\\d+");
			String ids = get(context, "/actuator/ids");
			assertThat(JsonPath.<String>read(ids, "$.store.type")).isEqualTo("redis");
			assertThat(JsonPath.<String>read(ids, "$.store.database")).startsWith("Valkey");
			assertThat(JsonPath.<String>read(ids, "$.store.status")).isEqualTo("UP");
			assertThat(JsonPath.<Integer>read(ids, "$.generators.default.keySpace.reserved")).isEqualTo(1_000);
			assertThat(JsonPath.<Integer>read(ids, "$.generators.default.block.remaining")).isEqualTo(998);
			assertThat(JsonPath.<Integer>read(ids, "$.generators.orders.series.length()")).isEqualTo(1);
			assertThat(JsonPath.<Integer>read(ids, "$.generators.events.node.number")).isZero();
			assertThat(JsonPath.<Boolean>read(get(context, "/actuator/ids/default/zcDK0x"), "$.reserved")).isTrue();
			String health = get(context, "/actuator/health");
			assertThat(JsonPath.<String>read(health, "$.components.ids.components.default.status")).isEqualTo("UP");
			assertThat(JsonPath.<Double>read(get(context, "/actuator/metrics/ids.issued?tag=generator:default"),
					"$.measurements[0].value"))
				.isEqualTo(2);
			assertThat(
					JsonPath.<Double>read(get(context, "/actuator/metrics/ids.keyspace.reserved?tag=generator:default"),
							"$.measurements[0].value"))
				.isEqualTo(1_000);
		}
	}

	@Test
	void instancesAndRestartsDrawDifferentIds() {
		Set<String> drawn = new HashSet<>();
		for (int run = 0; run < 2; run++) {
			try (ConfigurableApplicationContext one = start(INITIALIZE);
					ConfigurableApplicationContext other = start()) {
				for (ConfigurableApplicationContext context : new ConfigurableApplicationContext[] { one, other }) {
					assertThat(drawn.addAll(context.getBean(IdGenerator.class).nextStrings(1_500))).isTrue();
				}
			}
		}
		assertThat(drawn).hasSize(6_000);
	}

	@Test
	void healthIsDownWhenTheServerIsKilledAndNoIdsAreLeft() throws Exception {
		try (ConfigurableApplicationContext context = start(INITIALIZE, "ids.strategy=sequential", "ids.block.size=10",
				"ids.block.max-size=10", "ids.block.wait-timeout=500ms")) {
			IdGenerator ids = context.getBean(IdGenerator.class);
			long last = ids.nextLong();
			this.server.kill();
			long[] latest = { last };
			assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> {
				for (int i = 0; i < 100; i++) {
					latest[0] = ids.nextLong();
				}
			});
			assertThat(JsonPath.<String>read(get(context, "/actuator/health", 503), "$.components.ids.status"))
				.isEqualTo("DOWN");
			String endpoint = get(context, "/actuator/ids");
			assertThat(JsonPath.<String>read(endpoint, "$.store.status")).isEqualTo("DOWN");
			assertThat(JsonPath.<String>read(endpoint, "$.generators.default.status")).isEqualTo("DOWN");
			this.server.start();
			Awaitility.await()
				.ignoreException(IdStoreUnavailableException.class)
				.until(() -> ids.nextLong() > latest[0]);
			assertThat(JsonPath.<String>read(get(context, "/actuator/health"), "$.components.ids.status"))
				.isEqualTo("UP");
		}
	}

	@Test
	void missingKeySpaceIsNotCreatedAgain(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start(INITIALIZE)) {
			context.getBean(IdGenerator.class).nextString();
			context.getBean(StringRedisTemplate.class)
				.getConnectionFactory()
				.getConnection()
				.serverCommands()
				.flushAll();
		}
		assertStartFails();
		assertThat(output).contains("APPLICATION FAILED TO START").contains("ids.redis.initialize");
	}

	@Test
	void startupFailureNamesThePropertyOfAServerThatDoesNotAnswer(CapturedOutput output) throws Exception {
		this.server.kill();
		assertStartFails("spring.data.redis.password=s3cret");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Property: spring.data.redis.port")
			.contains("Start the server, or correct its host and port")
			.doesNotContain("s3cret");
	}

	@Test
	void gaplessAndColumnChecksRequireADatabase(CapturedOutput output) {
		assertStartFails(INITIALIZE, "ids.strategy=gapless");
		assertThat(output).contains("ids.strategy is gapless, but there is no database whose transactions could draw");
		assertStartFails(INITIALIZE, "ids.verify-column=orders.id");
		assertThat(output).contains(
				"ids.verify-column is set, but the column can be read only through the connection of the JDBC store");
	}

	@Test
	void generatorsCanBeLazy() {
		try (ConfigurableApplicationContext context = start(INITIALIZE, "spring.main.lazy-initialization=true")) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
		}
	}

	@Test
	void releasesTheNodeAtShutdown() {
		String[] settings = { INITIALIZE, "ids.strategy=snowflake" };
		for (int run = 0; run < 2; run++) {
			try (ConfigurableApplicationContext context = start(settings)) {
				IdGenerator ids = context.getBean(IdGenerators.class).get("default");
				assertThat(ids.describe(ids.nextLong()).node()).isZero();
			}
		}
	}

	@Test
	void markedConnectionFactoryDeterminesTheServer() throws Exception {
		try (ValkeyServer cache = new ValkeyServer();
				ConfigurableApplicationContext context = new SpringApplicationBuilder(RedisApplication.class,
						IdServerConfiguration.class)
					.run(properties(cache, INITIALIZE, "test.ids.port=" + this.server.port()))) {
			assertThat(context.getBean(IdGenerator.class).nextString()).isEqualTo("000000");
			assertThat(context.getBean(StringRedisTemplate.class).keys("*")).isEmpty();
		}
	}

	@Test
	void skipAheadWorksAndOtherCommandsReportThatTheyNeedADatabase() throws Exception {
		try (ConfigurableApplicationContext context = start(INITIALIZE, "ids.strategy=sequential")) {
			assertThat(context.getBean(IdGenerator.class).nextLong()).isEqualTo(1);
		}
		String[] skip = { "ids.skip-ahead.key-space=default", "ids.skip-ahead.by=5000" };
		assertThat(run(0, "skip-ahead", skip)).contains("--ids.skip-ahead.confirm=true");
		assertThat(run(0, "skip-ahead", skip[0], skip[1], "ids.skip-ahead.confirm=true"))
			.startsWith("Key space 'default' was moved ahead from ordinal 1 to ordinal 5001.");
		assertThat(run(1, "skip-ahead", "ids.skip-ahead.key-space=nope", skip[1]))
			.startsWith("There is no key space 'nope' in the store.");
		assertThat(run(0, "help")).contains("skip-ahead");
		assertThat(run(2, "schema")).startsWith("ids.store is redis: there are no tables to create.");
		assertThat(run(2, "doctor")).contains("needs the DataSource of the application's tables");
		try (ConfigurableApplicationContext context = start("ids.strategy=sequential")) {
			assertThat(context.getBean(IdGenerator.class).nextLong()).isEqualTo(5_002);
		}
	}

	private String run(int exitCode, String command, String... properties) throws Exception {
		List<String> arguments = new ArrayList<>(List.of(properties(this.server, properties)));
		arguments.add("--ids.command=" + command);
		Process process = ChildProcess.of(RedisApplication.class, arguments.toArray(String[]::new))
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(out).isEqualTo(exitCode);
		return out;
	}

	private ConfigurableApplicationContext start(String... properties) {
		return SpringApplication.run(RedisApplication.class, properties(this.server, properties));
	}

	private void assertStartFails(String... properties) {
		assertThatException().isThrownBy(() -> start(properties).close());
	}

	private String get(ConfigurableApplicationContext context, String path) throws Exception {
		return get(context, path, 200);
	}

	private String get(ConfigurableApplicationContext context, String path, int status) throws Exception {
		HttpResponse<String> response = this.http.send(HttpRequest
			.newBuilder(URI
				.create("http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port") + path))
			.build(), BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return response.body();
	}

	/**
	 * The configuration that the documentation shows.
	 */
	@Configuration(proxyBeanMethods = false)
	static class IdServerConfiguration {

		@Bean(defaultCandidate = false)
		@IdsRedisConnectionFactory
		LettuceConnectionFactory idsConnectionFactory(@Value("${test.ids.port}") int port) {
			return new LettuceConnectionFactory("localhost", port);
		}

	}

}
