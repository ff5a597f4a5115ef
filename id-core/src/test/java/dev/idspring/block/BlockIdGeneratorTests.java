package dev.idspring.block;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import dev.idspring.IdDescription;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.TestTimeSource;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BlockIdGenerator}.
 */
class BlockIdGeneratorTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	private final ScriptedStore store = new ScriptedStore();

	private final TestTimeSource time = new TestTimeSource();

	@Test
	void issuesTheIdsOfThePublishedFormula() {
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			List<String> texts = IntStream.range(0, 8).mapToObj((i) -> ids.nextString()).toList();
			assertThat(texts).containsExactly("000000", "zcDK0x", "8phu14", "HBVe1B", "gOyY28", "Q1cI2F", "pdQs3c",
					"Yquc3J");
		}
	}

	@Test
	void singleAndBulkCallsContinueOneSequence() {
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			assertThat(ids.nextLong()).isZero();
			assertThat(ids.nextLongs(2)).containsExactly(32251436801L, 7702638018L);
			long[] into = new long[1];
			ids.nextLongs(into);
			assertThat(into).containsExactly(39954074819L);
			assertThat(ids.nextStrings(2)).containsExactly("gOyY28", "Q1cI2F");
			assertThat(ids.nextLongs(0)).isEmpty();
			assertThat(ids.nextStrings(0)).isEmpty();
			assertThat(ids.nextString()).isEqualTo("pdQs3c");
		}
	}

	@Test
	void bulkCallRejectsNegativeCounts() {
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			assertThatIllegalArgumentException().isThrownBy(() -> ids.nextLongs(-1)).withMessageContaining("-1");
			assertThatIllegalArgumentException().isThrownBy(() -> ids.nextStrings(-1)).withMessageContaining("-1");
		}
	}

	@Test
	void failedBulkCallLeavesTheArrayUnchanged() {
		try (BlockIdGenerator ids = open(base62(1, 1, null))) {
			long[] into = new long[63];
			Arrays.fill(into, -7);
			assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> ids.nextLongs(into));
			assertThat(into).containsOnly(-7);
			assertThat(ids.nextLongs(62)).doesNotHaveDuplicates();
		}
	}

	@Test
	void describeReturnsTheOrdinalAndWhetherItIsReserved() {
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			ids.nextLong();
			assertThat(ids.describe(ids.parse("zcDK0x")))
				.isEqualTo(IdDescription.ofOrdinal(32251436801L, "zcDK0x", 1, true));
			IdDescription last = ids.describe(ids.keySpace().key(ids.keySpace().capacity() - 1));
			assertThat(last.ordinal()).isEqualTo(56_800_235_583L);
			assertThat(last.reserved()).isFalse();
			assertThat(this.store.reservedRanges).as("describing consumes nothing").hasSize(1);
		}
	}

	@Test
	void parkMillerOrdinalsAreSeeds() {
		try (BlockIdGenerator ids = open(BlockIdGenerator.parkMiller("test", this.store))) {
			assertThat(ids.nextLongs(5)).containsExactly(16807, 33614, 50421, 67228, 84035);
			assertThat(ids.describe(2147480811).ordinal()).isEqualTo(127773);
			assertThat(ids.snapshot().keySpace().capacity()).hasToString("2147483646");
		}
	}

	@Test
	void restartAfterACloseContinuesWithTheNextId() {
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			ids.nextLongs(3);
		}
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			assertThat(ids.nextString()).isEqualTo("HBVe1B");
		}
	}

	@Test
	void unsetMultiplierIsReadFromTheStore() {
		open(base62(6, 6, 5L)).close();
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			assertThat(ids.nextLongs(3)).containsExactly(0, 5, 10);
		}
	}

	@Test
	void differentDefinitionCausesAFailureThatNamesBothValues() {
		open(base62(6, 6, null)).close();
		assertThatExceptionOfType(KeySpaceMismatchException.class).isThrownBy(() -> open(base62(5, 6, null)))
			.withMessageContaining("'test'")
			.withMessageContaining("length=6")
			.withMessageContaining("length=5");
		assertThatExceptionOfType(KeySpaceMismatchException.class).isThrownBy(() -> open(base62(6, 6, 7L)))
			.withMessageContaining("multiplier=32251436801")
			.withMessageContaining("multiplier=7");
		assertThatExceptionOfType(KeySpaceMismatchException.class)
			.isThrownBy(() -> open(BlockIdGenerator.parkMiller("test", this.store)));
	}

	@Test
	void closedKeySpaceIsReportedAsClosedEvenIfTheSettingsDiffer() {
		this.store.create("test", StoredKeySpace.close("coprime length=6 multiplier=5 offset=0"), 10, DEADLINE);
		assertThatExceptionOfType(KeySpaceMismatchException.class).isThrownBy(() -> open(base62(6, 6, null)))
			.withMessageContaining("was closed");
	}

	@Test
	void capacityCanBeRaisedButNotLowered() {
		open(base62(1, 1, null)).close();
		open(base62(1, 2, null)).close();
		long raised = 62 + 62 * 62;
		assertThat(this.store.memory.keySpaces().get("test").capacity()).isEqualTo(raised);
		try (BlockIdGenerator lowerCapacity = open(base62(1, 1, null));
				BlockIdGenerator higherCapacity = open(base62(1, 2, null))) {
			assertThat(this.store.memory.keySpaces().get("test").capacity()).isEqualTo(raised);
			higherCapacity.nextLongs(100);
			assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> lowerCapacity.nextLongs(63));
			assertThat(Arrays.stream(higherCapacity.nextLongs(1_000))).allMatch((id) -> id >= 62);
		}
	}

	@Test
	void openFailsIfTheStoreIsUnavailable() {
		this.store.failure = new IdStoreUnavailableException("injected");
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> open(base62(6, 6, null)))
			.withMessageContaining("injected");
	}

	@Test
	void closedGeneratorIssuesNoIds() {
		BlockIdGenerator ids = open(base62(6, 6, null));
		ids.close();
		assertThatIllegalStateException().isThrownBy(ids::nextLong).withMessage("Id generator 'test' is closed.");
		assertThatIllegalStateException().isThrownBy(() -> ids.nextLongs(0))
			.withMessage("Id generator 'test' is closed.");
		assertThat(ids.format(0)).isEqualTo("000000");
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
	}

	@Test
	void statusIsLowWhenFewKeysRemainAndExhaustedWhenNoneRemain() {
		try (BlockIdGenerator ids = open(base62(1, 1, null))) {
			assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
			ids.nextLongs(58);
			assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.LOW);
			ids.nextLongs(4);
			assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.EXHAUSTED);
			assertThat(ids.snapshot().keySpace().remaining()).isZero();
		}
	}

	@Test
	void statusIsDownOnlyWhenNoIdsRemainInMemory() {
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			this.store.failure = new IdStoreUnavailableException("injected");
			ids.refresh(Duration.ofSeconds(5)).join();
			assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
			assertThat(ids.snapshot().storeFailure()).contains("injected");
			ids.nextLongs(1_000);
			assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
			this.store.failure = null;
			ids.refresh(Duration.ofSeconds(5)).join();
			ids.nextLong();
			assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
		}
	}

	@Test
	void forecastUsesTheRateOfAllInstances() {
		try (BlockIdGenerator ids = open(base62(6, 6, null))) {
			ids.nextLong();
			assertThat(ids.snapshot().keySpace().idsPerSecond()).isNull();
			assertThat(ids.snapshot().keySpace().exhaustedAt()).isNull();
			this.store.memory.reserve("test", 56_800_000, 56_800_235_584L, DEADLINE);
			this.time.advance(Duration.ofMinutes(10));
			ids.refresh(Duration.ofSeconds(5)).join();
			assertThat(ids.snapshot().keySpace().idsPerSecond()).isCloseTo(56_800_000 / 600.0,
					Percentage.withPercentage(1));
			assertThat(ids.snapshot().keySpace().exhaustedAt()).as("a week cannot be forecast from ten minutes")
				.isNull();
			assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.UP);
			this.store.memory.reserve("test", 50_000_000_000L, 56_800_235_584L, DEADLINE);
			this.time.advance(Duration.ofDays(6));
			ids.refresh(Duration.ofSeconds(5)).join();
			assertThat(ids.snapshot().keySpace().exhaustedAt()).isAfter(this.time.instant().plus(Duration.ofHours(15)))
				.isBefore(this.time.instant().plus(Duration.ofHours(21)));
			assertThat(ids.snapshot().status()).as("keys are exhausted within 30 days").isEqualTo(GeneratorStatus.LOW);
		}
	}

	@Test
	void lowKeySpaceIsReportedOnceADayAndOnlyAfterAReservation() {
		List<String> reports = new ArrayList<>();
		IdGeneratorListener listener = new IdGeneratorListener() {

			@Override
			public void low(String generator, KeySpaceSnapshot keySpace) {
				reports.add(generator + " " + keySpace.remaining());
			}

		};
		BlockIdGenerator.Builder builder = BlockIdGenerator
			.sequential("test", new SequentialSettings(1, 1_000), this.store)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.lowThreshold(new LowThreshold(0.1, Duration.ZERO))
			.listener(listener)
			.timeSource(this.time);
		try (BlockIdGenerator ids = builder.executors((number) -> new ManualStoreExecutor().runImmediately()).open()) {
			for (int i = 0; i < 100; i++) {
				ids.nextLongs(5);
				this.time.advance(Duration.ofHours(1));
			}
			assertThat(reports).isEmpty();
			ids.nextLongs(385);
			while (reports.isEmpty()) {
				this.time.advance(Duration.ofMinutes(1));
				ids.nextLong();
			}
			assertThat(reports).singleElement().asString().matches("test 9\\d");
			this.time.advance(Duration.ofHours(23).plusMinutes(59));
			ids.nextLongs(20);
			assertThat(reports).hasSize(1);
			ids.snapshot();
			this.time.advance(Duration.ofMinutes(1));
			assertThat(reports).hasSize(1);
			ids.nextLongs(20);
			assertThat(reports).hasSize(2);
		}
	}

	@Test
	void lowKeySpaceIsReportedBasedOnTheHistoryOfOtherInstances() {
		InMemoryKeySpaceStore store = new InMemoryKeySpaceStore(this.time);
		SequentialSettings settings = new SequentialSettings(1, 1_000);
		BlockSettings blockSettings = new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO);
		for (int day = 0; day < 40; day++) {
			BlockIdGenerator.Builder builder = BlockIdGenerator.sequential("test", settings, store)
				.blockSettings(blockSettings)
				.timeSource(this.time);
			try (BlockIdGenerator ids = builder.executors((number) -> new ManualStoreExecutor().runImmediately())
				.open()) {
				ids.nextLongs(15);
			}
			this.time.advance(Duration.ofDays(1));
		}
		List<Instant> reports = new ArrayList<>();
		IdGeneratorListener listener = new IdGeneratorListener() {

			@Override
			public void low(String generator, KeySpaceSnapshot keySpace) {
				reports.add(keySpace.soonestEnd());
			}

		};
		BlockIdGenerator.Builder restarted = BlockIdGenerator.sequential("test", settings, store)
			.blockSettings(blockSettings)
			.listener(listener)
			.timeSource(this.time);
		try (BlockIdGenerator ids = restarted.executors((number) -> new ManualStoreExecutor().runImmediately())
			.open()) {
			assertThat(reports).singleElement()
				.satisfies((end) -> assertThat(Duration.between(this.time.instant(), end))
					.isBetween(Duration.ofDays(20), Duration.ofDays(27)));
			assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.LOW);
		}
	}

	private BlockIdGenerator open(CoprimeSettings settings) {
		return open(BlockIdGenerator.coprime("test", settings, this.store));
	}

	private BlockIdGenerator open(BlockIdGenerator.Builder builder) {
		return builder.timeSource(this.time).executors((number) -> new ManualStoreExecutor().runImmediately()).open();
	}

	private static CoprimeSettings base62(int length, int maxLength, Long multiplier) {
		return new CoprimeSettings(Alphabet.of("base62"), length, maxLength, multiplier, 0);
	}

}
