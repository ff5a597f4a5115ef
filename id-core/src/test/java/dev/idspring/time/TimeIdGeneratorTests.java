package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.ClockException;
import dev.idspring.IdDescription;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.NodeSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.text.Alphabet;
import dev.idspring.text.TextSettings;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the methods of {@link TimeIdGenerator}. They draw, format and describe ids,
 * with and without a store, until the generator is closed or its layout ends.
 */
class TimeIdGeneratorTests extends AbstractTimeIdGeneratorTests {

	@Test
	void describeReturnsTimeNodeAndTail() {
		open(builder(STANDARD));
		TimeIdGenerator second = open(builder(STANDARD));
		this.time.advance(Duration.ofMillis(1_234));
		long id = second.nextLong();
		IdDescription description = second.describe(id);
		assertThat(description.time()).isEqualTo(this.time.instant());
		assertThat(description.node()).isEqualTo(1);
		assertThat(description.tail()).isZero();
		assertThat(description.ordinal()).isNull();
		assertThat(description.text()).isEqualTo(Long.toString(id));
		assertThat(second.parse(second.format(id))).isEqualTo(id);
		assertThat(second.describe(second.nextLong()).tail()).isEqualTo(1);
		assertThatIllegalArgumentException().isThrownBy(() -> second.describe(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> second.parse("-1"));
	}

	@Test
	void singleAndBulkCallsIssueDistinctIncreasingIds() {
		TimeIdGenerator ids = open(builder(STANDARD));
		Set<Long> seen = new HashSet<>();
		long last = -1;
		for (int size : new int[] { 0, 1, 5_000, 3, 100_000 }) {
			long[] batch = ids.nextLongs(size);
			assertThat(batch).hasSize(size).isSorted();
			for (long id : batch) {
				assertThat(seen.add(id)).isTrue();
				assertThat(id).isGreaterThan(last);
				last = id;
			}
			long single = ids.nextLong();
			assertThat(seen.add(single)).isTrue();
			last = single;
		}
		assertThat(ids.nextStrings(3)).hasSize(3).doesNotHaveDuplicates();
	}

	@Test
	void failedBulkCallLeavesTheArrayUnchanged() {
		TimeScheme scheme = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 4, Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator ids = open(
				builder(scheme).clock(new ClockSettings(Duration.ofSeconds(10), Duration.ofMinutes(1))));
		this.slots.goDown(() -> this.time.advance(WAIT));
		// the window covers 40 seconds, with 16 ids per millisecond
		for (int i = 0; i < 9; i++) {
			assertThat(ids.nextLongs(70_000)).doesNotContain(0);
		}
		long[] into = new long[70_000];
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> ids.nextLongs(into));
		assertThat(Arrays.stream(into).max()).hasValue(0);
		assertThat(ids.snapshot().issued()).as("ids of the failed call are not counted").isEqualTo(9 * 70_000);
		assertThatIllegalArgumentException().isThrownBy(() -> ids.nextLongs(new long[240_001]))
			.withMessageContaining("240001 ids at once, but can generate at most 240000 within");
	}

