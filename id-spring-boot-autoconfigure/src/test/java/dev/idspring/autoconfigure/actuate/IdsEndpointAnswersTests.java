package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

import com.jayway.jsonpath.JsonPath;
import dev.idspring.testsupport.IdsEndpointClient;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeLayout;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the responses of the {@link IdsEndpoint} match their schema for every
 * strategy and every state of a generator, with each store except Redis.
 */
class IdsEndpointAnswersTests {

	/** The time until the end of the time-based key spaces that the test exhausts. */
	private static final Duration TIME_UNTIL_END = Duration.ofHours(6);

	private ConfigurableApplicationContext context;

	private IdsEndpointClient client;

	@AfterEach
	void stop() {
		if (this.context != null) {
			this.context.close();
		}
	}

	@ParameterizedTest
	@EnumSource
	@FewInvocations(1)
	void endpointShowsEveryStrategyInEveryState(Store store) throws Exception {
		start(store);
		for (StrategyUnderTest strategy : store.strategies) {
			for (GeneratorStatus status : GeneratorStatus.values()) {
				bringTo(strategy.generator(status), status);
			}
		}
		// a read of the store that times out makes the status DOWN for a moment
		Awaitility.await().untilAsserted(() -> {
			String allGenerators = this.client.get("");
			assertThat(JsonPath.<String>read(allGenerators, "$.store.type"))
				.isEqualTo(store.name().toLowerCase(Locale.ROOT));
			for (StrategyUnderTest strategy : store.strategies) {
				for (GeneratorStatus status : GeneratorStatus.values()) {
					String name = strategy.generator(status);
					assertThat(JsonPath.<String>read(allGenerators, "$.generators." + name + ".status")).as(name)
						.isEqualTo(status.name());
					String oneGenerator = this.client.get("/" + name);
					assertThat(JsonPath.<String>read(oneGenerator, "$.strategy")).isEqualTo(strategy.id());
					assertThat(JsonPath.<String>read(oneGenerator, "$.status")).as(name).isEqualTo(status.name());
				}
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	@FewInvocations(1)
	void endpointDescribesIdsOfEveryStrategy(Store store) throws Exception {
		start(store);
		for (StrategyUnderTest strategy : store.strategies) {
			IdGenerator ids = generator(strategy.generator(GeneratorStatus.UP));
			long id = draw(ids);
			String byText = this.client.get("/" + ids.name() + "/" + ids.format(id));
			assertThat(JsonPath.<String>read(byText, "$.id")).isEqualTo(Long.toUnsignedString(id));
			assertThat(this.client.get("/" + ids.name() + "/" + Long.toUnsignedString(id))).isEqualTo(byText);
		}
	}

	@Test
	void endpointShowsDownWhenTablesAreMissing() throws Exception {
		start(Store.JDBC);
		for (StrategyUnderTest strategy : Store.JDBC.strategies) {
			bringTo(strategy.generator(GeneratorStatus.EXHAUSTED), GeneratorStatus.EXHAUSTED);
		}
		for (String table : List.of("ids_key_space", "ids_slot", "ids_gapless")) {
			this.context.getBean(JdbcTemplate.class).execute("drop table " + table);
		}
		String allGenerators = this.client.get("");
		assertThat(JsonPath.<String>read(allGenerators, "$.store.status")).isEqualTo("DOWN");
		assertThat(JsonPath.<String>read(allGenerators, "$.generators.coprimeExhausted.status")).isEqualTo("DOWN");
		assertThat(JsonPath.<String>read(allGenerators, "$.generators.recycledExhausted.status")).isEqualTo("DOWN");
		assertThat(JsonPath.<String>read(allGenerators, "$.generators.gaplessUp.status")).isEqualTo("DOWN");
		assertThat(JsonPath.<String>read(allGenerators, "$.generators.gaplessUp.block.lastError")).isNotEmpty();
	}

	private void start(Store store) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--management.endpoints.web.exposure.include=ids",
						"--spring.main.banner-mode=off", "--spring.flyway.enabled=false",
						"--spring.liquibase.enabled=false", "--spring.datasource.url=" + TestDatabase.h2().url(),
						"--ids.store=" + store.name().toLowerCase(Locale.ROOT), "--ids.strategy=snowflake",
						"--ids.node.source=fixed", "--ids.node.id=7", "--ids.clock.max-skew=1d"));
		for (StrategyUnderTest strategy : store.strategies) {
			for (GeneratorStatus status : GeneratorStatus.values()) {
				String prefix = "--ids.generators." + strategy.generator(status) + ".";
				arguments.add(prefix + "strategy=" + strategy.id());
				if (status == GeneratorStatus.LOW) {
					arguments.add(prefix + "health.low-remaining=100%");
				}
				// gapless numbers are drawn one by one, so in a large key space the test
				// would draw too few to reach status LOW
				if (status == GeneratorStatus.EXHAUSTED
						|| (status == GeneratorStatus.LOW && strategy == StrategyUnderTest.GAPLESS)) {
					strategy.settings.get().forEach((setting) -> arguments.add(prefix + strategy.id() + "." + setting));
				}
			}
		}
		this.context = new SpringApplicationBuilder(Application.class).run(arguments.toArray(String[]::new));
		this.context.getBean(MovableTimeSource.class).move(TIME_UNTIL_END.plusMinutes(1));
		this.client = new IdsEndpointClient(this.context);
	}

	private void bringTo(String name, GeneratorStatus status) {
		ManagedIdGenerator ids = generator(name);
		switch (status) {
			case UP, LOW -> draw(ids);
			case EXHAUSTED -> assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> {
				for (int i = 0; i <= 10; i++) {
					draw(ids);
				}
			});
			case DOWN -> ids.close();
		}
		Awaitility.await().untilAsserted(() -> {
			ids.refresh(Duration.ofSeconds(1)).get();
			assertThat(ids.snapshot().status()).as(name).isEqualTo(status);
		});
	}

