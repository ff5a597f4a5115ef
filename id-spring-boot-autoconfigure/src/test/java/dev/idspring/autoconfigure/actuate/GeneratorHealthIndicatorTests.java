package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.testsupport.FailingKeySpaceStore;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.TestTimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GeneratorHealthIndicator}.
 */
class GeneratorHealthIndicatorTests {

	private final TestTimeSource time = new TestTimeSource();

	private final FailingKeySpaceStore store = new FailingKeySpaceStore();

	private final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable closeable : this.opened) {
			closeable.close();
		}
	}

	private BlockIdGenerator numbers(long end) {
		BlockIdGenerator generator = BlockIdGenerator.sequential("numbers", new SequentialSettings(1, end), this.store)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.open();
		this.opened.add(generator);
		return generator;
	}

	@Test
	void workingGeneratorIsUp() {
		GeneratorHealthIndicator indicator = new GeneratorHealthIndicator(numbers(1_000));
		Health health = indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("generator", GeneratorStatus.UP)
			.containsEntry("strategy", "sequential")
			.containsEntry("keySpace", "numbers")
			.doesNotContainKeys("error", "exhaustedAt");
		assertThat(health.getDetails().get("remaining")).hasToString("990");
	}

	@Test
	void healthConsumesNoIds() {
		BlockIdGenerator generator = numbers(1_000);
		GeneratorHealthIndicator indicator = new GeneratorHealthIndicator(generator);
		for (int i = 0; i < 10; i++) {
			indicator.health();
		}
		assertThat(generator.nextLong()).isEqualTo(1);
		assertThat(this.store.delegate().keySpaces().get("numbers").nextOrdinal()).isEqualTo(10);
	}

	@Test
	void nearlyExhaustedKeySpaceIsUpWithStatusLow() {
		BlockIdGenerator generator = numbers(100);
		GeneratorHealthIndicator indicator = new GeneratorHealthIndicator(generator);
		generator.nextLongs(95);
		Health health = indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("generator", GeneratorStatus.LOW);
	}

	@Test
	void exhaustedKeySpaceIsDown() {
		BlockIdGenerator generator = numbers(3);
		GeneratorHealthIndicator indicator = new GeneratorHealthIndicator(generator);
		generator.nextLongs(3);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(generator::nextLong);
		Health health = indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("generator", GeneratorStatus.EXHAUSTED);
	}

	@Test
	void failingStoreIsADetailUntilReservedIdsRunOut() {
		BlockIdGenerator generator = numbers(1_000);
		GeneratorHealthIndicator indicator = new GeneratorHealthIndicator(generator);
		generator.nextLong();
		this.store.failWith(new IdStoreUnavailableException("planted"));
		// a read that has begun before may still answer
		Awaitility.await().untilAsserted(() -> {
			Health serving = indicator.health();
			assertThat(serving.getStatus()).isEqualTo(Status.UP);
			assertThat(serving.getDetails().get("error")).asString().contains("planted");
		});
		generator.nextLongs(9);
		Health empty = indicator.health();
		assertThat(empty.getStatus()).isEqualTo(Status.DOWN);
		assertThat(empty.getDetails()).containsEntry("generator", GeneratorStatus.DOWN);
		this.store.failWith(null);
		generator.nextLong();
		assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void closedGeneratorIsDown() {
		BlockIdGenerator generator = numbers(1_000);
		GeneratorHealthIndicator indicator = new GeneratorHealthIndicator(generator);
		assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
		generator.close();
		assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void untrustedClockIsDown() {
		TimeIdGenerator generator = TimeIdGenerator.builder("events", Preset.STANDARD.settings().scheme())
			.store(new InMemoryKeySpaceStore(), new InMemorySlotStore(this.time))
			.timeSource(this.time)
			.open();
		this.opened.add(generator);
		GeneratorHealthIndicator indicator = new GeneratorHealthIndicator(generator);
		Health up = indicator.health();
		assertThat(up.getStatus()).isEqualTo(Status.UP);
		assertThat(up.getDetails()).containsEntry("exhaustedAt", Instant.parse("2093-09-06T15:47:35.551Z"));
		this.time.jump(Duration.ofDays(365));
		assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

}
