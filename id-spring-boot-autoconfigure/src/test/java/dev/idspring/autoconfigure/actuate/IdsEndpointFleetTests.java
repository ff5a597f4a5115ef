package dev.idspring.autoconfigure.actuate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.actuate.GeneratorDescriptor.Block;
import dev.idspring.autoconfigure.actuate.GeneratorDescriptor.KeySpace;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the counts in the {@link IdsEndpoint endpoints} of several instances add up
 * to the counts in their common database, and that the nodes shown are those in the
 * database.
 */
class IdsEndpointFleetTests {

	private static final int THREADS = 3;

	private static final long SERIES_SIZE = 5_000;

	private final Random random = new Random(20261121);

	private final ExecutorService threads = Executors.newFixedThreadPool(3 * THREADS);

	private final List<Instance> runningInstances = new ArrayList<>();

	/** The number of ids that all instances have issued. */
	private final AtomicLong issuedIds = new AtomicLong();

	/** The number of ids that were reserved but will never be issued. */
	private long lostIds;

	private TestDatabase database;

	private HikariDataSource pool;

	private JdbcTemplate jdbc;

	@BeforeEach
	void openDatabase() {
		this.database = TestDatabase.postgresql();
		this.pool = this.database.pool(2);
		this.jdbc = new JdbcTemplate(this.pool);
	}