	private ManagedIdGenerator generator(String name) {
		return (ManagedIdGenerator) this.context.getBean(IdGenerators.class).get(name);
	}

	/**
	 * Draw an id in a transaction, which gapless generators require.
	 */
	private long draw(IdGenerator ids) {
		ObjectProvider<PlatformTransactionManager> transactions = this.context
			.getBeanProvider(PlatformTransactionManager.class);
		return new TransactionTemplate(transactions.getObject()).execute((status) -> ids.nextLong());
	}

	enum Store {

		JDBC(StrategyUnderTest.values()),

		MEMORY(StrategyUnderTest.COPRIME, StrategyUnderTest.SEQUENTIAL, StrategyUnderTest.RECYCLED,
				StrategyUnderTest.SNOWFLAKE, StrategyUnderTest.DECIMAL_UID, StrategyUnderTest.COMPOSITE),

		NONE(StrategyUnderTest.SNOWFLAKE, StrategyUnderTest.DECIMAL_UID, StrategyUnderTest.COMPOSITE);

		private final StrategyUnderTest[] strategies;

		Store(StrategyUnderTest... strategies) {
			this.strategies = strategies;
		}

	}

	/**
	 * A strategy, and settings that limit its key space to a few ids or let it end soon.
	 */
	enum StrategyUnderTest {

		COPRIME(() -> List.of("alphabet=0123456789", "length=1")), SEQUENTIAL(() -> List.of("end=10")),
		RECYCLED(() -> List.of("series-size=5", "capacity=10")), GAPLESS(() -> List.of("end=10")),
		SNOWFLAKE(() -> List.of("time-bits=40",
				epoch((epoch) -> new SnowflakeSettings(epoch, 40, 10, 12, Tail.ROLLING).scheme().layout()))),
		DECIMAL_UID(() -> List.of("random-digits=7",
				epoch((epoch) -> new DecimalUidSettings(epoch, 7, 1, true).scheme().layout()))),
		COMPOSITE(() -> List.of("sequence-digits=5",
				epoch((epoch) -> new CompositeSettings(epoch, false, 3, 5).scheme().layout())));

		private final Supplier<List<String>> settings;

		StrategyUnderTest(Supplier<List<String>> settings) {
			this.settings = settings;
		}

		private static String epoch(Function<Instant, TimeLayout> layout) {
			Instant anyEpoch = Instant.parse("2001-01-01T00:00:00Z");
			Duration length = Duration.between(anyEpoch, layout.apply(anyEpoch).lastInstant());
			return "epoch=" + Instant.now().plus(TIME_UNTIL_END).truncatedTo(ChronoUnit.SECONDS).minus(length);
		}

		private String id() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

		private String generator(GeneratorStatus status) {
			String state = status.name().charAt(0) + status.name().substring(1).toLowerCase(Locale.ROOT);
			return name().toLowerCase(Locale.ROOT).replace("_", "") + state;
		}

	}

	/**
	 * The system clock, which a test can move ahead.
	 */
	static final class MovableTimeSource implements TimeSource {

		private final AtomicLong nanosAhead = new AtomicLong();

		@Override
		public long nanoTime() {
			return System.nanoTime() + this.nanosAhead.get();
		}

		@Override
		public Instant instant() {
			return Instant.now().plusNanos(this.nanosAhead.get());
		}

		private void move(Duration duration) {
			this.nanosAhead.addAndGet(duration.toNanos());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MovableTimeSource timeSource() {
			return new MovableTimeSource();
		}

	}

}
