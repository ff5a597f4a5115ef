package dev.idspring.block;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests for {@link ReservationForecast}.
 */
class ReservationForecastTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	private static final String NAME = "test";

	private static final int HOURS = 365 * 24;

	private final TestTimeSource time = new TestTimeSource();

	private final Store store = new Store();

	/**
	 * Simulates a year, at the end of which a key space is exhausted. The load varies
	 * between day and night, and is low at weekends. In some cases, it also changes over
	 * the year, or rows are loaded in bulk on one day. The instances are replaced every
	 * other day.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("loads")
	void projectionIsAccurateAfterHalfOfTheKeySpaceIsUsed(String name, DoubleUnaryOperator load, int bulkDay) {
		long[] reserved = reservedByHour(load, bulkDay);
		long capacity = reserved[HOURS];
		Instant start = this.time.instant();
		Instant end = start.plus(Duration.ofHours(HOURS));
		Random random = new Random(1);
		List<ReservationForecast> instances = new ArrayList<>();
		int projections = 0;
		for (int hour = 0; hour < HOURS; hour++) {
			if (hour % 48 == 0) {
				instances = Stream.generate(this::forecast).limit(3).toList();
			}
			ReservationForecast instance = instances.get(random.nextInt(3));
			observeReserved(instance, reserved[hour]);
			KeySpaceSnapshot snapshot = instance.snapshot(capacity, reserved[hour]);
			if (hour < 28 * 24 && hour > 0) {
				// in the first four weeks, a forecast covers at most a quarter of the
				// observed time
				Instant maxForecast = this.time.instant().plus(Duration.ofHours(hour / 4 + 1));
				Instant projected = snapshot.exhaustedAt();
				if (projected != null && !projected.isBefore(maxForecast)) {
					fail("hour %d: %s".formatted(hour, projected));
				}
			}
			if (reserved[hour] > capacity / 2 && reserved[hour] < capacity) {
				double error = Duration.between(end, snapshot.exhaustedAt()).toMinutes() / 60.0 / HOURS;
				if (Math.abs(error) > 0.1) {
					fail("hour %d: %s".formatted(hour, snapshot.exhaustedAt()));
				}
				projections++;
			}
			this.time.advance(Duration.ofHours(1));
		}
		assertThat(projections).isGreaterThan(HOURS / 4);
	}

	static Stream<Arguments> loads() {
		return Stream.of(Arguments.of("steady", (DoubleUnaryOperator) (share) -> 1, -1),
				Arguments.of("steady, bulk loading before the middle", (DoubleUnaryOperator) (share) -> 1, 170),
				Arguments.of("steady, bulk loading after the middle", (DoubleUnaryOperator) (share) -> 1, 240),
				Arguments.of("doubles over the year", (DoubleUnaryOperator) (share) -> 1 + share, -1),
				Arguments.of("doubles over the year, bulk loading", (DoubleUnaryOperator) (share) -> 1 + share, 100),
				Arguments.of("falls by a third over the year, bulk loading",
						(DoubleUnaryOperator) (share) -> 1 - share / 3, 100),
				Arguments.of("grows by half in steps, bulk loading",
						(DoubleUnaryOperator) (share) -> (share < 0.2) ? 1 : (share < 0.45) ? 1.25 : 1.5, 300),
				Arguments.of("ramps up in spring, bulk loading", (DoubleUnaryOperator) (share) -> (share < 0.2) ? 0.1
						: (share < 0.35) ? 0.1 + (share - 0.2) * 6 : 1, 200));
	}

	/**
	 * Return how many keys are reserved at the beginning of each hour of the year.
	 */
	private long[] reservedByHour(DoubleUnaryOperator load, int bulkDay) {
		long[] reserved = new long[HOURS + 1];
		for (int hour = 0; hour < HOURS; hour++) {
			DayOfWeek day = this.time.instant().plus(Duration.ofHours(hour)).atOffset(ZoneOffset.UTC).getDayOfWeek();
			boolean weekend = day == DayOfWeek.SATURDAY || day == DayOfWeek.SUNDAY;
			double rate = load.applyAsDouble(hour / (double) HOURS) * (weekend ? 0.2 : 1)
					* (1 + Math.sin(hour % 24 / 24.0 * 2 * Math.PI)) * ((hour / 24 == bulkDay) ? 10 : 1);
			reserved[hour + 1] = reserved[hour] + (long) (rate * 1_000_000);
		}
		return reserved;
	}

	@Test
	void historyOutlivesInstances() {
		observeReserved(forecast(), 1_000);
		this.time.advance(Duration.ofMinutes(20));
		ReservationForecast another = forecast();
		assertThat(another.rate()).isNull();
		another.readHistory(13_000, DEADLINE);
		assertThat(another.rate().perSecond()).isEqualTo(10);
	}

	@Test
	void readingTheHistoryAddsNoSample() {
		ReservationForecast forecast = forecast();
		forecast.readHistory(1_000, DEADLINE);
		this.time.advance(Duration.ofMinutes(20));
		forecast.readHistory(1_000, DEADLINE);
		assertThat(this.store.history().samples()).isEmpty();
	}

	@Test
	void sampleIsDueForOneThreadOnlyAndAgainAboutTenMinutesLater() {
		ReservationForecast forecast = forecast();
		assertThat(forecast.isSampleDue()).isTrue();
		assertThat(forecast.isSampleDue()).isFalse();
		forecast.addSample(1_000, DEADLINE);
		this.time.advance(Duration.ofSeconds(590));
		assertThat(forecast.isSampleDue()).isFalse();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(forecast.isSampleDue()).isTrue();
		forecast.addSample(2_000, DEADLINE);
		assertThat(this.store.history().samples()).hasSize(2);
	}

	@Test
	void eachInstanceAddsFewerSamplesInALargerFleetButAtLeastOneAnHour() {
		ReservationForecast forecast = forecast();
		forecast.addSample(1_000, 4, DEADLINE);
		this.time.advance(Duration.ofMinutes(39));
		assertThat(forecast.isSampleDue()).isFalse();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(forecast.isSampleDue()).isTrue();
		forecast.addSample(2_000, 100, DEADLINE);
		this.time.advance(Duration.ofMinutes(60));
		assertThat(forecast.isSampleDue()).isTrue();
	}

	@Test
	void failedSampleIsRetriedAfterAMinute() {
		ReservationForecast forecast = forecast();
		this.store.failure = new IdStoreUnavailableException("injected");
		observeReserved(forecast, 1_000);
		forecast.readHistory(1_000, DEADLINE);
		assertThat(forecast.rate()).isNull();
		this.store.failure = null;
		this.time.advance(Duration.ofSeconds(59));
		assertThat(forecast.isSampleDue()).isFalse();
		this.time.advance(Duration.ofSeconds(1));
		observeReserved(forecast, 2_000);
		assertThat(this.store.history().samples()).hasSize(1);
	}

	@Test
	void usesTheClockOfTheStore() {
		this.store.clockAhead = Duration.ofDays(-300);
		observeReserved(forecast(), 0);
		this.time.advance(Duration.ofHours(1));
		ReservationForecast forecast = forecast();
		forecast.readHistory(3_600, DEADLINE);
		this.time.advance(Duration.ofHours(1));
		forecast.observe(10_800);
		assertThat(forecast.rate().perSecond()).isEqualTo(1.5);
		assertThat(forecast.snapshot(10_800 + 1_800, 10_800).exhaustedAt())
			.isEqualTo(this.time.instant().plusSeconds(1_200));
	}

	@Test
	void usesOwnObservationsIfTheStoreHasNoHistory() {
		ReservationForecast forecast = new ReservationForecast(NAME, null, this.time);
		forecast.addSample(0, DEADLINE);
		this.time.advance(Duration.ofMinutes(20));
		forecast.observe(12_000);
		assertThat(forecast.rate().perSecond()).isEqualTo(10);
	}

	private ReservationForecast forecast() {
		return new ReservationForecast(NAME, this.store, this.time);
	}

	private static void observeReserved(ReservationForecast forecast, long reserved) {
		forecast.observe(reserved);
		if (forecast.isSampleDue()) {
			forecast.addSample(reserved, DEADLINE);
		}
	}

	/**
	 * A store that can fail, with a clock of its own.
	 */
	private final class Store extends ScriptedStore {

		private Duration clockAhead = Duration.ZERO;

		private final InMemoryKeySpaceStore histories = new InMemoryKeySpaceStore(ReservationForecastTests.this.time);

		private UsageHistory history() {
			return readHistory(NAME, DEADLINE).orElseThrow().history();
		}

		@Override
		public Optional<StoredHistory> readHistory(String name, Deadline deadline) {
			failIfRequested();
			return this.histories.readHistory(name, deadline)
				.map((stored) -> new StoredHistory(stored.history(), stored.readAt().plus(this.clockAhead)));
		}

		@Override
		public void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline) {
			failIfRequested();
			this.histories.replaceHistory(name, known, replacement, deadline);
		}

	}

}
