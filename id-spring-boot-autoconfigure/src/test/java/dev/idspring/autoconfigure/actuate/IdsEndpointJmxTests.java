package dev.idspring.autoconfigure.actuate;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;

import dev.idspring.testsupport.IdsEndpointSchema;
import dev.idspring.testsupport.IdsEndpointClient;
import dev.idspring.IdGenerators;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.skyscreamer.jsonassert.JSONAssert;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link IdsEndpoint} over JMX.
 */
class IdsEndpointJmxTests {

	private static final List<String> STRATEGIES = List.of("coprime", "recycled", "snowflake");

	private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

	private static ConfigurableApplicationContext context;

	private static ObjectName endpoint;

	@BeforeAll
	static void start() throws Exception {
		String domain = "ids-" + UUID.randomUUID();
		context = new SpringApplicationBuilder(Application.class).run("--server.port=0", "--spring.jmx.enabled=true",
				"--management.endpoints.jmx.exposure.include=ids", "--management.endpoints.jmx.domain=" + domain,
				"--management.endpoints.web.exposure.include=ids", "--spring.main.banner-mode=off",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false", "--ids.store=memory",
				"--ids.generators.recycled.strategy=recycled", "--ids.generators.snowflake.strategy=snowflake",
				"--ids.generators.coprime.strategy=coprime");
		for (String strategy : STRATEGIES) {
			context.getBean(IdGenerators.class).get(strategy).nextLongs(3);
		}
		endpoint = new ObjectName(domain + ":type=Endpoint,name=Ids");
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void exposesThreeReadOnlyOperations() throws Exception {
		assertThat(Arrays.stream(SERVER.getMBeanInfo(endpoint).getOperations()))
			.allSatisfy((operation) -> assertThat(operation.getImpact()).isEqualTo(MBeanOperationInfo.INFO))
			.extracting(MBeanOperationInfo::getName)
			.containsExactlyInAnyOrder("ids", "generator", "id");
	}

	@Test
	void describesAllGeneratorsWithTheSameContentAsOverHttp() throws Exception {
		String json = invoke("ids", (String) null);
		IdsEndpointSchema.IDS.verify(json);
		JSONAssert.assertEquals(new IdsEndpointClient(context).get(""), json, true);
		assertThat(json).contains("\"lastError\":null").contains("\"capacity\":9223372036854775808");
	}

	@ParameterizedTest
	@ValueSource(strings = { "coprime", "recycled", "snowflake" })
	void describesOneGeneratorWithTheSameContentAsOverHttp(String name) throws Exception {
		String json = invoke("generator", name);
		IdsEndpointSchema.GENERATOR.verify(json);
		JSONAssert.assertEquals(new IdsEndpointClient(context).get("/" + name), json, true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "coprime", "recycled", "snowflake" })
	void describesAnIdWithTheSameContentAsOverHttp(String name) throws Exception {
		String id = context.getBean(IdGenerators.class).get(name).nextString();
		String json = invoke("id", name, id);
		IdsEndpointSchema.ID.verify(json);
		JSONAssert.assertEquals(new IdsEndpointClient(context).get("/" + name + "/" + id), json, true);
	}

	@Test
	void resultForAnUnknownGeneratorIsNull() throws Exception {
		assertThat(invoke("generator", "orders")).isEqualTo("null");
		assertThat(invoke("id", "orders", "000000")).isEqualTo("null");
	}

	@Test
	void malformedIdIsRejected() {
		assertThatExceptionOfType(ReflectionException.class).isThrownBy(() -> invoke("id", "coprime", "nope"))
			.withMessageContaining("'nope' is not a key");
	}

	/**
	 * Call an operation, and return its result as JSON.
	 */
	private String invoke(String operation, String... arguments) throws Exception {
		String[] signature = new String[arguments.length];
		Arrays.fill(signature, String.class.getName());
		Object result = SERVER.invoke(endpoint, operation, arguments, signature);
		assertThat(result).satisfiesAnyOf((it) -> assertThat(it).isNull(),
				(it) -> assertThat(it).isInstanceOf(Map.class));
		return new JsonMapper().writeValueAsString(result);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		TestTimeSource timeSource() {
			return new TestTimeSource();
		}

	}

}
