package dev.idspring.neighbours.datarest;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.AbstractMockHttpServletRequestBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.patch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;

/**
 * Tests the resources of Spring Data REST with JPA on H2.
 */
@SpringBootTest(properties = { "spring.datasource.url=jdbc:h2:mem:datarest", "ids.coprime.alphabet=9876543210",
		"ids.coprime.length=6", "ids.coprime.offset=17", "ids.generators.purchases.strategy=sequential",
		"ids.generators.purchases.sequential.end=2147483647", "ids.generators.purchases.text.prefix=pu_",
		"ids.generators.visits.coprime.length=8", "ids.generators.parcels.coprime.length=8",
		"ids.generators.coupons.coprime.length=8" })
@Tag("wide")
@AutoConfigureMockMvc
class DataRestTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private IdGenerators ids;

	@Autowired
	private Customers customers;

	@Autowired
	private Purchases purchases;

	private Customer ada;

	private String adaId;

	@BeforeEach
	void saveCustomer() {
		this.ada = new Customer();
		this.ada.setName("Ada");
		this.customers.save(this.ada);
		this.adaId = this.ids.get("default").format(this.ada.getId());
	}

	@Test
	void urlOfACreatedEntityContainsTheTextFormOfItsId() throws Exception {
		MockHttpServletResponse created = json(post("/customers"), "{\"name\": \"Grace\"}");
		assertThat(created.getStatus()).isEqualTo(201);
		String url = created.getHeader("Location");
		String id = url.substring(url.lastIndexOf('/') + 1);
		assertThat(this.customers.findById(this.ids.get("default").parse(id)).orElseThrow().getName())
			.isEqualTo("Grace");
		MockHttpServletResponse response = perform(get(url));
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(JsonPath.<String>read(response.getContentAsString(), "$._links.self.href")).isEqualTo(url);
	}

	/**
	 * Covers typed ids, UUIDs and strings as ids.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "visits", "parcels", "coupons" })
	void idOfAnyTypeIsShownAsTextInUrls(String path) throws Exception {
		String url = json(post("/" + path), "{}").getHeader("Location");
		IdGenerator generator = this.ids.get(path);
		assertThat(generator.describe(generator.parse(url.substring(url.lastIndexOf('/') + 1))).reserved()).isTrue();
		MockHttpServletResponse response = perform(get(url));
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(JsonPath.<String>read(response.getContentAsString(), "$._links.self.href")).isEqualTo(url);
		assertThat(perform(get("/" + path + "/none")).getStatus()).isEqualTo(404);
	}

	@Test
	void entityIsChangedAndDeletedByTheTextFormOfItsId() throws Exception {
		assertThat(json(patch("/customers/" + this.adaId), "{\"name\": \"Countess\"}").getStatus()).isEqualTo(204);
		assertThat(this.customers.findById(this.ada.getId()).orElseThrow().getName()).isEqualTo("Countess");
		assertThat(json(put("/customers/" + this.adaId), "{\"name\": \"Lovelace\"}").getStatus()).isEqualTo(204);
		assertThat(this.customers.findById(this.ada.getId()).orElseThrow().getName()).isEqualTo("Lovelace");
		assertThat(perform(delete("/customers/" + this.adaId)).getStatus()).isEqualTo(204);
		assertThat(this.customers.existsById(this.ada.getId())).isFalse();
	}

	/**
	 * The number of an id is not accepted, because its digits may be the text form of
	 * another id.
	 */
	@Test
	void numericFormOfAnIdIsNotFound() throws Exception {
		long number = this.ada.getId();
		assertThat(perform(get("/customers/" + number)).getStatus()).isEqualTo(404);
	}

	@Test
	void rowThatTheGeneratorDidNotCreateHasItsNumberInUrls() throws Exception {
		this.jdbc.update("insert into customer (id, name) values (5000000, 'Old')");
		assertThat(perform(get("/customers")).getContentAsString()).contains("/customers/5000000");
		assertThat(JsonPath.<String>read(perform(get("/customers/5000000")).getContentAsString(), "$.name"))
			.isEqualTo("Old");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "12345", "1234567", "12345x", "%20", "-00001" })
	void invalidIdIsNotFound(String invalid) throws Exception {
		for (AbstractMockHttpServletRequestBuilder<?> request : new AbstractMockHttpServletRequestBuilder<?>[] {
				get("/customers/{id}", invalid), delete("/customers/{id}", invalid),
				patch("/customers/{id}", invalid).content("{}").contentType(MediaType.APPLICATION_JSON),
				put("/customers/{id}", invalid).content("{}").contentType(MediaType.APPLICATION_JSON),
				get("/purchases/{id}/customer", invalid) }) {
			assertThat(perform(request).getStatus()).isEqualTo(404);
		}
	}

	@Test
	void linkInABodyRefersToTheEntity() throws Exception {
		MockHttpServletResponse created = json(post("/purchases"),
				"{\"customer\": \"http://localhost/customers/" + this.adaId + "\"}");
		assertThat(created.getStatus()).isEqualTo(201);
		String url = created.getHeader("Location");
		assertThat(url).contains("/purchases/pu_");
		assertThat(customerOf(url).getId()).isEqualTo(this.ada.getId());
		MockHttpServletResponse customer = perform(get(url + "/customer"));
		assertThat(JsonPath.<String>read(customer.getContentAsString(), "$._links.self.href"))
			.endsWith("/customers/" + this.adaId);
	}

	@Test
	void linkOfAnAssociationRefersToTheEntity() throws Exception {
		String url = json(post("/purchases"), "{}").getHeader("Location");
		MockHttpServletResponse changed = perform(put(url + "/customer").contentType("text/uri-list")
			.content("http://localhost/customers/" + this.adaId));
		assertThat(changed.getStatus()).isEqualTo(204);
		assertThat(customerOf(url).getId()).isEqualTo(this.ada.getId());
	}

	@Test
	void linkWithAnInvalidIdRefersToNoEntity() throws Exception {
		MockHttpServletResponse created = json(post("/purchases"),
				"{\"customer\": \"http://localhost/customers/" + this.ada.getId() + "\"}");
		assertThat(created.getStatus()).isBetween(200, 499);
		if (created.getStatus() == 201) {
			assertThat(customerOf(created.getHeader("Location"))).isNull();
		}
	}

	private Customer customerOf(String purchaseUrl) {
		IdGenerator generator = this.ids.get("purchases");
		long id = generator.parse(purchaseUrl.substring(purchaseUrl.lastIndexOf('/') + 1));
		return this.purchases.findById((int) id).orElseThrow().getCustomer();
	}

	@Test
	void propertiesAreWrittenAndReadAsText() throws Exception {
		String url = json(post("/purchases"), "{\"recommendedBy\": \"" + this.adaId + "\"}").getHeader("Location");
		assertThat(JsonPath.<String>read(perform(get(url)).getContentAsString(), "$.recommendedBy"))
			.isEqualTo(this.adaId);
	}

	@Test
	void searchParameterIsParsedAsText() throws Exception {
		MockHttpServletResponse found = perform(get("/customers/search/findByIdIs").param("id", this.adaId));
		assertThat(JsonPath.<String>read(found.getContentAsString(), "$.name")).isEqualTo("Ada");
	}

	@Test
	void idWithoutAGeneratorIsANumberInUrls() throws Exception {
		assertThat(json(put("/countries/42"), "{}").getStatus()).isEqualTo(201);
		MockHttpServletResponse response = perform(get("/countries/42"));
		assertThat(JsonPath.<String>read(response.getContentAsString(), "$._links.self.href"))
			.endsWith("/countries/42");
	}

	private MockHttpServletResponse json(AbstractMockHttpServletRequestBuilder<?> request, String body)
			throws Exception {
		return perform(request.contentType(MediaType.APPLICATION_JSON).content(body));
	}

	private MockHttpServletResponse perform(AbstractMockHttpServletRequestBuilder<?> request) throws Exception {
		return this.mvc.perform(request).andReturn().getResponse();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
