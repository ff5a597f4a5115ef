package dev.idspring.metrics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.InMemoryKeySpaceStore;
import dev.idspring.clock.TestTimeSource;
import dev.idspring.keyspace.RecycledSettings;
import dev.idspring.keyspace.SequentialSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.slot.InMemorySlotStore;
import dev.idspring.slot.SeriesReservations;
import dev.idspring.slot.SeriesReservations.SeriesSettings;
import dev.idspring.slot.SlotListener;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeIdGenerator;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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

	private final List<ManagedIdGenerator> opened = new ArrayList<>();

	@AfterEach
	void close() {
		this.opened.forEach(ManagedIdGenerator::close);
	}

	private <T extends ManagedIdGenerator> T bound(T generator) {
		this.opened.add(generator);
		new IdGeneratorMetrics(List.of(generator), this.time).bindTo(this.registry);
		return generator;
	}

	private BlockIdGenerator numbers() {
		return bound(BlockIdGenerator
			.builder("numbers", "sequential", new SequentialSettings("sequential", 1, 1_000), this.keySpaces)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.open());
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
		assertThat(value("ids.block.reservations")).isGreaterThanOrEqualTo(1);
		assertThat(value("ids.block.failures")).isZero();
		assertThat(value("ids.block.exhaustions")).isNotNegative();
		assertThat(value("ids.keyspace.horizon")).as("too early to tell").isNaN();
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
			assertThat(id.getBaseUnit()).isNotBlank();
		});
		assertThat(this.registry.find("ids.series.owned").meter()).isNull();
		assertThat(this.registry.find("ids.node.number").meter()).isNull();
	}

	@Test
	void everyMeterIsInTheReadme() throws Exception {
		numbers();
		String readme = Files.readString(Path.of("..", "README.md"));
		assertThat(this.registry.getMeters())
			.allSatisfy((meter) -> assertThat(readme).contains("`" + meter.getId().getName() + "`"));
	}

	@Test
	void idsThatAreGivenBackCountAsNotIssued() {
		BlockIdGenerator ids = numbers();
		ids.nextLongs(7);
		ids.close();
		assertThat(value("ids.issued")).isEqualTo(7);
	}

	@Test
	void seriesAreMeasured() {
		BlockIdGenerator ids = bound(
				BlockIdGenerator.builder("orders", "recycled", new RecycledSettings(1_000, 1_000_000), this.keySpaces)
					.reservations(SeriesReservations.factory(this.slots,
							new SeriesSettings(1_000, 2, Duration.ofSeconds(30), new SlotListener() {
							})))
					.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
					.timeSource(this.time)
					.open());
		ids.nextLongs(5);
		Awaitility.await().untilAsserted(() -> {
			ids.refresh(Duration.ofSeconds(5)).join();
			assertThat(value("ids.series.owned")).isEqualTo(2);
		});
		assertThat(value("ids.issued")).isEqualTo(5);
	}

	@Test
	void nodeAndClockAreMeasured() {
		TimeIdGenerator ids = bound(TimeIdGenerator.builder("events", Preset.STANDARD.settings().scheme())
			.store(this.keySpaces, this.slots)
			.timeSource(this.time)
			.open());
		ids.nextLongs(4_096 * 11);
		ids.nextLong();
		assertThat(value("ids.issued")).isEqualTo(4_096 * 11 + 1);
		assertThat(value("ids.node.number")).isZero();
		assertThat(this.registry.get("ids.clock.ahead").timeGauge().value(TimeUnit.MILLISECONDS)).isEqualTo(11);
		assertThat(value("ids.clock.jumps")).isZero();
		assertThat(this.registry.get("ids.keyspace.horizon").timeGauge().value(TimeUnit.DAYS)).isBetween(24_000.0,
				25_000.0);
		ids.close();
		assertThat(value("ids.node.number")).isNaN();
	}

}
