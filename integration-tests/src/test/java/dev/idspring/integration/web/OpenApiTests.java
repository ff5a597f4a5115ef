package dev.idspring.integration.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.Documentation;
import io.swagger.v3.oas.annotations.media.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springdoc.core.customizers.PropertyCustomizer;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how ids appear in the OpenAPI document that springdoc generates.
 */
@Tag("wide")
class OpenApiTests {

	private static final String SECRET = "nHUWwf7XPTpvZ5pUcuxDfrjh4nqU3PaqgDuNmbcCnEM=";

	private static ConfigurableApplicationContext context;

	private static JsonNode document;

	@BeforeAll
	static void start() {
		context = start("openapi_3_1");
		document = document(context);
	}

	private static ConfigurableApplicationContext start(String version) {
		return WebApplication.start(WebApplicationType.SERVLET, Controllers.class,
				"springdoc.api-docs.version=" + version, "ids.generators.links.strategy=sequential",
				"ids.generators.links.text.alphabet=base32", "ids.generators.links.text.length=8",
				"ids.generators.links.text.max-length=13", "ids.generators.links.text.prefix=lnk_",
				"ids.generators.links.text.check=true", "ids.generators.links.text.secret=" + SECRET,
				"ids.generators.events.strategy=snowflake", "ids.generators.receipts.strategy=gapless",
				"ids.generators.receipts.scoped=true", "ids.generators.receipts.text.pattern={scope}-{n:5}");
	}

