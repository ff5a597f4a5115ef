package dev.idspring.autoconfigure.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.UnreliableSlotStore;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.testsupport.FailingKeySpaceStore;
import dev.idspring.testsupport.ReservingListener;
import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ObservedReservations}, with real generators.
 */
class ObservedReservationsTests {

	private static final String OBSERVATION_NAME = "ids.block.reservations";

	private final TestTimeSource time = new TestTimeSource();

	private final FailingKeySpaceStore store = new FailingKeySpaceStore();

	private final UnreliableSlotStore slots = new UnreliableSlotStore(new InMemorySlotStore(this.time));

	private final List<ManagedIdGenerator> openGenerators = new ArrayList<>();

	@AfterEach
	void close() {
		this.store.failWith(null);
		this.slots.comeBack();
		this.openGenerators.forEach(ManagedIdGenerator::close);
	}

	private BlockIdGenerator numbers(IdGeneratorListener observer, long last, IdGeneratorListener listener) {
		BlockIdGenerator generator = BlockIdGenerator.sequential("numbers", new SequentialSettings(1, last), this.store)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.listener(observer)
			.listener(listener)
			.open();
		this.openGenerators.add(generator);
		return generator;
	}

	private BlockIdGenerator numbers(IdGeneratorListener observer) {
		return numbers(observer, 1_000, new IdGeneratorListener() {
		});
	}

	private TimeIdGenerator.Builder events(IdGeneratorListener observer) {
		return TimeIdGenerator.builder("events", Preset.STANDARD.settings().scheme())
			.store(this.store, this.slots)
			.timeSource(this.time)
			.listener(observer);
	}

	private static IdGeneratorListener observer(ObservationRegistry registry) {
		return new ObservedReservations(() -> registry);
	}

	private static void assertObserved(TestObservationRegistry registry, String generator, String strategy,
			String outcome) {
		Awaitility.await()
			.untilAsserted(() -> TestObservationRegistryAssert.assertThat(registry)
				.hasAnObservation((observation) -> observation.hasNameEqualTo(OBSERVATION_NAME)
					.hasContextualNameEqualTo("reserve " + generator)
					.hasLowCardinalityKeyValue("generator", generator)
					.hasLowCardinalityKeyValue("strategy", strategy)
					.hasLowCardinalityKeyValue("outcome", outcome)));
	}

