package dev.idspring.autoconfigure.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.testsupport.Documentation;
import dev.idspring.testsupport.FailingKeySpaceStore;
import dev.idspring.text.Alphabet;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.TestTimeSource;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdGeneratorMetrics}.
 */
class IdGeneratorMetricsTests {

	private final TestTimeSource time = new TestTimeSource();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore();

	private final InMemorySlotStore slots = new InMemorySlotStore(this.time);

	private final List<ManagedIdGenerator> openGenerators = new ArrayList<>();

	@AfterEach
	void close() {
		this.openGenerators.forEach(ManagedIdGenerator::close);
	}

	private <T extends ManagedIdGenerator> T bindMeters(T generator) {
		this.openGenerators.add(generator);
		new IdGeneratorMetrics(this.openGenerators, this.time).bindTo(this.registry);
		return generator;
	}

	private BlockIdGenerator numbers() {
		return bindMeters(openNumbers());
	}

	private BlockIdGenerator openNumbers() {
		return BlockIdGenerator.sequential("numbers", new SequentialSettings(1, 1_000), this.keySpaces)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.open();
	}

	private double value(String name) {
		return this.registry.get(name).meter().measure().iterator().next().getValue();
	}

	@Test
	void blocksAndKeySpaceAreMeasured() {
		BlockIdGenerator ids = numbers();
		ids.nextLongs(23);
		assertThat(value("ids.issued")).isEqualTo(23);
		Awaitility.await().untilAsserted(() -> {
			double reserved = value("ids.keyspace.reserved");
			assertThat(value("ids.issued") + value("ids.block.remaining")).isEqualTo(reserved);
			assertThat(value("ids.keyspace.remaining")).isEqualTo(1_000 - reserved);
		});
		assertThat(value("ids.keyspace.capacity")).isEqualTo(1_000);
		assertThat(value("ids.block.size")).isPositive();
		assertThat(value("ids.block.failures")).isZero();
		assertThat(value("ids.block.exhaustions")).isNotNegative();
		assertThat(value("ids.block.waits")).isEqualTo(value("ids.block.exhaustions"));
		assertThat(value("ids.block.fill")).isBetween(0.0, 1.0);
		assertThat(value("ids.keyspace.horizon")).as("unknown without a rate").isNaN();
	}

	@Test
	void metersAreTaggedAndHaveUnits() {
		numbers();
		assertThat(this.registry.getMeters()).isNotEmpty().allSatisfy((meter) -> {
			Meter.Id id = meter.getId();
			assertThat(id.getName()).matches("ids(\\.[a-z]+)+");
			assertThat(id.getTag("generator")).isEqualTo("numbers");
			assertThat(id.getTag("strategy")).isEqualTo("sequential");
			assertThat(id.getDescription()).isNotBlank();
			if (!List.of("ids.block.fill", "ids.status").contains(id.getName())) {
				assertThat(id.getBaseUnit()).isNotBlank();
			}
		});
		assertThat(this.registry.find("ids.series.owned").meter()).isNull();
		assertThat(this.registry.find("ids.node.number").meter()).isNull();
	}

	@Test
	void blockFillDecreasesAsIdsAreIssued() {
		BlockIdGenerator ids = numbers();
		Awaitility.await().untilAsserted(() -> assertThat(value("ids.block.fill")).isEqualTo(1));
		ids.nextLongs(4);
		assertThat(value("ids.block.fill")).isEqualTo(0.6);
		ids.close();
		assertThat(value("ids.block.fill")).as("given back on close").isZero();
	}

