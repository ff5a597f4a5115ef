package dev.idspring.security;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.testsupport.FaultyDataSource;
import dev.idspring.testsupport.FaultyDataSource.Outcome;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.RequiresSpringBoot;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a failure of the database does not disclose the password in its URL. The
 * endpoints, the failure analysis and the messages of the starter's exceptions must not
 * contain the password. The causes of these exceptions are exceptions of the driver, so
 * the log may contain the messages of the driver.
 */
@ExtendWith(OutputCaptureExtension.class)
class SecretsTests {

	private static final String SECRET = "S3cr3t";

	private static final List<String> BLOCK_GENERATORS = List.of("default", "numbers", "series");

	private final String database = UUID.randomUUID().toString();

	private Server server;

	private ConfigurableApplicationContext context;

	@BeforeEach
	void startServer() throws SQLException {
		this.server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
	}

	@AfterEach
	void stop() {
		if (this.context != null) {
			this.context.close();
		}
		this.server.stop();
	}

	@Test
	void stoppedDatabaseDoesNotDiscloseSecrets(CapturedOutput output) throws Exception {
		start(url(SECRET));
		this.server.stop();
		verifyFailure(output);
	}

	@Test
	void changedPasswordDoesNotDiscloseSecrets(CapturedOutput output) throws Exception {
		start(url(SECRET));
		try (Connection connection = DriverManager.getConnection(url(SECRET));
				Statement statement = connection.createStatement()) {
			statement.execute("alter user app set password 'other'");
			statement.execute("select abort_session(session_id) from information_schema.sessions"
					+ " where session_id <> session_id()");
		}
		verifyFailure(output);
	}

	/**
	 * Some drivers quote the URL in their messages.
	 */
	@Test
	@Tag("wide")
	void driverMessageWithTheUrlDoesNotDiscloseSecrets(CapturedOutput output) throws Exception {
		start(TestDatabase.h2().url(), FaultyApplication.class, "--ids.jdbc.connection=shared");
		SQLException cause = new SQLException("Cannot connect to //app:" + SECRET + "@db:5432/ids");
		cause.addSuppressed(new IllegalStateException("Tried user=app, password='" + SECRET + "' as well"));
		SQLException failure = new SQLException(
				"No suitable driver found for jdbc:postgresql://app:" + SECRET + "@db/ids?password=" + SECRET, "08001",
				cause);
		this.context.getBean(FaultyDataSource.class)
			.begin((index, call) -> call.equals("getConnection") ? new Outcome(false, failure) : Outcome.SUCCEEDS);
		verifyFailure(output);
		assertThat(output).as("the log has the cause").contains("No suitable driver found for jdbc:postgresql:");
	}

	/**
	 * Some pools throw exceptions other than {@code SQLException}.
	 */
	@Test
	@Tag("wide")
	void otherExceptionOfThePoolDoesNotDiscloseSecrets(CapturedOutput output) throws Exception {
		start(TestDatabase.h2().url(), FaultyApplication.class, "--ids.jdbc.connection=shared");
		this.context.getBean(FaultyDataSource.class)
			.begin((index, call) -> call.equals("getConnection") ? new Outcome(false, unexpectedException())
					: Outcome.SUCCEEDS);
		verifyFailure(output);
		assertThat(output).as("the log has the cause").contains("Failed to get driver instance for jdbcUrl=");
	}

	@Test
	void otherExceptionOfTheDriverDoesNotDiscloseSecrets(CapturedOutput output) throws Exception {
		start(TestDatabase.h2().url(), FaultyApplication.class, "--ids.jdbc.connection=shared");
		this.context.getBean(FaultyDataSource.class)
			.begin((index, call) -> call.startsWith("execute") ? new Outcome(false, unexpectedException())
					: Outcome.SUCCEEDS);
		verifyFailure(output);
	}

	private static IllegalStateException unexpectedException() {
		return new IllegalStateException("Failed to get driver instance for jdbcUrl=jdbc:x://app:" + SECRET + "@db/ids",
				new SQLException("No suitable driver for app/" + SECRET + "@db"));
	}