	@Test
	void reservationOfABlockIsObserved() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		numbers(observer(registry)).nextLong();
		assertObserved(registry, "numbers", "sequential", "success");
	}

	@Test
	void observationHasTheDocumentedKeys() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		numbers(observer(registry)).nextLong();
		Awaitility.await()
			.untilAsserted(() -> TestObservationRegistryAssert.assertThat(registry)
				.hasAnObservation((observation) -> observation.hasOnlyKeys("generator", "strategy", "outcome")));
	}

	@Test
	void failureIsRecorded() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		BlockIdGenerator ids = numbers(observer(registry));
		ids.nextLongs(10);
		IdStoreUnavailableException failure = new IdStoreUnavailableException("simulated failure");
		this.store.failWith(failure);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> ids.nextLongs(100));
		assertObserved(registry, "numbers", "sequential", "failure");
		TestObservationRegistryAssert.assertThat(registry)
			.hasAnObservation((observation) -> observation.hasError(failure));
	}

	@Test
	void exhaustionIsNotRecordedAsAnError() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		BlockIdGenerator ids = numbers(observer(registry), 1_000, new IdGeneratorListener() {
		});
		assertObserved(registry, "numbers", "sequential", "success");
		this.store.delegate().reserve("numbers", 1_000, 1_000, Deadline.after(this.time, Duration.ofSeconds(5)));
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> {
			while (true) {
				ids.nextLong();
			}
		});
		assertObserved(registry, "numbers", "sequential", "exhausted");
		TestObservationRegistryAssert.assertThat(registry)
			.forAllObservationsWithNameEqualTo(OBSERVATION_NAME, (observation) -> observation.doesNotHaveError());
	}

	@Test
	void reservationOfAWindowIsObserved() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		this.openGenerators.add(events(observer(registry)).open());
		assertObserved(registry, "events", "snowflake", "success");
	}

	@Test
	void failureToReserveAWindowIsObserved() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		TimeIdGenerator ids = events(observer(registry)).waitTimeout(Duration.ofMillis(100)).open();
		this.openGenerators.add(ids);
		this.slots.goDown(() -> this.time.advance(Duration.ofMillis(100)));
		this.time.advance(Duration.ofMinutes(1));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(ids::nextLong);
		assertObserved(registry, "events", "snowflake", "failure");
	}

	@Test
	void conventionOfTheApplicationIsUsed() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		registry.observationConfig().observationConvention(new GlobalObservationConvention<>() {

			@Override
			public KeyValues getLowCardinalityKeyValues(Observation.Context context) {
				return KeyValues.of("shop", "north");
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return "ids.block.reservations".equals(context.getName());
			}

		});
		numbers(observer(registry)).nextLong();
		Awaitility.await()
			.untilAsserted(() -> TestObservationRegistryAssert.assertThat(registry)
				.hasAnObservation((observation) -> observation.hasLowCardinalityKeyValue("shop", "north")
					.hasLowCardinalityKeyValue("outcome", "success")));
	}

	/**
	 * The generator must call the store within the span. Afterwards, the thread that made
	 * the call must have no current observation.
	 */
	@Test
	void storeAccessIsWithinTheSpan() {
		SimpleTracer tracer = new SimpleTracer();
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
		List<Optional<SimpleSpan>> spans = new CopyOnWriteArrayList<>();
		this.store.beforeReserve(() -> spans.add(Optional.ofNullable(tracer.currentSpan())));
		AtomicReference<Observation> observationAfterwards = new AtomicReference<>(Observation.NOOP);
		BlockIdGenerator ids = numbers(observer(registry), 1_000, new IdGeneratorListener() {

			@Override
			public void reserved(String generator, long count, Duration took) {
				observationAfterwards.set(registry.getCurrentObservation());
			}

		});
		ids.nextLongs(25);
		Awaitility.await().untilAsserted(() -> {
			assertThat(observationAfterwards).hasNullValue();
			assertThat(spans).isNotEmpty()
				.allSatisfy((span) -> assertThat(span).map(SimpleSpan::getName).contains("reserve numbers"));
			SimpleSpan span = tracer.getSpans().getFirst();
			assertThat(span.getTags()).containsEntry("outcome", "success").containsEntry("generator", "numbers");
			assertThat(span.getEndTimestamp()).isAfter(span.getStartTimestamp());
		});
	}

	@ParameterizedTest
	@EnumSource
	void failingHandlerDoesNotAffectReservations(Moment moment) {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new FailingHandler(moment));
		List<Boolean> hadObservationBefore = new CopyOnWriteArrayList<>();
		IdGeneratorListener observer = new ReservingListener((generator, strategy) -> {
			hadObservationBefore.add(registry.getCurrentObservation() != null);
			return observer(registry).reserving(generator, strategy);
		});
		BlockIdGenerator ids = numbers(observer);
		assertThat(ids.nextLongs(500)).hasSize(500);
		this.store.failWith(new IdStoreUnavailableException("simulated failure"));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> ids.nextLongs(400))
			.withMessageContaining("simulated failure");
		this.store.failWith(null);
		assertThat(ids.nextLongs(400)).hasSize(400);
		assertThat(hadObservationBefore).hasSizeGreaterThanOrEqualTo(3).containsOnly(false);
		TimeIdGenerator events = events(observer).open();
		this.openGenerators.add(events);
		assertThat(events.nextLongs(5)).hasSize(5);
	}

	enum Moment {

		START, SCOPE_OPENED, SCOPE_CLOSED, ERROR, STOP

	}

	private record FailingHandler(Moment moment) implements ObservationHandler<Observation.Context> {

		@Override
		public void onStart(Observation.Context context) {
			failAt(Moment.START);
		}

		@Override
		public void onError(Observation.Context context) {
			failAt(Moment.ERROR);
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			failAt(Moment.SCOPE_OPENED);
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			failAt(Moment.SCOPE_CLOSED);
		}

		@Override
		public void onStop(Observation.Context context) {
			failAt(Moment.STOP);
		}

		private void failAt(Moment current) {
			if (current == this.moment) {
				throw new AssertionError("simulated failure");
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