	@Test
	void blockFillExcludesIdsTakenInAdvanceByAThread() {
		BlockIdGenerator ids = bindMeters(BlockIdGenerator
			.coprime("keys", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), this.keySpaces)
			.blockSettings(new BlockSettings(100_000, 100_000, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.open());
		// a caller that has to wait for the block takes a single key and no chunk, so
		// draw only after the block is reserved
		Awaitility.await().until(() -> ids.snapshot().block().remaining() == 100_000);
		for (int i = 0; i < 5; i++) {
			ids.nextLong();
		}
		assertThat(value("ids.block.remaining")).isEqualTo(99_995);
		assertThat(value("ids.block.fill")).as("without the chunks of 1, 3 and 7 ids that the thread has taken")
			.isEqualTo(0.99989);
	}

	@Test
	void exactlyOneStatusIsActive() {
		BlockIdGenerator ids = numbers();
		ids.nextLong();
		assertThat(activeStatuses()).containsExactly("up");
		ids.close();
		assertThat(activeStatuses()).containsExactly("down");
	}

	private List<String> activeStatuses() {
		return this.registry.get("ids.status")
			.gauges()
			.stream()
			.filter((gauge) -> gauge.value() == 1)
			.map((gauge) -> gauge.getId().getTag("status"))
			.toList();
	}

	@Test
	void waitsAreTimed() {
		FailingKeySpaceStore slow = new FailingKeySpaceStore();
		BlockIdGenerator ids = bindMeters(BlockIdGenerator.sequential("numbers", new SequentialSettings(1, 1_000), slow)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.open());
		Awaitility.await().untilAsserted(() -> assertThat(value("ids.block.remaining")).isEqualTo(10));
		slow.beforeReserve(() -> this.time.advance(Duration.ofSeconds(2)));
		ids.nextLongs(100);
		FunctionTimer waits = this.registry.get("ids.block.waits").functionTimer();
		assertThat(waits.count()).isEqualTo(1);
		assertThat(waits.totalTime(TimeUnit.SECONDS)).isBetween(2.0, 4.0);
	}

	@Test
	void everyMeterIsDocumented() {
		numbers();
		series();
		events();
		String page = Documentation.page("operations");
		assertThat(this.registry.getMeters())
			.allSatisfy((meter) -> assertThat(page).contains("`" + meter.getId().getName() + "`"));
	}

	@Test
	void metersOfAGeneratorOpenedAfterBindingCanBeAdded() {
		IdGeneratorMetrics metrics = new IdGeneratorMetrics(this.openGenerators, this.time);
		metrics.bindTo(this.registry);
		ManagedIdGenerator laterGenerator = openNumbers();
		this.openGenerators.add(laterGenerator);
		assertThat(this.registry.getMeters()).isEmpty();
		metrics.add(laterGenerator.name(), laterGenerator.snapshot());
		assertThat(this.registry.find("ids.issued").tag("generator", laterGenerator.name()).meter()).isNotNull();
	}

	/**
	 * Binds generators of all kinds to one registry. All meters with the same name must
	 * have the same label names, because Prometheus would drop a meter with other label
	 * names.
	 */
	@Test
	void prometheusExportsTheExpectedMeterNames() {
		PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		prometheus.throwExceptionOnRegistrationFailure();
		numbers();
		series();
		events();
		new IdGeneratorMetrics(this.openGenerators, this.time).bindTo(prometheus);
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(prometheus));
		ObservedReservations observer = new ObservedReservations(() -> observations);
		observer.reserving("numbers", "sequential").end(ReservationOutcome.SUCCESS, null);
		observer.reserving("events", "snowflake")
			.end(ReservationOutcome.FAILURE, new IllegalStateException("simulated outage"));
		assertThat(prometheus.scrape()
			.lines()
			.filter((line) -> line.startsWith("# TYPE"))
			.map((line) -> line.substring("# TYPE ".length())))
			.containsExactlyInAnyOrder("ids_issued_ids_total counter", "ids_block_size_ids gauge",
					"ids_block_remaining_ids gauge", "ids_block_fill gauge",
					"ids_block_failures_attempts_total counter", "ids_block_exhaustions_callers_total counter",
					"ids_block_waits_seconds summary", "ids_block_reservations_seconds summary",
					"ids_block_reservations_seconds_max gauge", "ids_block_reservations_active_seconds summary",
					"ids_block_reservations_active_seconds_max gauge", "ids_keyspace_capacity_ids gauge",
					"ids_keyspace_reserved_ids gauge", "ids_keyspace_remaining_ids gauge",
					"ids_keyspace_horizon_seconds gauge", "ids_series_owned_series gauge", "ids_series_held_ids gauge",
					"ids_series_abandoned_ids gauge", "ids_series_untouched_ids gauge", "ids_node_number gauge",
					"ids_node_lease_seconds gauge", "ids_clock_ahead_seconds gauge", "ids_clock_skew_seconds gauge",
					"ids_clock_jumps_total counter", "ids_status gauge");
		assertThat(prometheus.scrape()).contains(
				"ids_block_reservations_seconds_count{error=\"none\",generator=\"numbers\",outcome=\"success\",strategy=\"sequential\"} 1")
			.contains("ids_issued_ids_total{generator=\"events\",strategy=\"snowflake\"} 0");
	}

	@Test
	void issuedCountExcludesIdsGivenBack() {
		BlockIdGenerator ids = numbers();
		ids.nextLongs(7);
		ids.close();
		assertThat(value("ids.issued")).isEqualTo(7);
	}

	private BlockIdGenerator series() {
		return bindMeters(BlockIdGenerator
			.recycled("orders", new RecycledSettings(1_000, 1_000_000), new SeriesSettings(2, Duration.ofSeconds(30)),
					this.keySpaces, this.slots)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.open());
	}

	@Test
	void seriesAreMeasured() {
		BlockIdGenerator ids = series();
		ids.nextLongs(5);
		Awaitility.await().untilAsserted(() -> {
			ids.refresh(Duration.ofSeconds(5)).join();
			assertThat(value("ids.series.owned")).isEqualTo(2);
		});
		assertThat(value("ids.issued")).isEqualTo(5);
		assertThat(value("ids.series.held") + value("ids.series.abandoned") + value("ids.series.untouched"))
			.isEqualTo(value("ids.keyspace.remaining"));
		assertThat(value("ids.series.abandoned")).isZero();
		assertThat(value("ids.series.untouched")).isEqualTo(1_000_000 - 2 * 1_000);
	}

	private TimeIdGenerator events() {
		return bindMeters(TimeIdGenerator.builder("events", Preset.STANDARD.settings().scheme())
			.store(this.keySpaces, this.slots)
			.timeSource(this.time)
			.open());
	}

	@Test
	void nodeAndClockAreMeasured() {
		TimeIdGenerator ids = events();
		ids.nextLongs(4_096 * 11);
		ids.nextLong();
		assertThat(value("ids.issued")).isEqualTo(4_096 * 11 + 1);
		assertThat(value("ids.node.number")).isZero();
		assertThat(this.registry.get("ids.clock.ahead").timeGauge().value(TimeUnit.MILLISECONDS)).isEqualTo(11);
		assertThat(value("ids.clock.jumps")).isZero();
		assertThat(value("ids.clock.skew")).isZero();
		assertThat(this.registry.get("ids.node.lease").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(30);
		this.time.advance(Duration.ofSeconds(4));
		assertThat(this.registry.get("ids.node.lease").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(26);
		assertThat(this.registry.get("ids.keyspace.horizon").timeGauge().value(TimeUnit.DAYS)).isBetween(24_000.0,
				25_000.0);
		ids.close();
		assertThat(value("ids.node.number")).isNaN();
		assertThat(value("ids.node.lease")).isNaN();
	}

}
