package dev.idspring.autoconfigure;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerator;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.testsupport.FailingKeySpaceStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that requests in progress can draw ids while the application shuts down, and that
 * reserved ids are given back only after the last request.
 */
class IdsShutdownTests {

	@Test
	void requestInProgressAtShutdownGetsItsIds() throws Exception {
		ConfigurableApplicationContext context = start();
		FailingKeySpaceStore store = context.getBean(FailingKeySpaceStore.class);
		shutDownDuringARequest(context);
		assertThat(store.delegate().keySpaces().get("default").nextOrdinal()).isEqualTo(5_000);
	}

	/**
	 * Another instance must not claim the node while this instance is still processing
	 * requests.
	 */
	@Test
	void releasesTheNodeAfterTheLastRequest() throws Exception {
		ConfigurableApplicationContext context = start("--ids.strategy=snowflake");
		InMemorySlotStore slots = context.getBean(InMemorySlotStore.class);
		Instant lastTime = shutDownDuringARequest(context);
		Deadline deadline = Deadline.after(TimeSource.system(), Duration.ofSeconds(5));
		StoredSlot node = slots.read("default", 0, deadline).orElseThrow();
		assertThat(node.owner()).as("the node is released").isNull();
		assertThat(Instant.parse("2024-01-01T00:00:00Z").plusMillis(node.slot().position()))
			.isEqualTo(lastTime.plusMillis(1));
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		List<String> allArguments = new ArrayList<>(List.of("--server.port=0", "--server.shutdown=graceful",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false"));
		allArguments.addAll(List.of(arguments));
		return new SpringApplicationBuilder(Application.class).run(allArguments.toArray(String[]::new));
	}

	/**
	 * Close an application while a request is waiting, then let the request draw ids.
	 * @return the time in the last id, or {@code null} if the strategy is not time-based
	 */
	private static Instant shutDownDuringARequest(ConfigurableApplicationContext context) throws Exception {
		IdGenerator ids = context.getBean(IdGenerator.class);
		SlowController controller = context.getBean(SlowController.class);
		int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		CompletableFuture<HttpResponse<String>> response = HttpClient.newHttpClient()
			.sendAsync(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/slow")).build(),
					BodyHandlers.ofString());
		controller.entered.await();
		CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
		Awaitility.await().until(() -> refusesConnections(port));
		controller.proceed.countDown();
		assertThat(response.get().statusCode()).isEqualTo(200);
		assertThat(JsonPath.<Integer>read(response.get().body(), "$.length()")).isEqualTo(5_000);
		closing.get();
		return ids.describe(JsonPath.<Number>read(response.get().body(), "$[4999]").longValue()).time();
	}

	private static boolean refusesConnections(int port) throws Exception {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", port));
			return false;
		}
		catch (ConnectException ex) {
			return true;
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(SlowController.class)
	static class Application {

		@Bean
		FailingKeySpaceStore store() {
			return new FailingKeySpaceStore();
		}

		@Bean
		InMemorySlotStore slots() {
			return new InMemorySlotStore(TimeSource.system());
		}

	}

	@RestController
	static class SlowController {

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch proceed = new CountDownLatch(1);

		private final IdGenerator ids;

		SlowController(IdGenerator ids) {
			this.ids = ids;
		}

		@GetMapping("/slow")
		long[] slow() throws InterruptedException {
			this.entered.countDown();
			this.proceed.await();
			return this.ids.nextLongs(5_000);
		}

	}

}