	/**
	 * Covers different ways to pass a password in the URL of each driver, and invalid
	 * URLs. The test turns off the log of the pool, because the starter does not control
	 * the messages of the pool.
	 */
	@ParameterizedTest
	@MethodSource("modesAndUrls")
	@FewInvocations(8)
	void unavailableDatabaseAtStartupDoesNotDiscloseSecrets(String mode, String url, CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(url, Application.class, "--ids.jdbc.initialize-schema=" + mode,
				"--spring.main.web-application-type=none", "--ids.block.wait-timeout=250ms",
				"--spring.datasource.hikari.connection-timeout=250", "--logging.level.com.zaxxer.hikari=off"));
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain(SECRET);
	}

	static Stream<Arguments> modesAndUrls() {
		return Stream.of("jdbc:postgresql://127.0.0.1:1/ids?user=app&password=" + SECRET,
				"jdbc:postgresql://app:" + SECRET + "@127.0.0.1:1/ids",
				"jdbc:postgresql://127.0.0.1:1:2/ids?password=" + SECRET,
				"jdbc:mariadb://127.0.0.1:1/ids?user=app&password=" + SECRET,
				"jdbc:mariadb://app:" + SECRET + "@127.0.0.1:1/ids",
				"jdbc:mariadb://127.0.0.1:1:2/ids?user=app&password=" + SECRET,
				"jdbc:mysql://app:" + SECRET + "@127.0.0.1:1/ids", "jdbc:mysql://app:" + SECRET + "@127.0.0.1:xx/ids",
				"jdbc:mysql://(host=127.0.0.1,port=1,user=app,password=" + SECRET + ")/ids",
				"jdbc:h2:mem:ids;PASSWORD=" + SECRET + ";NOVALUE",
				"jdbc:h2:tcp://127.0.0.1:1/ids;USER=app;PASSWORD=" + SECRET,
				"jdbc:hsqldb:hsql://127.0.0.1:1/ids;user=app;password=" + SECRET,
				"jdbc:derby:ids;user=app;password=" + SECRET + ";create=perhaps",
				"jdbc:sqlite:/no/such/directory/ids?password=" + SECRET)
			// with schema initialization, another part of the starter accesses the
			// database first
			.flatMap((url) -> Stream.of("never", (url.length() % 2 == 0) ? "embedded" : "always")
				.map((mode) -> Arguments.of(mode, url)));
	}

	@ParameterizedTest
	@CsvSource({ "never, true", "embedded, true", "always, true", "never, false", "embedded, false", "always, false" })
	@FewInvocations(2)
	void dataSourceMessageWithTheUrlAtStartupDoesNotDiscloseSecrets(String mode, boolean throwsUnexpectedException,
			CapturedOutput output) {
		FaultyApplication.startupFailure = throwsUnexpectedException ? unexpectedException()
				: new SQLException("No driver for jdbc:x://app:" + SECRET + "@db", "08001", unexpectedException());
		try {
			assertThatException().isThrownBy(() -> start(TestDatabase.h2().url(), FaultyApplication.class,
					"--spring.main.web-application-type=none", "--ids.jdbc.connection=shared",
					"--ids.jdbc.initialize-schema=" + mode));
		}
		finally {
			FaultyApplication.startupFailure = null;
		}
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain(SECRET);
	}

	@RequiresSpringBoot(version = "4.0",
			because = "Spring Data, which reads the database first, is on the class path of all tests")
	@Test
	void wrongPasswordAtStartupDoesNotDiscloseSecrets(CapturedOutput output) throws Exception {
		start(url(SECRET));
		this.context.close();
		assertThatException().isThrownBy(() -> start(url(SECRET + "?"), Application.class,
				"--ids.jdbc.initialize-schema=never", "--ids.block.wait-timeout=4s"));
		assertThat(output).contains("APPLICATION FAILED TO START").contains("SQLState 28000").doesNotContain(SECRET);
	}

	private String url(String password) {
		return "jdbc:h2:tcp://127.0.0.1:" + this.server.getPort() + "/mem:" + this.database
				+ ";DB_CLOSE_DELAY=-1;USER=app;PASSWORD=" + password;
	}

	private void start(String url) {
		start(url, Application.class);
	}

	private void start(String url, Class<?> application, String... arguments) {
		List<String> allArguments = new ArrayList<>(List.of("--server.port=0", "--spring.main.banner-mode=off",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false",
				// Hibernate would access the database first, and the starter does not
				// control its messages
				"--spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
				"--spring.datasource.url=" + url, "--ids.generators.numbers.strategy=sequential",
				"--ids.generators.series.strategy=recycled", "--ids.generators.events.strategy=snowflake",
				"--management.endpoints.web.exposure.include=*", "--management.endpoint.health.show-details=always",
				"--management.health.db.enabled=false"));
		allArguments.addAll(List.of(arguments));
		this.context = new SpringApplicationBuilder(application)
			.properties("ids.jdbc.initialize-schema=always", "ids.block.wait-timeout=1s")
			.run(allArguments.toArray(String[]::new));
		// if there are named generators, the default one is created only on request
		this.context.getBean(IdGenerators.class).get("default");
	}

	private void verifyFailure(CapturedOutput output) throws Exception {
		IdGenerators generators = this.context.getBean(IdGenerators.class);
		for (String name : BLOCK_GENERATORS) {
			IdGenerator generator = generators.get(name);
			assertThatExceptionOfType(IdStoreUnavailableException.class)
				.isThrownBy(() -> generator.nextLongs(1_000_000))
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(SECRET));
		}
		// a caller may time out before the endpoint shows the error of the reservation
		for (String name : BLOCK_GENERATORS) {
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.untilAsserted(() -> assertThat(
						JsonPath.<String>read(get("/actuator/ids"), "$.generators." + name + ".block.lastError"))
					.as(name)
					.startsWith("Cannot "));
		}
		String ids = get("/actuator/ids");
		String health = get("/actuator/health");
		for (String response : List.of(ids, get("/actuator/ids/events"), health, get("/actuator/configprops"),
				get("/actuator/env"), get("/actuator/metrics/ids.block.failures"))) {
			assertThat(response).doesNotContain(SECRET).doesNotContain("jdbc:h2");
		}
		assertThat(health).contains("\"error\":\"");
		assertThat(output).contains("cannot reserve ids and will try again");
	}

	private String get(String path) throws Exception {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
					BodyHandlers.ofString())
			.body();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class FaultyApplication {

		private static volatile Exception startupFailure;

		@Bean
		FaultyDataSource dataSource() {
			FaultyDataSource dataSource = new FaultyDataSource(TestDatabase.h2().pool(4));
			Exception failure = startupFailure;
			if (failure != null) {
				dataSource.begin((index, call) -> new Outcome(false, failure));
			}
			return dataSource;
		}

	}

}
