package dev.idspring.integration.web;

import java.util.List;
import java.util.Random;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests ids in requests to a server with Spring WebFlux.
 */
@Tag("wide")
class SpringWebFluxTests {

	private static ConfigurableApplicationContext context;

	private static WebTestClient client;

	@BeforeAll
	static void start() {
		context = WebApplication.start(WebApplicationType.REACTIVE, WebFluxController.class,
				"spring.webflux.problemdetails.enabled=true");
		client = WebApplication.client(context);
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void idsInPathsAreParsed() {
		client.get()
			.uri("/numbers/0000000010")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.isEqualTo("62");
		client.get()
			.uri("/typed/0000000010")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.isEqualTo("\"0000000010\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "100", "9007199254740993", "00000000001", "000000000!", " ", "null" })
	void invalidIdIsRejectedAsABadRequest(String text) {
		for (String path : List.of("/numbers/{id}", "/typed/{id}")) {
			client.get()
				.uri(path, text)
				.exchange()
				.expectStatus()
				.isBadRequest()
				.expectHeader()
				.contentType("application/problem+json");
		}
	}

	@Test
	void bodiesContainTheSameStringsAsUrls() {
		String body = "{\"id\":\"0000000010\",\"customer\":\"Ada\",\"related\":[\"0000000001\"]}";
		client.post()
			.uri("/views")
			.header("Content-Type", "application/json")
			.bodyValue(body)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json(body);
		client.post()
			.uri("/views")
			.header("Content-Type", "application/json")
			.bodyValue(body.replace("\"0000000010\"", "62"))
			.exchange()
			.expectStatus()
			.isBadRequest();
	}

	@Test
	void randomStringsNeverCauseAServerError() {
		Random random = new Random(20_260_404);
		IdGenerator orders = context.getBean(IdGenerators.class).get("orders");
		for (int i = 0; i < 500; i++) {
			StringBuilder text = new StringBuilder(orders.format(random.nextLong(1L << 59)));
			if (i % 2 == 0) {
				int at = random.nextInt(text.length());
				text.replace(at, at + 1, Character.toString(0xA0 + random.nextInt(0xD000)));
			}
			boolean valid = catchThrowable(() -> orders.parse(text.toString())) == null;
			client.get()
				.uri((i % 3 == 0) ? "/numbers/{id}" : "/typed/{id}", text)
				.exchange()
				.expectStatus()
				.isEqualTo(valid ? 200 : 400);
		}
	}

}
