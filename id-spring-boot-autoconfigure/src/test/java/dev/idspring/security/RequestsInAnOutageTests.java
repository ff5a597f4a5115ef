package dev.idspring.security;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.PathNotFoundException;
import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends requests to a real server while its database is unavailable or slow. The
 * responses contain what the generators know without the database. Pending requests do
 * not block callers that draw ids.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RequestsInAnOutageTests {

	/**
	 * Paths of ids that were never drawn, one for each strategy that must ask the store
	 * whether an id is reserved.
	 */
	private static final List<String> PATHS = List.of("/default/zzzzzz", "/numbers/987654321", "/series/1999999",
			"/invoices/4711");

	private static final List<String> GENERATORS = List.of("--ids.generators.numbers.strategy=sequential",
			"--ids.generators.series.strategy=recycled", "--ids.generators.invoices.strategy=gapless",
			"--ids.generators.events.strategy=snowflake");

	/** A wait timeout that never expires during a test. */
	private static final Duration WAIT_TIMEOUT = Duration.ofMinutes(1);

	private static final int REQUESTS = 40;

	/**
	 * The largest number of connections that one read of the store uses, one after the
	 * other.
	 */
	private static final int CONNECTIONS_PER_READ = 2;

	private final HttpClient http = HttpClient.newHttpClient();

	private ConfigurableApplicationContext context;

	private UnreliableDataSource dataSource;

	private void start(List<String> generators) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--spring.main.banner-mode=off", "--spring.flyway.enabled=false",
						"--spring.liquibase.enabled=false", "--management.endpoints.web.exposure.include=ids",
						"--ids.jdbc.initialize-schema=always", "--ids.jdbc.connection=shared", "--ids.block.size=100",
						"--ids.block.max-size=100", "--ids.block.wait-timeout=" + WAIT_TIMEOUT.toSeconds() + "s"));
		arguments.addAll(generators);
		this.context = new SpringApplicationBuilder(Application.class).run(arguments.toArray(String[]::new));
		this.dataSource = this.context.getBean(UnreliableDataSource.class);
		// if there are other generators, the default generator is opened on first use, so
		// open it before the outage
		generator("default");
	}

	@AfterEach
	void stop() {
		this.dataSource.recover();
		this.context.close();
	}

	/**
	 * While the store is unavailable, responses omit only the property that shows whether
	 * an id is reserved.
	 */
	@ParameterizedTest
	@FewInvocations(1)
	@EnumSource(names = { "CONNECTION_REFUSED", "UNEXPECTED_EXCEPTION", "HANGING" })
	void omitsReservedWhileTheStoreIsUnavailable(Outage outage, CapturedOutput output) throws Exception {
		start(GENERATORS);
		for (String path : PATHS) {
			assertThat(JsonPath.<Boolean>read(get(path).body(), "$.reserved")).as(path).isFalse();
		}
		long event = generator("events").nextLong();
		this.dataSource.breakDown(outage);
		for (String path : PATHS) {
			HttpResponse<String> response = get(path);
			assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
			assertThat(response.body()).contains("\"ordinal\":").doesNotContain("reserved");
		}
		assertThat(get("/events/" + event).body()).contains("\"node\":");
		assertThat(get("").statusCode()).isEqualTo(200);
		assertThat(output).doesNotContain("Servlet.service()");
		this.dataSource.recover();
		Awaitility.await().ignoreExceptionsInstanceOf(PathNotFoundException.class).untilAsserted(() -> {
			for (String path : PATHS) {
				assertThat(JsonPath.<Boolean>read(get(path).body(), "$.reserved")).as(path).isFalse();
			}
		});
	}

	/**
	 * A generator knows its own ids without the store.
	 */
	@Test
	void showsOwnIdsAsReservedDuringAnOutage() throws Exception {
		start(List.of());
		String id = generator("default").nextString();
		this.dataSource.breakDown(Outage.CONNECTION_REFUSED);
		assertThat(JsonPath.<Boolean>read(get("/default/" + id).body(), "$.reserved")).isTrue();
	}

	/**
	 * However many requests are pending, only one read of the store is in progress, and
	 * only one more is queued. The queued read waits behind a reservation.
	 */
	@Test
	void pendingRequestsDoNotBlockDraws() throws Exception {
		start(List.of());
		IdGenerator ids = generator("default");
		ids.nextLong();
		Awaitility.await().until(() -> this.dataSource.isIdle());
		this.dataSource.breakDown(Outage.HANGING);
		long unreserved = ids.parse("zzzzzz");
		List<Thread> readers = startThreads(() -> ids.describe(unreserved));
		awaitWaiting(readers);
		FutureTask<long[]> draw = new FutureTask<>(() -> ids.nextLongs(150));
		Thread caller = new Thread(draw);
		caller.start();
		awaitWaiting(List.of(caller));
		int connectionsBefore = this.dataSource.connections.get();
		// permits for one reservation and for two reads: the one in progress and the
		// queued one
		this.dataSource.permits.release(2 * CONNECTIONS_PER_READ + 1);
		assertThat(draw.get()).hasSize(150);
		assertThat(this.dataSource.connections.get() - connectionsBefore)
			.isLessThanOrEqualTo(2 * CONNECTIONS_PER_READ + 1);
		this.dataSource.recover();
		for (Thread reader : readers) {
			reader.join();
		}
	}

	@Test
	void concurrentRequestsShareReadsOfTheStore() throws Exception {
		start(GENERATORS);
		generator("default").nextLong();
		Awaitility.await().until(() -> this.dataSource.isIdle());
		this.dataSource.breakDown(Outage.HANGING);
		for (IdGenerator generator : this.context.getBean(IdGenerators.class)) {
			int connectionsBefore = this.dataSource.connections.get();
			List<Thread> readers = startThreads(() -> ((ManagedIdGenerator) generator).refresh(WAIT_TIMEOUT).join());
			awaitWaiting(readers);
			this.dataSource.recover();
			for (Thread reader : readers) {
				reader.join();
			}
			// connections for the read in progress, for the queued read, and for renewals
			// of leases
			assertThat(this.dataSource.connections.get() - connectionsBefore).as(generator.name())
				.isLessThan(2 * CONNECTIONS_PER_READ + REQUESTS / 2);
			this.dataSource.breakDown(Outage.HANGING);
		}
	}

	private static List<Thread> startThreads(Runnable request) {
		List<Thread> readers = new ArrayList<>();
		for (int i = 0; i < REQUESTS; i++) {
			Thread reader = new Thread(request);
			readers.add(reader);
			reader.start();
		}
		return readers;
	}

	private static void awaitWaiting(List<Thread> threads) {
		Awaitility.await()
			.until(() -> threads.stream()
				.map(Thread::getState)
				.allMatch((state) -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING));
	}

	private IdGenerator generator(String name) {
		return this.context.getBean(IdGenerators.class).get(name);
	}

	private HttpResponse<String> get(String path) throws Exception {
		return this.http.send(request(path), BodyHandlers.ofString());
	}

	private HttpRequest request(String path) {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/ids" + path)).build();
	}

	enum Outage {

		NONE, CONNECTION_REFUSED, UNEXPECTED_EXCEPTION, HANGING

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		UnreliableDataSource dataSource() {
			return new UnreliableDataSource(TestDatabase.h2().pool(20));
		}

	}

	/**
	 * Fails to open connections, or grants as many connections as there are permits.
	 */
	static final class UnreliableDataSource extends DelegatingDataSource {

		private final Semaphore permits = new Semaphore(0);

		private final AtomicInteger connections = new AtomicInteger();

		private volatile Outage outage = Outage.NONE;

		private final HikariDataSource target;

		UnreliableDataSource(HikariDataSource target) {
			super(target);
			this.target = target;
		}

		/**
		 * Return whether no connection is in use, which means that all startup work has
		 * ended.
		 */
		boolean isIdle() {
			return this.target.getHikariPoolMXBean() == null
					|| this.target.getHikariPoolMXBean().getActiveConnections() == 0;
		}

		void breakDown(Outage outage) {
			this.permits.drainPermits();
			this.outage = outage;
		}

		void recover() {
			this.outage = Outage.NONE;
			this.permits.release(1_000_000);
		}

		@Override
		public Connection getConnection() throws SQLException {
			this.connections.incrementAndGet();
			switch (this.outage) {
				case CONNECTION_REFUSED -> throw new SQLException("refused", "08001");
				case UNEXPECTED_EXCEPTION -> throw new IllegalStateException("refused");
				case HANGING -> this.permits.acquireUninterruptibly();
				default -> {
				}
			}
			return super.getConnection();
		}

	}

}
