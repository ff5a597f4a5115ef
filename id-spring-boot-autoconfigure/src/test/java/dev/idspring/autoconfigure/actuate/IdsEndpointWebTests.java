package dev.idspring.autoconfigure.actuate;

import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import dev.idspring.testsupport.IdsEndpointClient;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.testsupport.FailingKeySpaceStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.skyscreamer.jsonassert.JSONAssert;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsEndpoint} over HTTP.
 */
class IdsEndpointWebTests {

	private static ConfigurableApplicationContext context;

	@BeforeEach
	void start() {
		if (context != null && context.isActive()) {
			return;
		}
		context = new SpringApplicationBuilder(Application.class).run("--server.port=0",
				"--management.endpoints.web.exposure.include=ids", "--spring.main.banner-mode=off",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false",
				"--ids.generators.small.coprime.alphabet=0123456789", "--ids.generators.small.coprime.length=1",
				"--ids.generators.seeds.coprime.preset=park-miller");
		context.getBean(IdGenerators.class).get("small").nextLongs(10);
		context.getBean(IdGenerator.class).nextLongs(358);
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void allGeneratorsAreDescribed() throws Exception {
		String body = get("", 200);
		JSONAssert.assertEquals("""
				{
				  "store": { "type": "memory", "database": null, "status": "UP",
				    "warnings": ["Reservations exist only in this JVM: after a restart, ids repeat."] },
				  "generators": {
				    "default": {
				      "strategy": "coprime", "status": "UP",
				      "definition": "coprime length=6 multiplier=32251436801 offset=0 alphabet=%s",
				      "keySpace": {
				        "name": "default", "capacity": 56800235584, "reserved": 1000, "remaining": 56800234584,
				        "usedPercent": 0.000002, "idsPerSecond": null, "exhaustedAt": null
				      },
				      "block": { "size": 1000, "remaining": 642, "ahead": 0, "reservations": 1, "failures": 0,
				        "lastError": null }
				    },
				    "small": { "status": "EXHAUSTED",
				      "keySpace": { "capacity": 10, "reserved": 10, "remaining": 0, "usedPercent": 100.000000 } },
				    "seeds": { "keySpace": { "capacity": 2147483646 } }
				  }
				}""".formatted("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), body, false);
		assertThat(body).contains("\"usedPercent\":0.000002").contains("\"lastError\":null");
		Map<String, ?> generators = JsonPath.read(body, "$.generators");
		assertThat(generators.keySet()).containsExactly("default", "small", "seeds");
		Map<String, ?> block = JsonPath.read(body, "$.generators.default.block");
		assertThat(block.keySet()).containsExactly("size", "remaining", "ahead", "reservations", "exhaustions",
				"failures", "lastReservedAt", "lastReservationMillis", "lastError");
		Map<String, ?> keySpace = JsonPath.read(body, "$.generators.default.keySpace");
		assertThat(keySpace.keySet()).containsExactly("name", "capacity", "reserved", "remaining", "usedPercent",
				"idsPerSecond", "exhaustedAt");
	}

	@Test
	void describesOneGeneratorAsInTheList() throws Exception {
		DocumentContext oneGenerator = JsonPath.parse(get("/default", 200));
		DocumentContext allGenerators = JsonPath.parse(get("", 200));
		assertThat(oneGenerator.<Object>read("$")).isEqualTo(allGenerators.read("$.generators.default"));
		assertThat(oneGenerator.<String>read("$.block.lastReservedAt")).endsWith("Z");
		assertThat(oneGenerator.<Number>read("$.block.lastReservationMillis").doubleValue()).isNotNegative();
	}

	@Test
	void endpointConsumesNoIds() throws Exception {
		String bodyBefore = get("", 200);
		get("/default/000000", 200);
		get("/default/ZZZZZZ", 200);
		assertThat(get("", 200)).isEqualTo(bodyBefore);
	}

	@ParameterizedTest
	@ValueSource(strings = { "zcDK0x", "32251436801" })
	void describesAnIdByTextAndByNumber(String id) throws Exception {
		JSONAssert.assertEquals("""
				{ "id": "32251436801", "text": "zcDK0x", "ordinal": 1, "reserved": true }""",
				get("/default/" + id, 200), true);
	}

	@Test
	void unreservedIdIsShownAsNotReserved() throws Exception {
		String body = get("/default/ZZZZZZ", 200);
		assertThat(JsonPath.<Boolean>read(body, "$.reserved")).isFalse();
	}

	@Test
	void malformedIdIsABadRequest() throws Exception {
		for (String id : List.of("nope", "abcde%C3%A4", "-1", "56800235584", "99999999999999999999",
				"%00%00%00%00%00%00")) {
			get("/default/" + id, 400);
		}
	}

	@Test
	void unknownGeneratorIsNotFoundAndTheKnownOnesAreListed() throws Exception {
		for (String path : List.of("/orders", "/orders/000000", "/defaults")) {
			JSONAssert.assertEquals(
					"""
							{ "message": "There is no id generator with this name", "generators": ["default", "small", "seeds"] }""",
					get(path, 404), true);
		}
		assertThat(get("/columns", 404)).contains("ids.columns.watch=true");
	}

	@ParameterizedTest
	@ValueSource(strings = { "DEFAULT", "de-fault", "Default_" })
	void generatorIsFoundInEverySpellingThatIdGeneratorsAccepts(String name) throws Exception {
		assertThat(context.getBean(IdGenerators.class).get(name).name()).isEqualTo("default");
		assertThat(get("/" + name, 200)).isEqualTo(get("/default", 200));
		assertThat(get("/" + name + "/zcDK0x", 200)).isEqualTo(get("/default/zcDK0x", 200));
	}

	@Test
	void failingStoreIsShownAsDown() throws Exception {
		context.getBean(FailingKeySpaceStore.class).failWith(new IdStoreUnavailableException("simulated outage"));
		DocumentContext json = JsonPath.parse(get("", 200));
		assertThat(json.<String>read("$.store.status")).isEqualTo("DOWN");
		assertThat(json.<String>read("$.generators.default.status")).isEqualTo("UP");
		assertThat(json.<Number>read("$.generators.default.keySpace.reserved").longValue()).isEqualTo(1000);
		stop();
	}

	@Test
	void generatorIsDownAfterItsKeySpaceWentBackwards() throws Exception {
		InMemoryKeySpaceStore store = context.getBean(FailingKeySpaceStore.class).delegate();
		StoredKeySpace stored = store.keySpaces().get("default");
		store.restore(Map.of("default", new StoredKeySpace("default", stored.definition(), stored.capacity(), 0)));
		DocumentContext json = JsonPath.parse(get("", 200));
		assertThat(json.<String>read("$.generators.default.status")).isEqualTo("DOWN");
		stop();
	}

	private String get(String path, int status) throws Exception {
		return new IdsEndpointClient(context).get(path, status);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		FailingKeySpaceStore store() {
			return new FailingKeySpaceStore();
		}

	}

}
