package dev.idspring.gapless;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.idspring.ClockException;
import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import dev.idspring.worker.TimeSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.CannotAcquireLockException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for the snapshots, reports and failures of {@link GaplessIdGenerator}. The
 * numbers that it draws are covered by the tests of its store.
 */
class GaplessIdGeneratorTests {

	private static final String NAME = "invoices";

	private static final Duration WAIT = Duration.ofSeconds(60);

	private final TestTimeSource time = new TestTimeSource();

	private final InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore(this.time);

	private final AtomicLong next = new AtomicLong(1);

	private final List<String> reports = new CopyOnWriteArrayList<>();

	private @Nullable RuntimeException failure;

	/** Called when a number has been drawn. */
	private Runnable afterDraw = () -> {
	};

	/** Called before the store returns the next number. */
	private volatile Runnable beforeRead = () -> {
	};

	@Test
	void drawingNumbersRecordsUsageForTheForecast() {
		GaplessIdGenerator ids = open();
		ids.nextLong();
		awaitSamples(1);
		this.time.advance(Duration.ofMinutes(20));
		ids.nextLongs(new long[120]);
		awaitSamples(2);
		assertThat(open().snapshot().keySpace().idsPerSecond()).as("before the history is read").isNull();
		GaplessIdGenerator restarted = open();
		restarted.refresh(WAIT).join();
		assertThat(restarted.snapshot().keySpace().idsPerSecond()).isEqualTo(0.1);
	}

	@Test
	void closedGeneratorDrawsNoNumbers() {
		GaplessIdGenerator ids = open();
		assertThat(ids.nextLongs(0)).isEmpty();
		ids.close();
		assertThatIllegalStateException().isThrownBy(ids::nextLong).withMessageContaining("is closed");
		assertThatIllegalStateException().isThrownBy(() -> ids.nextLongs(0)).withMessageContaining("is closed");
		assertThat(this.next).hasValue(1);
	}

	@Test
	void refreshChangesNeitherTheHistoryNorTheNextNumber() {
		GaplessIdGenerator ids = open();
		ids.refresh(WAIT).join();
		this.time.advance(Duration.ofHours(1));
		ids.refresh(WAIT).join();
		assertThat(history().samples()).isEmpty();
		assertThat(this.next).hasValue(1);
	}

	@Test
	void slowRefreshDoesNotHideTheFailureOfThePreviousOne() {
		GaplessIdGenerator ids = open();
		this.beforeRead = () -> {
			throw new IdStoreUnavailableException("injected");
		};
		ids.refresh(WAIT).join();
		CountDownLatch answer = new CountDownLatch(1);
		this.beforeRead = () -> assertThat(catchThrowable(answer::await)).isNull();
		ids.refresh(Duration.ofMillis(10)).join();
		assertThat(ids.snapshot().storeFailure()).isEqualTo("injected");
		answer.countDown();
		ids.refresh(WAIT).join();
		assertThat(ids.snapshot().storeFailure()).isNull();
	}

	@Test
	void lowKeySpaceIsReportedOnceADay() {
		GaplessIdGenerator ids = open();
		ids.nextLongs(new long[901]);
		awaitReports("low 99");
		assertThat(ids.snapshot().status()).isEqualTo(GeneratorStatus.LOW);
		this.time.advance(Duration.ofHours(23));
		ids.nextLong();
		awaitSamples(2);
		assertThat(this.reports).hasSize(1);
		this.time.advance(Duration.ofHours(2));
		ids.nextLong();
		awaitReports("low 99", "low 97");
	}

	@ParameterizedTest
	@MethodSource("failures")
	void storeFailureKeepsItsTypeAndGetsTheNameOfTheGenerator(IdGenerationException failure, String message) {
		GaplessIdGenerator ids = open();
		this.failure = failure;
		assertThatExceptionOfType(failure.getClass()).isThrownBy(ids::nextLong)
			.withMessage(message)
			.isExactlyInstanceOf(failure.getClass());
		boolean causedByCaller = failure.getClass() == IdGenerationException.class;
		assertThat(ids.snapshot().block().failures()).isEqualTo(causedByCaller ? 0 : 1);
		assertThat(ids.snapshot().block().lastError()).isEqualTo(causedByCaller ? null : failure.getMessage());
	}

