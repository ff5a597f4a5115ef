package dev.idspring.integration.web;

import java.util.List;
import java.util.Optional;
import java.util.Random;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.convert.ConversionService;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.web.reactive.server.StatusAssertions;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.HttpServiceProxyRegistry;
import org.springframework.web.service.registry.ImportHttpServices;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests ids in requests to a server with Spring MVC.
 */
class SpringMvcTests {

	private static ConfigurableApplicationContext context;

	private static WebTestClient client;

	private static String order;

	private static String invoice;

	private static String reminder;

	private static String parcel;

	@BeforeAll
	static void start() {
		context = WebApplication.start(WebApplicationType.SERVLET, Controllers.class,
				"spring.mvc.problemdetails.enabled=true");
		client = WebApplication.client(context);
		IdGenerators ids = context.getBean(IdGenerators.class);
		// skip the first ids, so that the id of the order is not a small number
		ids.get("orders").nextLongs(100);
		Order saved = context.getBean(Orders.class).save(new Order(ids.get("orders").nextLong(), "Ada"));
		order = ids.get("orders").format(saved.getId());
		invoice = ids.get("invoices").format(context.getBean(Invoices.class).save(new Invoice()).getId());
		reminder = ids.get("invoices").format(context.getBean(Reminders.class).save(new Reminder("Pay")).getId());
		context.getBean(JdbcTemplate.class)
			.execute("create table \"PARCELS\" (\"ID\" varchar(20) primary key, \"ADDRESS\" varchar(20))");
		parcel = ids.get("parcels").nextString();
		context.getBean(JdbcAggregateTemplate.class).insert(new Parcel(parcel, "here"));
		context.getBean(Notes.class).save(new Note(7L));
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void entitiesAreFoundByTheTextFormOfTheirIds() {
		assertThat(order).hasSize(10);
		assertResponse("/orders/" + order + "?related=0000000001",
				"{\"id\":\"" + order + "\",\"customer\":\"Ada\",\"related\":[\"0000000001\"]}");
		assertResponse("/orders/" + order, "{\"id\":\"" + order + "\",\"customer\":\"Ada\",\"related\":[]}");
	}

	@Test
	void idIsParsedByTheGeneratorThatIssuedIt() {
		assertThat(invoice).hasSize(8);
		assertResponse("/invoices/" + invoice, "{\"id\":\"" + invoice + "\"}");
		assertResponse("/reminders/" + reminder, "{\"id\":\"" + reminder + "\",\"text\":\"Pay\"}");
		assertResponse("/invoices/" + reminder, "{\"id\":\"" + reminder + "\",\"text\":\"Pay\"}");
	}

	@Test
	void findsEntitiesOfSpringDataJdbc() {
		assertThat(parcel).hasSize(7);
		assertResponse("/parcels/" + parcel, "{\"id\":\"" + parcel + "\",\"address\":\"here\"}");
		assertBadRequest("/parcels/" + parcel + "0");
		assertBadRequest("/parcels/here");
	}

	@Test
	void springDataConvertsEntitiesWithoutGeneratedIds() {
		assertResponse("/notes/7", "{\"id\":7}");
	}

	@Test
	void readsIdsAndListsOfIds() {
		assertResponse("/orders/" + order + "/exists", "true");
		assertResponse("/orders/0000000001/exists", "false");
		assertResponse("/orders?ids=" + order + ",0000000001", "1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "100", "9007199254740993", "00000000001", "000000000!", "%20", "null", "../notes" })
	void invalidIdIsRejectedAsABadRequest(String text) {
		for (String path : List.of("/orders/{id}", "/orders/{id}/exists", "/orders?ids={id}", "/invoices/{id}",
				"/reminders/{id}", "/parcels/{id}", "/optional?order={id}")) {
			client.get()
				.uri(path, text)
				.exchange()
				.expectStatus()
				.value((status) -> assertThat(status).as(path)
					.isIn(text.contains("/") && !path.contains("?") ? List.of(400, 404) : List.of(400)));
		}
	}

	@Test
	void invalidIdIsReportedAsAProblemDetail() {
		client.get()
			.uri("/orders/100")
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType("application/problem+json")
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo(400);
		client.post()
			.uri("/views")
			.header("Content-Type", "application/json")
			.bodyValue("{\"id\":100,\"customer\":\"Ada\",\"related\":[]}")
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType("application/problem+json");
	}

	/**
	 * Spring Data responds in this way whenever an entity is missing.
	 */
	@Test
	void missingEntityIsRejectedAsABadRequestUnlessItIsOptional() {
		assertBadRequest("/orders/0000000001");
		assertResponse("/optional?order=0000000001", "nobody");
		assertResponse("/optional?order=" + order, "Ada");
		assertResponse("/optional", "nobody");
		assertResponse("/optional/0000000001", "nobody");
		assertResponse("/optional/" + order, "Ada");
		assertBadRequest("/optional/1");
	}

	@Test
	void bodiesContainTheSameStringsAsUrls() {
		String body = "{\"id\":\"" + order + "\",\"customer\":\"Ada\",\"related\":[\"0000000001\"]}";
		client.post()
			.uri("/views")
			.header("Content-Type", "application/json")
			.bodyValue(body)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json(body);
	}

	@Test
	void conversionServiceConvertsEntitiesToTheTextFormOfTheirIds() {
		ConversionService conversions = context.getBean("mvcConversionService", ConversionService.class);
		IdGenerator orders = context.getBean(IdGenerators.class).get("orders");
		Order saved = context.getBean(Orders.class).findById(orders.parse(order)).orElseThrow();
		assertThat(conversions.convert(saved, String.class)).isEqualTo(order);
		assertThat(conversions.convert(new OrderId(orders.parse(order)), String.class)).isEqualTo(order);
		assertThat(conversions.convert(new Parcel(parcel, "here"), String.class)).isEqualTo(parcel);
		assertThat(conversions.convert(new Note(7L), String.class)).isEqualTo("7");
	}

	@Test
	void rowsAreFoundByTheTextFormOfTypedKeysAndUuids() {
		Ticket ticket = context.getBean(Tickets.class).save(new Ticket());
		IdGenerators ids = context.getBean(IdGenerators.class);
		String id = ids.get("orders").format(ticket.getId().value());
		String json = "{\"id\":\"" + id + "\",\"token\":\"" + ticket.getToken() + "\"}";
		assertResponse("/tickets/" + id, json);
		assertResponse("/tickets/" + id + "/exists", "true");
		assertResponse("/tickets/with-token/" + ticket.getToken(), json);
		String text = ids.get("invoices").format(ids.get("invoices").fromUuid(ticket.getToken()));
		assertResponse("/tickets/with-text/" + text, json);
		assertThat(context.getBean("mvcConversionService", ConversionService.class).convert(ticket, String.class))
			.isEqualTo(id);
		for (String path : List.of("/tickets/" + ticket.getId().value(), "/tickets/1/exists", "/tickets/" + text,
				"/tickets/with-token/" + text, "/tickets/with-text/" + ticket.getToken(),
				// the constructor of the type rejects this id
				"/tickets/0000000002/exists")) {
			assertBadRequest(path);
		}
	}

	@Test
	void typedIdsAndUuidsAreReadFromBodiesAndForms() {
		String token = "00000000-0000-8000-8000-000000000000";
		IdGenerator invoices = context.getBean(IdGenerators.class).get("invoices");
		String body = "{\"seats\":{\"0000000001\":\"Ada\"},\"waiting\":[\"0000000003\"],\"named\":{\"Bob\":\"0000000004\"},"
				+ "\"token\":\"" + token + "\",\"text\":\"" + invoices.format(5) + "\"}";
		post("application/json", "/tickets/board", body).isOk().expectBody().json(body);
		for (String wrong : List.of("\"1\":", "\"0000000002\":")) {
			post("application/json", "/tickets/board", body.replace("\"0000000001\":", wrong)).isBadRequest();
		}
		post("application/json", "/tickets/board", body.replace("[\"0000000003\"]", "[3]")).isBadRequest();
		post("application/json", "/tickets/board", body.replace(invoices.format(5), token)).isBadRequest();
		String form = "first=0000000001&others=0000000003&others=0000000004&token=" + token;
		post("application/x-www-form-urlencoded", "/tickets/form", form).isOk()
			.expectBody(String.class)
			.isEqualTo("1, 2, " + token);
		post("application/x-www-form-urlencoded", "/tickets/form", form.replace("0000000001", "1")).isBadRequest();
	}

	private static StatusAssertions post(String type, String path, String body) {
		return client.post().uri(path).header("Content-Type", type).bodyValue(body).exchange().expectStatus();
	}

	@Test
	void proxyIsConvertedToTheTextFormOfItsId() {
		ConversionService conversions = context.getBean("mvcConversionService", ConversionService.class);
		IdGenerator invoices = context.getBean(IdGenerators.class).get("invoices");
		Invoice proxy = context.getBean(Invoices.class).getReferenceById(invoices.parse(invoice));
		assertThat(proxy.getClass()).isNotEqualTo(Invoice.class);
		assertThat(conversions.convert(proxy, String.class)).isEqualTo(invoice);
	}

	@Test
	void entityWithoutAnIdIsConvertedToNull() {
		ConversionService conversions = context.getBean("mvcConversionService", ConversionService.class);
		assertThat(conversions.convert(new Parcel(null, "new"), String.class)).isNull();
	}

	@Test
	void randomStringsNeverCauseAServerError() {
		Random random = new Random(20_260_403);
		List<String> paths = List.of("/orders/{id}", "/orders/{id}/exists", "/orders?ids={id}", "/invoices/{id}",
				"/parcels/{id}", "/optional?order={id}");
		for (int i = 0; i < 1_000; i++) {
			StringBuilder text = new StringBuilder();
			for (int length = 1 + random.nextInt(12); length > 0; length--) {
				text.appendCodePoint((random.nextInt(10) == 0) ? 0xA0 + random.nextInt(0xD000)
						: "0123456789abcXYZ-_~!$'()*:@ ,".charAt(random.nextInt(29)));
			}
			client.get()
				.uri(paths.get(i % paths.size()), text)
				.exchange()
				.expectStatus()
				.value((status) -> assertThat(status).as("%s", text).isIn(200, 400));
		}
	}

	@Test
	void jsonMatchesTheDocumentedExample() {
		JsonMapper mapper = context.getBean(JsonMapper.class);
		OrderView view = new OrderView((1L << 53) + 1, "Ada", List.of(new OrderId(1)));
		String json = "{\"customer\":\"Ada\",\"id\":\"0FfGNdXsE9\",\"related\":[\"0000000001\"]}";
		assertThat(mapper.readTree(mapper.writeValueAsString(view))).isEqualTo(mapper.readTree(json));
		assertThat(mapper.readValue(json, OrderView.class)).isEqualTo(view);
	}

	/**
	 * The digits of one id may be the text form of another, so a client that sent numbers
	 * would find other rows.
	 */
	@Test
	void httpServiceClientsFindTheSameRows() {
		String url = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
		try (ConfigurableApplicationContext clients = new SpringApplicationBuilder(ClientApplication.class)
			.web(WebApplicationType.NONE)
			.run("--ids.store=memory", "--ids.generators.orders.coprime.length=10", "--shop.url=" + url,
					"--spring.http.serviceclient.shop.base-url=" + url,
					"--spring.http.serviceclient.reactive.base-url=" + url)) {
			HttpServiceProxyRegistry groups = clients.getBean(HttpServiceProxyRegistry.class);
			long id = clients.getBean(IdGenerators.class).get("orders").parse(order);
			OrderView view = new OrderView(id, "Ada", List.of(new OrderId(1)));
			assertThat(List.of(groups.getClient("shop", OrderClient.class),
					groups.getClient("reactive", OrderClient.class), clients.getBean("orderClient", OrderClient.class)))
				.allSatisfy((client) -> {
					assertThat(client.exists(id)).isTrue();
					assertThat(client.exists(1)).isFalse();
					assertThat(client.count(List.of(new OrderId(id), new OrderId(1)))).isEqualTo(1);
					assertThat(client.show(new OrderId(id), Optional.of(new OrderId(1)))).isEqualTo(view);
				});
		}
	}

	private static void assertResponse(String path, String json) {
		WebTestClient.BodyContentSpec body = client.get().uri(path).exchange().expectStatus().isOk().expectBody();
		if (json.startsWith("{")) {
			body.json(json);
		}
		else {
			assertThat(new String(body.returnResult().getResponseBodyContent())).isEqualTo(json);
		}
	}

	private static void assertBadRequest(String path) {
		client.get().uri(path).exchange().expectStatus().isBadRequest();
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ OrderController.class, ShopController.class, TicketController.class })
	static class Controllers {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	@Import({ ShopClients.class, ManualShopClient.class })
	@ImportHttpServices(group = "reactive", types = OrderClient.class, clientType = ClientType.WEB_CLIENT)
	static class ClientApplication {

	}

}