	private static JsonNode document(ConfigurableApplicationContext context) {
		byte[] body = WebApplication.client(context)
			.get()
			.uri("/v3/api-docs")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult()
			.getResponseBodyContent();
		return context.getBean(JsonMapper.class).readTree(body);
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	private static JsonNode property(String path) {
		JsonNode found = document.at("/components/schemas/" + path);
		assertThat(found.isObject()).as("%s in %s", path, document).isTrue();
		return found;
	}

	private static JsonNode parameter(String path, String name) {
		return document.path("paths")
			.path(path)
			.path("get")
			.path("parameters")
			.valueStream()
			.filter((parameter) -> parameter.path("name").asString().equals(name))
			.findFirst()
			.orElseThrow(() -> new AssertionError(name + " of " + path + " in " + document))
			.path("schema");
	}

	private static void assertStringOf(JsonNode schema, String generator) {
		ManagedIdGenerator ids = generator(generator);
		assertThat(schema.path("type").asString()).as("%s", schema).isEqualTo("string");
		assertThat(schema.path("pattern").asString()).as("%s", schema).isEqualTo(ids.textPattern());
		assertThat(schema.path("example").asString()).as("%s", schema)
			.matches(ids.textPattern())
			.isEqualTo(ids.format(ids.lastId()));
		assertThat(schema.has("format")).as("%s", schema).isFalse();
		assertThat(schema.has("properties")).as("%s", schema).isFalse();
	}

	private static ManagedIdGenerator generator(String name) {
		return (ManagedIdGenerator) context.getBean(IdGenerators.class).get(name);
	}

	@ParameterizedTest
	@CsvSource({ "OrderView/properties/id, orders", "OrderView/properties/related/items, orders",
			"Ticket/properties/id, orders", "Board/properties/waiting/items, orders",
			"Board/properties/named/additionalProperties, orders", "Board/properties/text, invoices",
			"Parcel/properties/id, parcels", "IdView/properties/link, links", "IdView/properties/links/items, links",
			"IdView/properties/event, events", "IdView/properties/optional, events",
			"IdView/properties/values/additionalProperties, events", "IdView/properties/text, default" })
	void propertiesAreStringsWithThePatternOfTheirGenerator(String path, String generator) {
		assertStringOf(property(path), generator);
	}

	@Test
	void parametersAreStringsWithThePatternOfTheirGenerator() {
		assertStringOf(parameter("/orders/{id}/exists", "id"), "orders");
		assertStringOf(parameter("/orders", "ids").path("items"), "orders");
		assertStringOf(parameter("/orders/{order}", "related"), "orders");
		assertStringOf(parameter("/tickets/{id}/exists", "id"), "orders");
		assertStringOf(parameter("/tickets/with-text/{token}", "token"), "invoices");
		assertStringOf(parameter("/id-views/{link}", "link"), "links");
		assertStringOf(parameter("/id-views/{link}", "event"), "events");
		assertStringOf(parameter("/id-views/{link}", "X-Events").path("items"), "events");
	}

	@Test
	void uuidsAreShownWithTheUuidFormat() {
		JsonNode token = property("Ticket/properties/token");
		assertThat(token.path("format").asString()).isEqualTo("uuid");
		assertThat(token.has("pattern")).isFalse();
		ManagedIdGenerator invoices = generator("invoices");
		assertThat(invoices.fromUuid(UUID.fromString(token.path("example").asString()))).isEqualTo(invoices.lastId());
		JsonNode other = parameter("/tickets/with-token/{token}", "token");
		assertThat(other.path("format").asString()).isEqualTo("uuid");
		assertThat(other.has("example")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Note/properties/id", "Board/properties/seats/additionalProperties",
			"IdView/properties/number", "IdView/properties/keys/additionalProperties", "IdView/properties/receipt" })
	void otherPropertiesAreUnchanged(String path) {
		JsonNode schema = property(path);
		assertThat(schema.has("pattern")).as("%s", schema).isFalse();
		assertThat(schema.has("example")).as("%s", schema).isFalse();
	}

	@Test
	void typesMatchTheJson() {
		assertThat(property("Note/properties/id").path("type").asString()).isEqualTo("integer");
		assertThat(property("IdView/properties/number").path("type").asString()).isEqualTo("integer");
		assertThat(property("IdView/properties/keys/additionalProperties").path("type").asString()).isEqualTo("string");
		assertThat(property("IdView/properties/links").path("type").asString()).isEqualTo("array");
		assertThat(document.at("/components/schemas").has("OrderId")).isFalse();
		assertThat(document.at("/components/schemas").has("LinkId")).isFalse();
	}

	@Test
	void explicitExampleAndDescriptionTakePrecedence() {
		JsonNode explicit = property("IdView/properties/explicit");
		assertThat(explicit.path("example").asString()).isEqualTo("lnk_of_mine");
		assertThat(explicit.path("description").asString()).isEqualTo("Mine.");
		assertThat(explicit.path("pattern").asString()).isEqualTo(generator("links").textPattern());
	}

	@Test
	void customizersOfTheApplicationTakePrecedence() {
		assertThat(property("IdView/properties/customized").path("example").asString())
			.isEqualTo("like " + generator("links").textPattern());
	}

	@Test
	void documentationMatchesTheOpenApiDocument() {
		JsonNode link = property("IdView/properties/link");
		assertThat(Documentation.page("uuid-and-types")).contains("\"pattern\": " + link.path("pattern"),
				"\"example\": " + link.path("example"));
	}

	@Test
	void openApiDocumentDrawsNoIds() {
		assertThat(Stream.of("default", "orders", "invoices", "links", "events"))
			.allSatisfy((name) -> assertThat(generator(name).snapshot().issued()).isZero());
	}

	@Test
	void exampleIsAcceptedInRequests() {
		WebApplication.client(context)
			.get()
			.uri("/id-views/{link}", parameter("/id-views/{link}", "link").path("example").asString())
			.exchange()
			.expectStatus()
			.isOk();
	}

	@Test
	void documentOfVersion30HasTheSameSchemas() {
		JsonNode properties = document.at("/components/schemas/IdView/properties");
		try (ConfigurableApplicationContext other = start("openapi_3_0")) {
			JsonNode document30 = document(other);
			assertThat(document30.path("openapi").asString()).startsWith("3.0");
			for (String name : List.of("link", "links", "event", "optional", "text", "values", "keys", "explicit")) {
				JsonNode schema = document30.at("/components/schemas/IdView/properties").path(name);
				assertThat(schema).as(name).isEqualTo(properties.path(name));
			}
		}
	}

	record IdView(LinkId link, @IdAsString("links") List<Long> links, @IdAsString("events") long event,
			@IdAsString("events") Optional<Long> optional, @IdAsString("events") Map<String, Long> values,
			@IdAsString("events") Map<Long, String> keys, @GeneratedId String text, @GeneratedId("events") long number,
			@GeneratedId("receipts") String receipt,
			@Schema(description = "Mine.", example = "lnk_of_mine") @IdAsString("links") long explicit,
			@IdAsString("links") long customized) {

	}

	@IdAsString("links")
	record LinkId(long value) {

	}

	@RestController
	static class IdViewController {

		@GetMapping("/id-views/{link}")
		LinkId link(@PathVariable LinkId link, @RequestParam @IdAsString("events") Optional<Long> event,
				@RequestHeader(name = "X-Events", required = false) @IdAsString("events") List<Long> events) {
			return link;
		}

		@PostMapping("/id-views")
		IdView view(@RequestBody IdView view) {
			return view;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ OrderController.class, ShopController.class, TicketController.class, IdViewController.class })
	static class Controllers {

		@Bean
		PropertyCustomizer exampleCustomizer() {
			return (property, type) -> "customized".equals(type.getPropertyName())
					? property.example("like " + property.getPattern()) : property;
		}

	}

}