	@Test
	void conflictInTheCallersTransactionIsPropagatedUnchanged() {
		GaplessIdGenerator ids = open();
		this.failure = new CannotAcquireLockException("injected");
		assertThatException().isThrownBy(ids::nextLong).isSameAs(this.failure);
		assertThatException().isThrownBy(() -> ids.nextLongs(3)).isSameAs(this.failure);
		assertThat(ids.snapshot().block().failures()).isEqualTo(2);
	}

	static Stream<Arguments> failures() {
		String message = "Id generator 'invoices': injected";
		return Stream.of(Arguments.of(new KeySpaceRegressionException("injected"), message),
				Arguments.of(new IdStoreUnavailableException("injected"), message),
				Arguments.of(new IdGenerationException("injected"), message),
				// only a custom store throws this exception; its message is not changed
				Arguments.of(new ClockException("injected"), "injected"));
	}

	/**
	 * If the caller got the error, but committed its transaction nevertheless, the number
	 * would be missing.
	 */
	@Test
	void errorAfterTheDrawDoesNotLoseTheNumber() {
		AtomicBoolean clockFails = new AtomicBoolean();
		GaplessIdGenerator ids = open(new TimeSource() {

			@Override
			public long nanoTime() {
				throwIfClockFails();
				return GaplessIdGeneratorTests.this.time.nanoTime();
			}

			@Override
			public Instant instant() {
				throwIfClockFails();
				return GaplessIdGeneratorTests.this.time.instant();
			}

			private void throwIfClockFails() {
				if (clockFails.get()) {
					throw new InternalError("injected");
				}
			}

		});
		this.afterDraw = () -> clockFails.set(true);
		assertThat(ids.nextLong()).isEqualTo(1);
		this.afterDraw = () -> {
		};
		clockFails.set(false);
		assertThat(ids.nextLong()).isEqualTo(2);
		awaitSamples(1);
	}

	private void awaitReports(String... expected) {
		Awaitility.await().untilAsserted(() -> assertThat(this.reports).containsExactly(expected));
	}

	private void awaitSamples(int count) {
		Awaitility.await().untilAsserted(() -> assertThat(history().samples()).hasSize(count));
	}

	private UsageHistory history() {
		return this.keySpaces.readHistory(NAME, Deadline.after(this.time, WAIT)).orElseThrow().history();
	}

	private GaplessIdGenerator open() {
		return open(this.time);
	}

	private GaplessIdGenerator open(TimeSource timeSource) {
		IdGeneratorListener listener = new IdGeneratorListener() {

			@Override
			public void low(String generator, KeySpaceSnapshot keySpace) {
				GaplessIdGeneratorTests.this.reports.add("low " + keySpace.remaining());
			}

		};
		return GaplessIdGenerator.builder(NAME, new GaplessSettings(1, 1_000), this.keySpaces, new Counter())
			.waitTimeout(WAIT)
			.lowThreshold(new LowThreshold(0.1, Duration.ZERO))
			.listener(listener)
			.timeSource(timeSource)
			.open();
	}

	/**
	 * A counter that commits each number immediately.
	 */
	private final class Counter implements GaplessStore {

		@Override
		public void create(String name, long first, Deadline deadline) {
		}

		@Override
		public Draw draw(String name, int count, long last, Deadline deadline) {
			if (GaplessIdGeneratorTests.this.failure != null) {
				throw GaplessIdGeneratorTests.this.failure;
			}
			Draw draw = new Draw(true, GaplessIdGeneratorTests.this.next.getAndAdd(count));
			GaplessIdGeneratorTests.this.afterDraw.run();
			return draw;
		}

		@Override
		public long next(String name, Deadline deadline) {
			GaplessIdGeneratorTests.this.beforeRead.run();
			return GaplessIdGeneratorTests.this.next.get();
		}

	}

}