	@Test
	void noIdsAreIssuedAfterTheLastInstantOfTheLayout() {
		Instant epoch = this.time.instant().minusMillis((1L << 20) - 3_000);
		TimeScheme endingScheme = new SnowflakeSettings(epoch, 20, 10, 12, Tail.SEQUENCE).scheme();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(endingScheme), executor);
		Instant lastInstant = this.time.instant().plusMillis(2_999);
		assertThat(endingScheme.layout().lastInstant()).isEqualTo(lastInstant);
		assertThat(node(ids).windowEnd()).as("the window ends with the layout").isEqualTo(lastInstant.plusMillis(1));
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.LOW);
		for (int i = 0; i < 1_499; i++) {
			long id = ids.nextLong();
			assertThat(id).isPositive();
			assertThat(ids.describe(id).time()).isEqualTo(this.time.instant());
			this.time.advance(Duration.ofMillis(2));
		}
		long[] remaining = ids.nextLongs(2 * 4_096);
		assertThat(ids.describe(remaining[remaining.length - 1]).time()).isEqualTo(lastInstant);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(ids::nextLong)
			.withMessageContaining("last instant that they can contain is " + lastInstant);
		this.time.advance(Duration.ofDays(1));
		executor.runDelayed();
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(ids::nextLong);
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.EXHAUSTED);
		assertThat(ids.snapshot().keySpace().remaining()).isZero();
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> open(builder(endingScheme)))
			.withMessageContaining("is " + lastInstant);
	}

	@Test
	void definitionIsFixedExceptForTheEnd() {
		DecimalUidSettings signed = new DecimalUidSettings(Instant.parse("2011-01-01T00:00:00Z"), 6, 1, true);
		DecimalUidSettings unsigned = new DecimalUidSettings(signed.epoch(), 6, 1, false);
		TextSettings text = new TextSettings(Alphabet.of("0123456789"), null, null, "", false, List.of());
		assertThat(unsigned.scheme().withText(text, "test").definition())
			.isEqualTo(signed.scheme().withText(text, "test").definition());
		TimeIdGenerator first = open(builder(signed.scheme()));
		TimeIdGenerator second = open(builder(unsigned.scheme()));
		assertThat(second.nextLong()).isGreaterThan(0);
		assertThat(this.keySpaces.keySpaces().get("test").capacity()).isEqualTo(unsigned.scheme().layout().ticks());
		assertThat(first.describe(first.nextLong()).node()).isZero();
		assertThat(this.events).isEmpty();
		open(builder(signed.scheme()));
		assertThat(this.events).containsExactly("lowered from 1844674407370 to 922337203685");
		assertThatExceptionOfType(KeySpaceMismatchException.class)
			.isThrownBy(() -> open(builder(new DecimalUidSettings(signed.epoch(), 5, 2, true).scheme())))
			.withMessageContaining("random-digits=6")
			.withMessageContaining("random-digits=5");
		assertThatExceptionOfType(KeySpaceMismatchException.class).isThrownBy(() -> open(builder(STANDARD)));
	}

	@Test
	void unsignedIdsAreWrittenAsUnsignedNumbers() {
		Instant epoch = this.time.instant().minusMillis(1_829_088_000_000L);
		TimeIdGenerator ids = open(builder(new DecimalUidSettings(epoch, 6, 1, false).scheme()));
		String text = ids.nextString();
		assertThat(text).hasSize(20).startsWith("1829088000000").endsWith("0");
		assertThat(ids.parse(text)).isNegative();
		assertThat(ids.describe(ids.parse(text)).time()).isEqualTo(this.time.instant());
	}

	@Test
	void prefixIsRequestedOncePerCallAndVerified() {
		AtomicLong prefix = new AtomicLong(41);
		TimeScheme scheme = new CompositeSettings(Instant.parse("2024-01-01T00:00:00Z"), true, 3, 3).scheme();
		TimeIdGenerator ids = open(builder(scheme).prefix(prefix::incrementAndGet));
		assertThat(ids.nextString()).startsWith("04220260101").hasSize(23);
		assertThat(ids.nextStrings(25)).allMatch((text) -> text.startsWith("043")).doesNotHaveDuplicates();
		prefix.set(999);
		assertThatIllegalStateException().isThrownBy(ids::nextLong)
			.withMessageContaining("returned 1000 but must return a prefix from 0 to 999");
		prefix.set(-2);
		assertThatIllegalStateException().isThrownBy(ids::nextLong).withMessageContaining("returned -1");
	}

	/**
	 * All prefixes share one sequence, so each combination of time, node and sequence
	 * number is unique.
	 */
	@Test
	void uniquenessDoesNotDependOnThePrefix() {
		AtomicLong prefix = new AtomicLong();
		TimeScheme scheme = new CompositeSettings(Instant.parse("2024-01-01T00:00:00Z"), true, 3, 3).scheme();
		TimeIdGenerator ids = open(builder(scheme).prefix(() -> prefix.incrementAndGet() % 7));
		TimeIdGenerator secondInstance = open(builder(scheme).prefix(() -> prefix.incrementAndGet() % 7));
		Set<String> seen = new HashSet<>();
		for (int i = 0; i < 5_000; i++) {
			assertThat(seen.add(ids.nextString().substring(3))).isTrue();
			assertThat(seen.add(secondInstance.nextString().substring(3))).isTrue();
		}
	}

	@Test
	void generatorWithoutAStoreUsesTheGivenNode() {
		TimeIdGenerator ids = open(TimeIdGenerator.builder("test", STANDARD)
			.node(new NodeSettings("fixed", 9L, LEASE))
			.timeSource(this.time)
			.waitTimeout(WAIT));
		assertThat(ids.describe(ids.nextLong()).node()).isEqualTo(9);
		this.time.advance(Duration.ofDays(30));
		assertThat(ids.describe(ids.nextLong()).time()).isEqualTo(this.time.instant());
		GeneratorSnapshot snapshot = ids.snapshot();
		assertThat(snapshot.status()).isEqualTo(GeneratorStatus.UP);
		assertThat(snapshot.node()).isEqualTo(
				new NodeSnapshot(9L, "fixed", null, Instant.parse("2026-01-01T00:00:01.001Z"), null, null, null));
		this.time.jump(Duration.ofDays(1));
		assertThatExceptionOfType(ClockException.class).isThrownBy(ids::nextLong)
			.withMessageContaining("jumped forwards by 1d")
			.withMessageContaining("restart the application");
		this.time.jump(Duration.ofDays(-1));
		ids.nextLong();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> TimeIdGenerator.builder("test", STANDARD).timeSource(this.time).open())
			.withMessageContaining("source is 'lease'");
	}

	/**
	 * The process is restarted immediately after a burst.
	 */
	@Test
	void restartWithoutAStoreDoesNotRepeatIdsOfABurst() {
		TimeScheme scheme = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 1, Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator.Builder withoutStore = TimeIdGenerator.builder("test", scheme)
			.node(new NodeSettings("fixed", 9L, LEASE))
			.timeSource(this.time)
			.waitTimeout(WAIT);
		Set<Long> seen = new HashSet<>();
		for (int i = 0; i < 5; i++) {
			TimeIdGenerator ids = open(withoutStore);
			for (long id : ids.nextLongs(2_000)) {
				assertThat(seen.add(id)).isTrue();
			}
		}
	}

	@Test
	void interruptedCallerFailsAndKeepsItsInterruptFlag() throws Exception {
		ManualStoreExecutor idleExecutor = new ManualStoreExecutor();
		TimeIdGenerator ids = builder(STANDARD).open(idleExecutor, new Sleeper.Parking(TimeSource.system()), 1);
		this.time.advance(Duration.ofMinutes(2));
		CompletableFuture<String> outcome = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			try {
				ids.nextLong();
				outcome.complete("an id");
			}
			catch (RuntimeException ex) {
				outcome.complete(ex.getClass().getSimpleName() + " " + Thread.currentThread().isInterrupted());
			}
		});
		caller.start();
		caller.interrupt();
		assertThat(outcome.get()).isEqualTo("IdStoreUnavailableException true");
		caller.join();
	}

	@Test
	void closedGeneratorIssuesNoIds() {
		TimeIdGenerator ids = open(builder(STANDARD));
		ids.close();
		ids.close();
		assertThatIllegalStateException().isThrownBy(ids::nextLong).withMessage("Id generator 'test' is closed.");
		assertThatIllegalStateException().isThrownBy(() -> ids.nextLongs(0))
			.withMessage("Id generator 'test' is closed.");
		assertThatIllegalStateException().isThrownBy(() -> ids.nextLongs(3));
		assertThat(ids.format(5)).isEqualTo("5");
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
		TimeIdGenerator withoutStore = open(TimeIdGenerator.builder("alone", STANDARD)
			.node(new NodeSettings("fixed", 9L, LEASE))
			.timeSource(this.time));
		withoutStore.close();
		assertThatIllegalStateException().isThrownBy(withoutStore::nextLong);
		assertThat(withoutStore.snapshot().clock().ahead()).isLessThan(Duration.ofMinutes(1));
	}

}
