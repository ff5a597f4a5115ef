package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.idspring.IdGenerator;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GeneratorHealth}.
 */
class GeneratorHealthTests {

	private final TestTimeSource time = new TestTimeSource();

	private final FailingKeySpaceStore store = new FailingKeySpaceStore();

	private final List<AutoCloseable> openGenerators = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable closeable : this.openGenerators) {
			closeable.close();
		}
	}

	private BlockIdGenerator numbers(long end) {
		BlockIdGenerator generator = BlockIdGenerator.sequential("numbers", new SequentialSettings(1, end), this.store)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.open();
		this.openGenerators.add(generator);
		return generator;
	}

	private static GeneratorHealth forGenerator(IdGenerator generator) {
		return new GeneratorHealth(() -> Optional.of(generator));
	}

	@Test
	void workingGeneratorIsUp() {
		GeneratorHealth check = forGenerator(numbers(1_000));
		IdHealth health = check.get();
		assertThat(health.up()).isTrue();
		assertThat(health.details()).containsEntry("generator", GeneratorStatus.UP)
			.containsEntry("strategy", "sequential")
			.containsEntry("keySpace", "numbers")
			.doesNotContainKeys("error", "exhaustedAt");
		assertThat(health.details().get("remaining")).hasToString("990");
	}

	@Test
	void healthConsumesNoIds() {
		BlockIdGenerator generator = numbers(1_000);
		GeneratorHealth check = forGenerator(generator);
		for (int i = 0; i < 10; i++) {
			check.get();
		}
		assertThat(generator.nextLong()).isEqualTo(1);
		assertThat(this.store.delegate().keySpaces().get("numbers").nextOrdinal()).isEqualTo(10);
	}

	@Test
	void nearlyExhaustedKeySpaceIsUpWithStatusLow() {
		BlockIdGenerator generator = numbers(100);
		GeneratorHealth check = forGenerator(generator);
		generator.nextLongs(95);
		IdHealth health = check.get();
		assertThat(health.up()).isTrue();
		assertThat(health.details()).containsEntry("generator", GeneratorStatus.LOW);
	}

	@Test
	void exhaustedKeySpaceIsDown() {
		BlockIdGenerator generator = numbers(3);
		GeneratorHealth check = forGenerator(generator);
		generator.nextLongs(3);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(generator::nextLong);
		IdHealth health = check.get();
		assertThat(health.up()).isFalse();
		assertThat(health.details()).containsEntry("generator", GeneratorStatus.EXHAUSTED);
	}

	@Test
	void failingStoreIsOnlyADetailUntilReservedIdsRunOut() {
		BlockIdGenerator generator = numbers(1_000);
		GeneratorHealth check = forGenerator(generator);
		generator.nextLong();
		this.store.failWith(new IdStoreUnavailableException("simulated outage"));
		// a read that started before the failure may still succeed
		Awaitility.await().untilAsserted(() -> {
			IdHealth healthWithReservedIds = check.get();
			assertThat(healthWithReservedIds.up()).isTrue();
			assertThat(healthWithReservedIds.details().get("error")).asString().contains("simulated outage");
		});
		generator.nextLongs(9);
		IdHealth healthWithoutReservedIds = check.get();
		assertThat(healthWithoutReservedIds.up()).isFalse();
		assertThat(healthWithoutReservedIds.details()).containsEntry("generator", GeneratorStatus.DOWN);
		this.store.failWith(null);
		generator.nextLong();
		assertThat(check.get().up()).isTrue();
	}

	@Test
	void closedGeneratorIsDown() {
		BlockIdGenerator generator = numbers(1_000);
		GeneratorHealth check = forGenerator(generator);
		assertThat(check.get().up()).isTrue();
		generator.close();
		assertThat(check.get().up()).isFalse();
	}

	@Test
	void untrustedClockIsDown() {
		TimeIdGenerator generator = TimeIdGenerator.builder("events", Preset.STANDARD.settings().scheme())
			.store(new InMemoryKeySpaceStore(), new InMemorySlotStore(this.time))
			.timeSource(this.time)
			.open();
		this.openGenerators.add(generator);
		GeneratorHealth check = forGenerator(generator);
		IdHealth up = check.get();
		assertThat(up.up()).isTrue();
		assertThat(up.details()).containsEntry("exhaustedAt", Instant.parse("2093-09-06T15:47:35.551Z"));
		this.time.jump(Duration.ofDays(365));
		assertThat(check.get().up()).isFalse();
	}

}
