package dev.idspring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.worker.Deadline;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessCopyGuard}. To simulate a checkpoint of the process (CRaC), the
 * tests stop and start the context.
 */
@ExtendWith(OutputCaptureExtension.class)
class ProcessCopyGuardTests {

	private static final int BLOCK_SIZE = 1_000;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory", "ids.block.size=" + BLOCK_SIZE, "ids.block.max-size=" + BLOCK_SIZE,
				"ids.generators.numbers.strategy=sequential", "ids.generators.series.strategy=recycled",
				"ids.generators.events.strategy=snowflake");

	@Test
	void checkpointDropsReservedIds() {
		this.contextRunner.run((context) -> {
			IdGenerator numbers = context.getBean(IdGenerators.class).get("numbers");
			assertThat(numbers.nextLong()).isEqualTo(1);
			context.stop();
			context.start();
			assertThat(numbers.nextLong()).isGreaterThan(BLOCK_SIZE)
				.satisfies((id) -> assertThat((id - 1) % BLOCK_SIZE).isZero());
		});
	}

	@Test
	void dropsTheRestOfABlockThatIsInUseDuringACheckpoint() {
		this.contextRunner.run((context) -> {
			IdGenerator numbers = context.getBean(IdGenerators.class).get("numbers");
			context.stop();
			long drawnWhileStopped = numbers.nextLong();
			context.start();
			assertThat(numbers.nextLong()).isGreaterThanOrEqualTo(drawnWhileStopped + BLOCK_SIZE);
		});
	}

	@Test
	void generatorsContinueWithoutDuplicatesAfterACheckpoint() {
		this.contextRunner.run((context) -> {
			IdGenerators generators = context.getBean(IdGenerators.class);
			for (String name : new String[] { "default", "numbers", "series", "events" }) {
				Set<Long> ids = new HashSet<>();
				for (int i = 0; i < 3; i++) {
					for (long id : generators.get(name).nextLongs(5_000)) {
						assertThat(ids.add(id)).as(name).isTrue();
					}
					context.stop();
					context.start();
				}
			}
		});
	}

	@Test
	void closingTheContextGivesBackReservedIds() {
		InMemoryKeySpaceStore store = new InMemoryKeySpaceStore(TimeSource.system());
		this.contextRunner.withBean(KeySpaceStore.class, () -> store)
			.run((context) -> context.getBean(IdGenerators.class).get("numbers").nextLong());
		Deadline deadline = Deadline.after(TimeSource.system(), Duration.ofSeconds(5));
		assertThat(store.read("numbers", deadline).orElseThrow().nextOrdinal()).isEqualTo(1);
	}

	@Test
	void dropsReservedIdsWhenTheClocksDiverge(CapturedOutput output) {
		TestTimeSource time = new TestTimeSource();
		this.contextRunner.withBean(TimeSource.class, () -> time).run((context) -> {
			IdGenerator numbers = context.getBean(IdGenerators.class).get("numbers");
			ProcessCopyGuard guard = context.getBean(ProcessCopyGuard.class);
			assertThat(numbers.nextLong()).isEqualTo(1);
			time.advance(Duration.ofDays(1));
			time.jump(Duration.ofSeconds(1));
			guard.compareClocks();
			assertThat(numbers.nextLong()).isEqualTo(2);
			assertThat(output).doesNotContain("may be a copy");
			time.jump(Duration.ofMillis(-1_001));
			guard.compareClocks();
			assertThat(numbers.nextLong()).isGreaterThan(BLOCK_SIZE);
			assertThat(output).containsOnlyOnce("has moved by 1001ms relative to the monotonic clock")
				.contains("Id generator 'numbers' dropped " + (BLOCK_SIZE - 2) + " reserved ids");
		});
	}

	@Test
	void pauseBetweenTheReadingsOfTwoClocksDropsNoIds(CapturedOutput output) {
		PausingTimeSource time = new PausingTimeSource();
		this.contextRunner.withBean(TimeSource.class, () -> time).run((context) -> {
			time.pause = Duration.ofSeconds(5);
			context.getBean(ProcessCopyGuard.class).compareClocks();
			time.pause = Duration.ZERO;
			context.getBean(ProcessCopyGuard.class).compareClocks();
			assertThat(output).doesNotContain("may be a copy");
		});
	}

	/**
	 * Simulates a pause of the process after each reading of the wall clock.
	 */
	private static final class PausingTimeSource implements TimeSource {

		private final TestTimeSource time = new TestTimeSource();

		private volatile Duration pause = Duration.ZERO;

		@Override
		public Instant instant() {
			Instant now = this.time.instant();
			this.time.advance(this.pause);
			return now;
		}

		@Override
		public long nanoTime() {
			return this.time.nanoTime();
		}

	}

}
