package dev.idspring;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.idspring.TransactionalIds.Insert;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.stripe.SharedChunk;
import dev.idspring.block.stripe.Stripe;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.generator.AbstractIdGenerator;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.monitor.ScopedSnapshot;
import dev.idspring.monitor.UsageHistory.Sample;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.recycled.SeriesReservations;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.Reservations;
import dev.idspring.store.ScopedGaplessStore.Draws;
import dev.idspring.store.ScopedGaplessStore.Interval;
import dev.idspring.store.ScopedGaplessStore.ScopedDraw;
import dev.idspring.store.ScopedGaplessStore.Scopes;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.SlotStore;
import dev.idspring.testsupport.PublicApi;
import dev.idspring.store.rules.FenceAccess;
import dev.idspring.store.rules.FenceRules;
import dev.idspring.store.rules.FenceState;
import dev.idspring.store.rules.KeySpaceAccess;
import dev.idspring.store.rules.KeySpaceView;
import dev.idspring.store.rules.Outcome;
import dev.idspring.store.rules.ReplacingKeySpaceAccess;
import dev.idspring.store.rules.RuledKeySpaceStore;
import dev.idspring.store.rules.RuledSlotStore;
import dev.idspring.store.rules.SlotAccess;
import dev.idspring.store.rules.SlotState;
import dev.idspring.store.rules.SlotTakeOver;
import dev.idspring.store.rules.SlotView;
import dev.idspring.text.Alphabet;
import dev.idspring.text.IdScope;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;
import dev.idspring.text.Secret;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings.DefinedText;
import dev.idspring.text.TextSettings;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.ClockTicker;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeLayout;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.CoalescedRead;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.FailureLog;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.StateLock;
import dev.idspring.worker.StoreThread;
import dev.idspring.worker.StoreWorker;
import dev.idspring.worker.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests that null and other invalid arguments cause an IllegalArgumentException whose
 * message says what is wrong.
 */
class ArgumentTests {

	/**
	 * Types whose methods only generators and stores call, and types of the data that
	 * these methods return.
	 */
	private static final Class<?>[] INTERNAL_TYPES = { Stripe.class, Stripes.class, SharedChunk.class,
			SeriesReservations.class, Reservations.class, AbstractIdGenerator.class, OneTimeEvent.class,
			CoalescedRead.class, FailureLog.class, GeneratorSnapshot.class, IdGeneratorListener.class,
			ManagedScopedIdGenerator.class, OpenedKeySpace.class, RecoveryInstructions.class, ReservationForecast.class,
			ScopedSnapshot.class, StateLock.class, StoreThread.class, StoreWorker.class, FenceAccess.class,
			FenceRules.class, FenceState.class, KeySpaceAccess.class, KeySpaceView.class, Outcome.class,
			ReplacingKeySpaceAccess.class, RuledKeySpaceStore.class, RuledSlotStore.class, SlotAccess.class,
			SlotState.class, SlotTakeOver.class, SlotView.class };

	private final PublicApi api = new PublicApi();