	@AfterEach
	void stop() {
		this.runningInstances.forEach((instance) -> instance.context.close());
		this.threads.shutdownNow();
		this.pool.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "coprime", "sequential", "recycled" })
	@FewInvocations(1)
	void countsOfAllInstancesAddUp(String strategy) throws Exception {
		for (int i = 0; i < 3; i++) {
			start("--ids.strategy=" + strategy, "--ids.recycled.series-size=" + SERIES_SIZE,
					"--ids.recycled.series-per-instance=2", "--ids.block.size=100");
		}
		drawAtRandom();
		verifyCounts(strategy);

		Instance closed = this.runningInstances.remove(this.random.nextInt(3));
		long held = countHeld(closed);
		long reservedBefore = reserved(strategy);
		closed.context.close();
		long returned = reservedBefore - reserved(strategy);
		assertThat(returned).isBetween(0L, held);
		this.lostIds += held - returned;
		verifyCounts(strategy);
		if (strategy.equals("recycled")) {
			assertThat(returned).isEqualTo(held);
		}

		Instance crashed = this.runningInstances.remove(this.random.nextInt(2));
		this.lostIds += countHeld(crashed);
		crash(crashed);
		verifyCounts(strategy);

		start("--ids.strategy=" + strategy, "--ids.recycled.series-size=" + SERIES_SIZE,
				"--ids.recycled.series-per-instance=2", "--ids.block.size=100");
		drawAtRandom();
		verifyCounts(strategy);
		crashed.context.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "snowflake", "decimal-uid", "composite" })
	@FewInvocations(1)
	void nodesOfAllInstancesMatchTheDatabase(String strategy) throws Exception {
		for (int i = 0; i < 3; i++) {
			start("--ids.strategy=" + strategy);
		}
		drawAtRandom();
		verifyNodes();
		assertThat(owners()).hasSize(3).doesNotContainNull();

		this.runningInstances.remove(1).context.close();
		verifyNodes();
		assertThat(owners()).hasSize(3).containsOnlyOnce((String) null);

		Instance crashed = this.runningInstances.remove(1);
		crash(crashed);
		verifyNodes();
		start("--ids.strategy=" + strategy);
		drawAtRandom();
		verifyNodes();
		assertThat(owners()).as("the new instance claims the node of the closed one").hasSize(3).doesNotContainNull();
		crashed.context.close();
	}

	private void start(String... arguments) {
		List<String> allArguments = new ArrayList<>(List.of(arguments));
		allArguments.addAll(List.of("--spring.main.banner-mode=off", "--spring.flyway.enabled=false",
				"--spring.liquibase.enabled=false", "--management.endpoints.web.exposure.include=ids",
				"--ids.jdbc.initialize-schema=always", "--ids.jdbc.connection=shared", "--ids.block.wait-timeout=5s",
				"--spring.datasource.url=" + this.database.url(),
				"--spring.datasource.username=" + this.database.username(),
				"--spring.datasource.password=" + this.database.password()));
		this.runningInstances
			.add(new Instance(new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.run(allArguments.toArray(String[]::new))));
	}

	/**
	 * Close the connections of an instance, so that it can no longer give back ids or
	 * release nodes.
	 */
	private static void crash(Instance instance) {
		instance.context.getBean(HikariDataSource.class).close();
	}

	private void drawAtRandom() throws Exception {
		List<Future<?>> draws = new ArrayList<>();
		for (Instance instance : this.runningInstances) {
			for (int i = 0; i < THREADS; i++) {
				long seed = this.random.nextLong();
				draws.add(this.threads.submit(() -> draw(instance, new Random(seed))));
			}
		}
		for (Future<?> draw : draws) {
			draw.get();
		}
	}

	private void draw(Instance instance, Random random) {
		IdGenerator ids = instance.context.getBean(IdGenerator.class);
		int calls = 20 + random.nextInt(200);
		for (int i = 0; i < calls; i++) {
			int count = random.nextBoolean() ? 1 : 1 + random.nextInt(200);
			this.issuedIds.addAndGet(ids.nextLongs(count).length);
		}
	}

	/**
	 * Compare the counts. Retry if they differ, because a reservation may be in progress.
	 */
	private void verifyCounts(String strategy) {
		Awaitility.await().untilAsserted(() -> {
			long reserved = reserved(strategy);
			assertThat(this.issuedIds.get() + this.lostIds
					+ this.runningInstances.stream().mapToLong(IdsEndpointFleetTests::countHeld).sum())
				.isEqualTo(reserved);
			for (Instance instance : this.runningInstances) {
				GeneratorDescriptor generator = instance.read();
				KeySpace keySpace = generator.keySpace();
				assertThat(keySpace.capacity()).isEqualTo(capacity());
				assertThat(keySpace.reserved()).isEqualTo(reserved);
				assertThat(keySpace.remaining()).isEqualTo(capacity() - reserved);
				if (strategy.equals("recycled")) {
					GeneratorDescriptor.SeriesTotals totals = generator.seriesTotals();
					assertThat(totals.held() + totals.abandoned() + totals.untouched())
						.isEqualTo(capacity() - reserved);
					assertThat(generator.series()).extracting(GeneratorDescriptor.Series::next)
						.isEqualTo(this.jdbc.queryForList(
								"select next_position + 1 from ids_slot where next_position < end_position order by slot",
								String.class));
				}
			}
		});
	}

	private static long countHeld(Instance instance) {
		Block block = instance.read().block();
		return block.remaining() + block.ahead();
	}

	private long capacity() {
		return this.jdbc.queryForObject("select capacity from ids_key_space", Long.class);
	}

	private long reserved(String strategy) {
		return strategy.equals("recycled") ? this.jdbc
			.queryForObject("select sum(next_position - slot * " + SERIES_SIZE + ") from ids_slot", Long.class)
				: this.jdbc.queryForObject("select next_ordinal from ids_key_space", Long.class);
	}

	private void verifyNodes() {
		Awaitility.await().untilAsserted(() -> {
			for (Instance instance : this.runningInstances) {
				GeneratorDescriptor.Node node = instance.read().node();
				Map<String, Object> row = this.jdbc.queryForMap("select * from ids_slot where slot = ?", node.number());
				assertThat(row.get("owner")).isEqualTo(node.owner());
				assertThat(row.get("lease_until")).isEqualTo(node.leaseUntil().toEpochMilli());
				assertThat(row.get("next_position")).isEqualTo(millisSinceEpoch(node.windowEnd()));
			}
		});
		assertThat(this.runningInstances).extracting((instance) -> instance.read().node().number())
			.doesNotHaveDuplicates();
	}

	private long millisSinceEpoch(Instant instant) {
		String definition = this.jdbc.queryForObject("select definition from ids_key_space", String.class);
		Instant epoch = Instant.parse(definition.replaceAll(".*epoch=(\\S+).*", "$1"));
		return instant.toEpochMilli() - epoch.toEpochMilli();
	}

	private List<String> owners() {
		return this.jdbc.queryForList("select owner from ids_slot", String.class);
	}

	private record Instance(ConfigurableApplicationContext context) {

		private GeneratorDescriptor read() {
			return this.context.getBean(IdsEndpoint.class).generator("default");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
