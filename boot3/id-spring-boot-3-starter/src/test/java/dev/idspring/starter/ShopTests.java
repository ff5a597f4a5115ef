package dev.idspring.starter;

import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import dev.idspring.IdGenerator;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Transient;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.client.TestRestTemplate;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an application on Spring Boot 3.5 that has the starter, H2, JPA and Spring MVC.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=health,ids",
				"management.endpoint.health.show-details=always", "spring.jpa.properties.hibernate.jdbc.batch_size=100",
				"spring.jpa.properties.hibernate.generate_statistics=true" })
class ShopTests {

	private final IdGenerator ids;

	private final Items items;

	private final Statistics statistics;

	private final TestRestTemplate http;

	@Autowired
	ShopTests(IdGenerator ids, Items items, EntityManagerFactory factory, TestRestTemplate http) {
		this.ids = ids;
		this.items = items;
		this.statistics = factory.unwrap(SessionFactory.class).getStatistics();
		this.http = http;
	}

	@Test
	void drawsIds() {
		String id = this.ids.nextString();
		assertThat(this.ids.format(this.ids.parse(id))).isEqualTo(id).hasSize(6);
	}

	@Test
	void insertsAHundredRowsWithOnePreparedStatement() {
		List<Item> hundred = Stream.generate(Item::new).limit(100).toList();
		this.statistics.clear();
		this.items.saveAll(hundred);
		assertThat(this.statistics.getPrepareStatementCount()).isOne();
		assertThat(this.items.findAll()).extracting(Item::getId)
			.doesNotHaveDuplicates()
			.containsAll(hundred.stream().map(Item::getId).toList());
	}

	@Test
	void writesAndReadsIdsAsStrings() {
		Item item = this.items.save(new Item());
		JsonNode json = this.http.getForObject("/items/" + this.ids.format(item.getId()), JsonNode.class);
		assertThat(json.get("id").textValue()).isEqualTo(this.ids.format(item.getId()));
	}

	@Test
	void endpointShowsTheKeySpace() {
		JsonNode generator = this.http.getForObject("/actuator/ids", JsonNode.class).at("/generators/default");
		assertThat(generator.get("status").textValue()).isEqualTo("UP");
		assertThat(generator.at("/keySpace/capacity").longValue()).isEqualTo(56_800_235_584L);
	}

	@Test
	void healthShowsTheGenerator() {
		JsonNode health = this.http.getForObject("/actuator/health", JsonNode.class);
		assertThat(health.at("/components/ids/components/default/status").textValue()).isEqualTo("UP");
	}

	@SpringBootApplication
	@Import(ItemController.class)
	@EnableJpaRepositories(considerNestedRepositories = true)
	static class Shop {

	}

	@Entity(name = "items")
	static class Item {

		@Id
		@GeneratedId
		@IdAsString
		private Long id;

		@Transient
		private final String name = "item";

		public Long getId() {
			return this.id;
		}

		public String getName() {
			return this.name;
		}

	}

	interface Items extends JpaRepository<Item, Long> {

	}

	@RestController
	static class ItemController {

		private final Items items;

		ItemController(Items items) {
			this.items = items;
		}

		@GetMapping("/items/{id}")
		Item item(@PathVariable @IdAsString Long id) {
			return this.items.findById(id).orElseThrow();
		}

	}

}