	ArgumentTests() {
		InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore();
		InMemorySlotStore slots = new InMemorySlotStore(TimeSource.system());
		SequentialSettings sequential = new SequentialSettings(1, 1_000);
		ScopedSettings scoped = new ScopedSettings(1, 1_000, ScopePeriod.NONE, ScopePattern.number());
		TimeScheme scheme = SnowflakeSettings.Preset.STANDARD.settings().scheme();
		StoredKeySpace stored = new StoredKeySpace("sample", "sequential start=1", 1_000, 0);
		Slot slot = new Slot(0, 0, 10);
		this.api.sample(Alphabet.class, () -> Alphabet.of("base62"))
			.sample(BlockIdGenerator.Builder.class, () -> BlockIdGenerator.sequential("sample", sequential, keySpaces))
			.sample(BlockIdGenerator.class, () -> BlockIdGenerator.sequential("sample", sequential, keySpaces).open())
			.sample(BlockSettings.class, BlockSettings::defaults)
			.sample(ClockSettings.class, ClockSettings::defaults)
			.sample(ClockTicker.class, ClockTicker::new)
			.sample(CoprimeSettings.class, () -> new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0))
			.sample(DefinedText.class, () -> new DefinedText(TextForm.decimal(), ""))
			.sample(Draws.class, () -> new Draws("sample", 1, 1, 10, 1, null))
			.sample(GaplessIdGenerator.Builder.class, this::gapless)
			.sample(GaplessIdGenerator.class, () -> gapless().open())
			.sample(GaplessSettings.class, () -> new GaplessSettings(1, 1_000))
			.sample(IdScope.class, () -> IdScope.NONE)
			.sample(Insert.class, () -> new Insert("sample", null, null))
			.sample(InMemoryKeySpaceStore.class, InMemoryKeySpaceStore::new)
			.sample(InMemorySlotStore.class, () -> slots)
			.sample(Interval.class, () -> new Interval(Instant.EPOCH, Instant.EPOCH.plusSeconds(1)))
			.sample(KeySpace.class, () -> sequential.resolve(null))
			.sample(KeySpaceSnapshot.class, () -> KeySpaceSnapshot.project("sample", 10, 1, null, Instant.EPOCH))
			.sample(KeySpaceStore.class, () -> keySpaces)
			.sample(LowThreshold.class, LowThreshold::defaults)
			.sample(NodeSettings.class, () -> NodeSettings.lease(Duration.ofSeconds(5)))
			.sample(OrdinalRange.class, () -> new OrdinalRange(0, 1))
			.sample(RecycledSettings.class, () -> new RecycledSettings(10, 1_000))
			.sample(Sample.class, () -> new Sample(Instant.EPOCH, 1))
			.sample(ScopePattern.class, ScopePattern::number)
			.sample(ScopedGaplessIdGenerator.Builder.class, () -> scoped(scoped))
			.sample(ScopedGaplessIdGenerator.class, () -> scoped(scoped).open())
			.sample(ScopedSettings.class, () -> scoped)
			.sample(Scopes.class, () -> new Scopes(0, Instant.EPOCH))
			.sample(Secret.class, () -> Secret.of("mJ2xQe0v7Yc3sLk9RtP4Wg=="))
			.sample(SequentialSettings.class, () -> sequential)
			.sample(SeriesSettings.class, SeriesSettings::defaults)
			.sample(Slot.class, () -> slot)
			.sample(SlotOwner.class, () -> SlotOwner.random(Duration.ofSeconds(5)))
			.sample(SlotStore.class, () -> slots)
			.sample(StoredKeySpace.class, () -> stored)
			.sample(StoredSlot.class,
					() -> new StoredSlot(slot, null, null, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH))
			.sample(TextForm.class, TextForm::decimal)
			.sample(TextSettings.class, TextSettings::none)
			.sample(TimeIdGenerator.Builder.class, () -> TimeIdGenerator.builder("sample", scheme))
			.sample(TimeIdGenerator.class,
					() -> TimeIdGenerator.builder("sample", scheme)
						.node(new NodeSettings("fixed", 1L, Duration.ofSeconds(5)))
						.open())
			.sample(TimeLayout.class, scheme::layout)
			.sample(TimeScheme.class, () -> scheme)
			.sample(UsageHistory.class, UsageHistory::empty)
			.sample("NodeSettings.new(source)", "fixed")
			.sample("ScopedGaplessIdGenerator.scope(period)", "2026")
			.sample("ScopedGaplessIdGenerator.scopes(period)", "2026")
			.expectMessage("Alphabet.of(nameOrCharacters)", "alphabet is null")
			.expectMessage("Secret.from(instant)", "from is null")
			.expectMessage("Secret.of(base64)", "key is null");
		Stream.of("BlockIdGenerator", "GaplessIdGenerator", "TimeIdGenerator", "TimeScheme")
			.forEach((type) -> this.api.expectMessage(type + ".parse(text)", "null is not a key"));
	}

	private GaplessIdGenerator.Builder gapless() {
		return GaplessIdGenerator.builder("sample", new GaplessSettings(1, 1_000), new InMemoryKeySpaceStore(),
				this.api.sample(GaplessStore.class));
	}

	private ScopedGaplessIdGenerator.Builder scoped(ScopedSettings settings) {
		return ScopedGaplessIdGenerator.builder("sample", settings, new InMemoryKeySpaceStore(),
				this.api.sample(ScopedGaplessStore.class));
	}

	static Stream<Class<?>> types() {
		return PublicApi.types(IdGenerator.class, INTERNAL_TYPES).stream();
	}

	@ParameterizedTest
	@MethodSource("types")
	void requiredParametersRejectNull(Class<?> type) {
		assertThat(this.api.violations(type)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("invalidValues")
	void messageNamesTheInvalidValue(String message, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(message);
	}

	static Stream<Arguments> invalidValues() {
		Duration lease = Duration.ofSeconds(5);
		LocalDate day = LocalDate.of(2026, 1, 1);
		TimeLayout layout = SnowflakeSettings.Preset.STANDARD.settings().scheme().layout();
		ScopePattern twoDigitYear = ScopePattern.of("{yy}-{n}", ScopePeriod.YEAR);
		KeySpace keys = new SequentialSettings(1, 10).resolve(null);
		return Stream.of(rejected("source is 'nonsense'", () -> new NodeSettings("nonsense", null, lease)),
				rejected("source is 'FIXED'", () -> new NodeSettings("FIXED", 1L, lease)),
				rejected("number is 1", () -> new NodeSettings("lease", 1L, lease)),
				rejected("number is null", () -> new NodeSettings("fixed", null, lease)),
				rejected("number is null", () -> new NodeSettings("hostname", null, lease)),
				rejected("number is -1", () -> new NodeSettings("fixed", -1L, lease)),
				rejected("day is -0001-01-01", () -> ScopePeriod.YEAR.nameOf(day.withYear(-1))),
				rejected("day is +10000-01-01", () -> ScopePeriod.NONE.nameOf(day.withYear(10_000))),
				rejected("day is +999999999-12-31", () -> ScopePeriod.DAY.nextDay(LocalDate.MAX)),
				rejected("day is -999999999-01-01", () -> ScopePeriod.MONTH.firstDay(LocalDate.MIN)),
				rejected("date is 1926-01-01",
						() -> twoDigitYear.form(List.of(), day.withYear(1926), TextSettings.none())),
				rejected("date is 1999-12-31", () -> twoDigitYear.verify(LocalDate.of(1999, 12, 31))),
				rejected("date is 2100-01-01", () -> twoDigitYear.verify(LocalDate.of(2100, 1, 1))),
				rejected("date is -0001-01-01", () -> ScopePattern.number().verify(day.withYear(-1))),
				rejected("pattern is '{yy}-{n}'", () -> new ScopedSettings(1, 9, ScopePeriod.NONE, twoDigitYear)),
				rejected("pattern is '{yy}-{n}'", () -> new ScopedSettings(1, 9, ScopePeriod.MONTH, twoDigitYear)),
				rejected("scope is [a, null]", () -> twoDigitYear.verify(Arrays.asList("a", null))),
				rejected("The scope has a part that is null", () -> IdScope.verify(Arrays.asList("a", null))),
				rejected("period is '2026-1'", () -> new IdScope(List.of("a"), "2026-1")),
				rejected("period is 'year'", () -> new IdScope(List.of("a"), "year")),
				rejected("number is -1", () -> form(twoDigitYear, day).format(-1)),
				rejected("digits is 0", () -> TextForm.decimal(0)),
				rejected("digits is 20", () -> TextForm.decimal(20)),
				rejected("number is 100", () -> TextForm.decimal(2).format(100)),
				rejected("number is 18446744073709551615", () -> TextForm.decimal().format(-1)),
				rejected("length is 0", () -> TextForm.digits(Alphabet.of("base62"), 0)),
				rejected("maxLength is 5", () -> TextForm.digits(Alphabet.of("base62"), 6, 5)),
				rejected("maxLength is 2147483647", () -> TextForm.digits(Alphabet.of("base62"), 6, Integer.MAX_VALUE)),
				rejected("secrets is [null]", () -> TextSettings.none().withSecrets((Secret) null)),
				rejected("prefix is 1", () -> layout.id(1, 0, 0, 0)),
				rejected("time is -1", () -> layout.id(0, -1, 0, 0)),
				rejected("node is 1024", () -> layout.id(0, 0, 1_024, 0)),
				rejected("tail is 4096", () -> layout.id(0, 0, 0, 4_096)),
				rejected("count is 0", () -> new Draws("sample", 0, 1, 10, 1, null)),
				rejected("first is -1", () -> new Draws("sample", 1, -1, 10, 1, null)),
				rejected("last is 4", () -> new Draws("sample", 1, 5, 4, 1, null)),
				rejected("last is 9223372036854775807", () -> new Draws("sample", 1, 5, Long.MAX_VALUE, 1, null)),
				rejected("maxScopes is 0", () -> new Draws("sample", 1, 1, 10, 0, null)),
				rejected("end is 1970-01-01T00:00:00Z", () -> new Interval(Instant.EPOCH, Instant.EPOCH)),
				rejected("nextOrdinal is -1", () -> new StoredKeySpace("sample", "sequential start=1", 1, -1)),
				rejected("reserved is -1", () -> new Sample(Instant.EPOCH, -1)),
				rejected("samples is [null]", () -> new UsageHistory(Arrays.asList((Sample) null))),
				rejected("remainingShare is NaN", () -> new LowThreshold(Double.NaN, lease)),
				rejected("remainingShare is -Infinity", () -> new LowThreshold(Double.NEGATIVE_INFINITY, lease)),
				rejected("horizon is -1s", () -> new LowThreshold(0.1, Duration.ofSeconds(-1))),
				rejected("epoch is +1000000000-12-31",
						() -> new SnowflakeSettings(Instant.MAX, 41, 10, 12, Tail.RANDOM)),
				rejected("epoch is -1000000000-01-01", () -> new DecimalUidSettings(Instant.MIN, 6, 1, true)),
				rejected("timeBits is 2147483647",
						() -> new SnowflakeSettings(Instant.EPOCH, Integer.MAX_VALUE, 10, 12, Tail.RANDOM)),
				rejected("prefixDigits is -2147483648",
						() -> new CompositeSettings(Instant.EPOCH, true, Integer.MIN_VALUE, 3)),
				rejected("lease is 9223372036854775807s", () -> NodeSettings.lease(Duration.ofSeconds(Long.MAX_VALUE))),
				rejected("-1 ordinals from 0", () -> keys.keys(0, new long[1], 0, -1)));
	}

	private static Arguments rejected(String message, ThrowingCallable call) {
		return Arguments.of(message, call);
	}

	private static TextForm form(ScopePattern pattern, LocalDate day) {
		return pattern.form(List.of(), day, TextSettings.none());
	}

	@Test
	void invalidScopeIsRejectedBeforeANumberIsDrawn() {
		List<String> noParts = List.of();
		AtomicInteger draws = new AtomicInteger();
		ScopedGaplessStore store = new PublicApi().sample(Scopes.class, () -> new Scopes(0, Instant.EPOCH))
			.sample(ScopedDraw.class, () -> new ScopedDraw(true, draws.incrementAndGet(), null))
			.sample(ScopedGaplessStore.class);
		ScopedSettings settings = new ScopedSettings(1, 1_000, ScopePeriod.YEAR,
				ScopePattern.of("{scope}-{yy}-{n}", ScopePeriod.YEAR));
		LocalDate day = LocalDate.of(2026, 1, 1);
		try (ScopedGaplessIdGenerator ids = ScopedGaplessIdGenerator
			.builder("sample", settings, new InMemoryKeySpaceStore(), store)
			.open()) {
			Map<List<String>, Integer> counts = new HashMap<>();
			counts.put(List.of("a"), null);
			assertRejected("scope is null", () -> ids.in((String[]) null));
			assertRejected("scope is [null]", () -> ids.in((String) null));
			assertRejected("The scope has an empty part", () -> ids.in(""));
			assertRejected("The number of parts of the scope is 2", () -> ids.in("a", "b"));
			assertRejected("counts is null", () -> ids.next(null));
			assertRejected("counts is null", () -> ids.next(counts));
			assertRejected("counts is -1", () -> ids.next(Map.of(List.of("a"), -1)));
			assertRejected("counts is -2147483648", () -> ids.next(Map.of(List.of("a"), Integer.MIN_VALUE)));
			assertRejected("counts is [null]", () -> ids.next(Map.of(Arrays.asList((String) null), 1)));
			assertRejected("counts is null", () -> ids.next(Collections.singletonMap(null, 1)));
			assertRejected("The scope has no parts", () -> ids.next(Map.of(noParts, 1)));
			assertRejected("date is null", () -> ids.next(Map.of(List.of("a"), 1), null));
			for (int year : new int[] { -1, 1926, 1999, 2100, 2126, 10_000 }) {
				assertRejected("date is ", () -> ids.next(Map.of(List.of("a"), 1), day.withYear(year)));
				assertRejected("date is ", () -> ids.in("a").at(day.withYear(year)));
			}
			assertRejected("date is null", () -> ids.in("a").at(null));
			assertRejected("into is null", () -> ids.in("a").nextLongs(null));
			assertRejected("null is not a key", () -> ids.in("a").at(day).parse(null));
			assertRejected("null is not a key", () -> ids.in("a").at(day).fromUuid(null));
			assertRejected("0 is not a key", () -> ids.in("a").at(day).format(0));
			assertRejected("'count' must not be negative", () -> ids.in("a").nextStrings(-1));
			assertThat(draws).hasValue(0);
			assertThat(ids.next(Map.of(List.of("a"), 0))).containsOnlyKeys(List.of("a"));
			assertThat(ids.in("a").nextStrings(0)).isEmpty();
			assertThat(draws).hasValue(0);
			assertThat(ids.in("a").at(LocalDate.of(2000, 1, 1)).nextString()).isEqualTo("a-00-1");
			assertThat(ids.in("a").at(LocalDate.of(2099, 12, 31)).nextString()).isEqualTo("a-99-2");
			ids.close();
			for (ThrowingCallable call : List.<ThrowingCallable>of(() -> ids.in("a").nextLongs(0),
					() -> ids.in("a").nextStrings(0), () -> ids.next(Map.of(List.of("a"), 0)))) {
				assertThatIllegalStateException().isThrownBy(call).withMessageContaining("is closed");
			}
		}
	}

	@Test
	void currentYearOutsideTheRangeOfThePatternIsRejectedBeforeANumberIsDrawn() {
		AtomicInteger draws = new AtomicInteger();
		ScopedGaplessStore store = new PublicApi()
			.sample(Scopes.class, () -> new Scopes(0, Instant.parse("2100-01-01T00:00:00Z")))
			.sample(ScopedDraw.class, () -> new ScopedDraw(true, draws.incrementAndGet(), null))
			.sample(ScopedGaplessStore.class);
		ScopedSettings settings = new ScopedSettings(1, 1_000, ScopePeriod.YEAR,
				ScopePattern.of("{scope}-{yy}-{n}", ScopePeriod.YEAR));
		try (ScopedGaplessIdGenerator ids = ScopedGaplessIdGenerator
			.builder("sample", settings, new InMemoryKeySpaceStore(), store)
			.open()) {
			assertRejected("date is 2100-01-01", ids.in("a")::nextLong);
			assertThat(draws).hasValue(0);
		}
	}

	@Test
	void laterChangesByTheCallerDoNotAffectTheScope() {
		String[] parts = { "a" };
		List<String> scopeParts = new ArrayList<>(List.of("a"));
		ScopedGaplessStore store = new PublicApi().sample(Scopes.class, () -> new Scopes(0, Instant.EPOCH))
			.sample(ScopedDraw.class, () -> {
				scopeParts.set(0, "b");
				return new ScopedDraw(true, 1, null);
			})
			.sample(ScopedGaplessStore.class);
		ScopedSettings settings = new ScopedSettings(1, 1_000, ScopePeriod.NONE,
				ScopePattern.of("{scope}-{n}", ScopePeriod.NONE));
		try (ScopedGaplessIdGenerator ids = ScopedGaplessIdGenerator
			.builder("sample", settings, new InMemoryKeySpaceStore(), store)
			.scopeResolver((generator) -> scopeParts)
			.open()) {
			ScopedIds scope = ids.in(parts);
			parts[0] = "b";
			assertThat(scope.nextString()).isEqualTo("a-1");
			scopeParts.set(0, "a");
			assertThat(ids.in().nextString()).isEqualTo("a-1");
			scopeParts.set(0, "a");
			assertThat(ids.next(Map.of(scopeParts, 1))).containsOnlyKeys(List.of("a"));
		}
	}

	@Test
	void deadlineInThePastHasPassed() {
		assertThat(Deadline.in(Duration.ofSeconds(Long.MIN_VALUE)).hasPassed()).isTrue();
		assertThat(Deadline.in(Duration.ofNanos(-1)).remaining()).isZero();
	}

	private static void assertRejected(String message, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(message);
	}

}
