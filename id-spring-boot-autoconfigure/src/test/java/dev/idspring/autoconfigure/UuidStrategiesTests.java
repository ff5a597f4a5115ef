package dev.idspring.autoconfigure;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

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
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that ids of all strategies can be converted to UUIDs and back.
 */
class UuidStrategiesTests {

	private static final int CASES = Integer.getInteger("test.ids.uuid-cases", 10_000);

	private static final int CHUNK = 10_000;

	private static ConfigurableApplicationContext context;

	@BeforeAll
	static void start() {
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.flyway.enabled=false", "--spring.liquibase.enabled=false",
					"--spring.datasource.url=jdbc:h2:mem:uuids;DB_CLOSE_DELAY=-1",
					"--ids.generators.orders.strategy=sequential", "--ids.generators.invoices.strategy=gapless",
					"--ids.generators.series.strategy=recycled", "--ids.generators.seeds.coprime.preset=park-miller",
					"--ids.generators.events.strategy=snowflake", "--ids.generators.uids.strategy=decimal-uid",
					"--ids.generators.documents.strategy=composite", "--ids.generators.links.strategy=sequential",
					"--ids.generators.links.text.secret=nHUWwf7XPTpvZ5pUcuxDfrjh4nqU3PaqgDuNmbcCnEM=",
					"--ids.generators.tracks.strategy=snowflake",
					"--ids.generators.tracks.text.secret=FbQfYFBo4yQd1N2N/cqfqpkGmYYb3lhe2VtyEhcK1gE=");
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	private static IdGenerator generator(String name) {
		return context.getBean(IdGenerators.class).get(name);
	}

	private static long[] draw(IdGenerator generator) {
		return context.getBean(TransactionTemplate.class).execute((status) -> generator.nextLongs(CHUNK));
	}

	@ParameterizedTest
	@ValueSource(strings = { "default", "orders", "invoices", "series", "seeds", "links", "tracks" })
	void idsOfCountersAndOfGeneratorsWithASecretBecomeVersion8Uuids(String name) {
		assertThat(drawUuids(generator(name), 8)).hasSize(CASES);
	}

	@ParameterizedTest
	@ValueSource(strings = { "events", "uids", "documents" })
	void timeBasedIdsBecomeVersion7UuidsInTheSameOrder(String name) {
		assertThat(drawUuids(generator(name), 7)).hasSize(CASES);
		IdGenerator generator = generator(name);
		List<String> sorted = Arrays.stream(draw(generator))
			.boxed()
			.sorted(Long::compareUnsigned)
			.map((id) -> generator.toUuid(id).toString())
			.toList();
		assertThat(sorted).isSorted();
	}

	/**
	 * Draw ids, verify the conversion of each to a UUID and back, and return their UUIDs.
	 */
	private static Set<UUID> drawUuids(IdGenerator generator, int version) {
		Set<UUID> seen = new HashSet<>();
		for (int drawn = 0; drawn < CASES; drawn += CHUNK) {
			for (long id : draw(generator)) {
				UUID uuid = generator.toUuid(id);
				// an assertion for each id would be slow for millions of ids
				if (generator.fromUuid(uuid) != id || uuid.version() != version || uuid.variant() != 2) {
					throw new AssertionError(uuid + " is not the UUID of version " + version + " for " + id);
				}
				seen.add(uuid);
			}
		}
		return seen;
	}

	@Test
	void nextUuidBelongsToTheNextId() {
		IdGenerator orders = generator("orders");
		long before = orders.nextLong();
		assertThat(orders.fromUuid(orders.nextUuid())).isEqualTo(before + 1);
	}

	@Test
	void eachGeneratorRejectsTheUuidsOfTheOthers() {
		IdGenerators generators = context.getBean(IdGenerators.class);
		for (IdGenerator generator : generators) {
			UUID uuid = generator.toUuid(draw(generator)[0]);
			for (IdGenerator other : generators) {
				if (other != generator) {
					assertThatIllegalArgumentException().isThrownBy(() -> other.fromUuid(uuid))
						.withMessageContaining(uuid.toString());
				}
			}
		}
	}

	@Test
	void numberOutsideTheKeySpaceHasNoUuid() {
		assertThatIllegalArgumentException().isThrownBy(() -> generator("orders").toUuid(0));
		assertThatIllegalArgumentException().isThrownBy(() -> generator("default").toUuid(56_800_235_584L));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
