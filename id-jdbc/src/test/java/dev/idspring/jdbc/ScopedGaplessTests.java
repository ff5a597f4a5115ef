package dev.idspring.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.idspring.IdGenerationException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.ScopedIds;
import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.testsupport.TestDatabase.Kind;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TimeZones;
import dev.idspring.text.IdScope;
import dev.idspring.text.ScopePattern;
import dev.idspring.text.ScopePeriod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for scoped gapless numbers, with a subclass for each database.
 */
@Tag("mysql")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ScopedGaplessTests {

	private static final String NAME = "invoices";

	/**
	 * For each time zone, the instants at which a number is drawn, and the expected
	 * numbers. On Lord Howe Island, clocks are set back by half an hour on 5 April.
	 */
	private static final Map<String, SortedMap<String, String>> AROUND_MIDNIGHT = Map.of("UTC",
			new TreeMap<>(Map.of("2026-12-31T23:20:00Z", "2026-12-31-1", "2027-01-01T00:40:00Z", "2027-01-01-1")),
			"Europe/Berlin",
			new TreeMap<>(Map.of("2026-12-31T22:20:00Z", "2026-12-31-1", "2026-12-31T23:40:00Z", "2027-01-01-1")),
			"America/New_York",
			new TreeMap<>(Map.of("2027-01-01T04:20:00Z", "2026-12-31-1", "2027-01-01T05:40:00Z", "2027-01-01-1")),
			"Pacific/Kiritimati",
			new TreeMap<>(Map.of("2026-12-31T09:20:00Z", "2026-12-31-1", "2026-12-31T10:40:00Z", "2027-01-01-1")),
			"Australia/Lord_Howe", new TreeMap<>(Map.of("2026-04-04T12:40:00Z", "2026-04-04-1", "2026-04-04T13:20:00Z",
					"2026-04-05-1", "2026-04-05T13:10:00Z", "2026-04-05-2", "2026-04-05T13:50:00Z", "2026-04-06-1")));

	private final Kind kind;

	private TestDatabase database;

	private HikariDataSource pool;

	/** How far the clock of the database is ahead of this machine, in milliseconds. */
	private final AtomicLong clockOffset = new AtomicLong();

	private JdbcGaplessStore store;

	private final List<AutoCloseable> closeables = new ArrayList<>();

	ScopedGaplessTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeAll
	void createTables() {
		this.database = this.kind.create();
		this.pool = this.database.pool(20);
		TestStores.initialize(this.pool, this.database, "ids_");
		InvoiceWriter.createTable(this.pool);
	}

	@BeforeEach
	void begin() {
		this.clockOffset.set(0);
		this.store = open(this.pool);
	}

	@AfterEach
	void empty() throws Exception {
		for (AutoCloseable closeable : this.closeables) {
			closeable.close();
		}
		this.closeables.clear();
		TestDatabase.execute(this.pool, "delete from ids_gapless", "delete from ids_key_space", "delete from invoice");
	}

	@AfterAll
	void close() {
		this.pool.close();
	}

	private JdbcGaplessStore open(DataSource dataSource) {
		JdbcGaplessStore opened = new JdbcGaplessStore(dataSource, TestStores.database(this.pool, "ids_"),
				this.clockOffset::get);
		opened.open(TestStores.deadline());
		return opened;
	}

	private ScopedGaplessIdGenerator yearlyGenerator() {
		return generator(ScopePeriod.YEAR, InvoiceWriter.PATTERN, 1_000, Long.MAX_VALUE - 1);
	}

	private ScopedGaplessIdGenerator generatorWithoutPeriods() {
		return generator(ScopePeriod.NONE, "{scope}-{n}", 1_000, Long.MAX_VALUE - 1);
	}

	private ScopedGaplessIdGenerator generator(ScopePeriod period, String pattern, long maxScopes, long end) {
		return open(this.store, period, pattern, maxScopes, end, ZoneOffset.UTC);
	}

	private ScopedGaplessIdGenerator open(JdbcGaplessStore store, ScopePeriod period, String pattern, long maxScopes,
			long end, ZoneId zone) {
		ScopedGaplessIdGenerator generator = ScopedGaplessIdGenerator
			.builder(NAME, new ScopedSettings(1, end, period, ScopePattern.of(pattern, period)),
					new JdbcKeySpaceStore(TestStores.database(this.pool, "ids_")), store)
			.zone(zone)
			.maxScopes(maxScopes)
			.waitTimeout(Duration.ofSeconds(60))
			.open();
		this.closeables.add(generator);
		return generator;
	}

	private static TransactionTemplate transaction(DataSource dataSource) {
		return new TransactionTemplate(new DataSourceTransactionManager(dataSource));
	}

	private <T> T inTransaction(Supplier<T> work) {
		return transaction(this.pool).execute((status) -> work.get());
	}

	private static CompletableFuture<Void> start(Runnable task) {
		return CompletableFuture.runAsync(task, (run) -> new Thread(run).start());
	}

	/**
	 * Set the clock of the database to a time. Without an offset, this clock shows the
	 * time of this machine.
	 */
	private void setClock(String instant) {
		this.clockOffset.set(Instant.parse(instant).toEpochMilli() - System.currentTimeMillis());
	}

	@Test
	void scopesHaveSeparateNumbers() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		for (long number = 1; number < 4; number++) {
			long expected = number;
			assertThat(inTransaction(ids.in("acme")::nextLong)).isEqualTo(expected);
			assertThat(inTransaction(ids.in("globex")::nextString)).isEqualTo("globex-" + expected);
		}
		assertThat(inTransaction(() -> ids.in("acme").nextStrings(2))).containsExactly("acme-4", "acme-5");
		assertThat(inTransaction(() -> ids.in("acme").nextLongs(2))).containsExactly(6, 7);
		assertThat(ids.in("acme").describe(7).reserved()).isTrue();
		assertThat(ids.in("acme").describe(8).reserved()).isFalse();
		assertThat(ids.in("initech").describe(1).reserved()).isFalse();
	}

	@Test
	void uuidsOfScopesDiffer() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		UUID drawn = inTransaction(ids.in("acme")::nextUuid);
		assertThat(ids.in("acme").toUuid(1)).isEqualTo(drawn);
		assertThat(ids.in("acme").fromUuid(drawn)).isEqualTo(1);
		assertThat(ids.in("globex").toUuid(1)).isNotEqualTo(drawn);
		assertThatIllegalArgumentException().isThrownBy(() -> ids.in("globex").fromUuid(drawn));
	}

	@Test
	void distinguishesScopesByCodePointsAndPartBoundaries() {
		ScopedGaplessIdGenerator ids = generator(ScopePeriod.NONE, "{n}", 1_000, 9);
		for (List<String> scope : List.of(List.of("Acme"), List.of("acme"), List.of("acme "), List.of("a", "bc"),
				List.of("ab", "c"), List.of("ab/c"), List.of("abc"), List.of("caf\u00e9"), List.of("cafe\u0301"),
				List.of("\ud83d\ude00"))) {
			ScopedIds numbers = ids.in(scope.toArray(String[]::new));
			assertThat(inTransaction(numbers::nextLong)).as("%s", scope).isEqualTo(1);
			assertThat(ids.scope(null, scope, Duration.ofSeconds(30))).as("%s", scope)
				.satisfies((state) -> assertThat(IdScope.parts(state.name())).isEqualTo(scope))
				.satisfies((state) -> assertThat(state.next()).isEqualTo(2));
		}
		assertThat(ids.scopes(null, null, 100, Duration.ofSeconds(30))).hasSize(10);
	}

	@Test
	void rollbackReturnsTheNumbersOfEveryScope() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(ids.in("acme").nextLongs(2)).containsExactly(1, 2);
			assertThat(ids.in("globex").nextLong()).isEqualTo(1);
			status.setRollbackOnly();
		});
		assertThat(inTransaction(ids.in("acme")::nextLong)).isEqualTo(1);
		assertThat(inTransaction(ids.in("globex")::nextLong)).isEqualTo(1);
	}

	@Test
	void drawWithoutATransactionIsRejectedBeforeTheScopeIsCreated() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(ids.in("acme")::nextLong)
			.withMessageContaining("there is no transaction");
		assertThat(ids.snapshot().failures()).isZero();
		assertThat(ids.scope(null, List.of("acme"), Duration.ofSeconds(30))).isNull();
	}

	@Test
	void newScopeIsCreatedOnceByConcurrentDraws() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		CyclicBarrier barrier = new CyclicBarrier(8);
		Map<Long, String> drawn = new ConcurrentHashMap<>();
		List<CompletableFuture<Void>> writers = IntStream.range(0, 8).mapToObj((i) -> start(() -> {
			await(barrier);
			drawn.put(inTransaction(ids.in("acme")::nextLong), "drawn");
		})).toList();
		writers.forEach(CompletableFuture::join);
		assertThat(drawn.keySet()).containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 8).boxed().toList());
		assertThat(count(ids)).isEqualTo(1);
	}

	@Test
	void drawsOfAnotherScopeDoNotWait() {
		assumeThat(this.kind).as("databases with several writers for one table").isNotIn(Kind.SQLITE, Kind.HSQLDB);
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(ids.in("acme").nextLong()).isEqualTo(1);
			start(() -> assertThat(inTransaction(ids.in("globex")::nextLong)).isEqualTo(1))
				.orTimeout(30, TimeUnit.SECONDS)
				.join();
		});
	}

	@Test
	void oneOfThreeDeadlockedTransactionsFailsAndTheOthersContinue() {
		assumeThat(this.kind).as("databases with several writers for one table").isNotIn(Kind.SQLITE, Kind.HSQLDB);
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		CyclicBarrier drawn = new CyclicBarrier(3);
		List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
		List<CompletableFuture<Void>> writers = IntStream.range(0, 3).mapToObj((i) -> start(() -> {
			try {
				inTransaction(() -> {
					ids.in("tenant " + i).nextLong();
					await(drawn);
					return ids.in("tenant " + (i + 1) % 3).nextLong();
				});
			}
			catch (RuntimeException ex) {
				failures.add(ex);
			}
		})).toList();
		writers.forEach((writer) -> writer.orTimeout(50, TimeUnit.SECONDS).join());
		assertThat(failures).singleElement()
			.isInstanceOf(ConcurrencyFailureException.class)
			.asString()
			.contains("deadlock", "invoices", "tenant");
		assertThat(IntStream.range(0, 3).mapToLong((i) -> inTransaction(ids.in("tenant " + i)::nextLong)).sum())
			.as("sum of the next numbers after four draws from three scopes")
			.isEqualTo(7);
	}

	@Test
	void transactionThatBeganBeforeTheScopeWasCreatedDrawsOrFailsWithAConflict() {
		assumeThat(this.kind).isIn(Kind.POSTGRESQL, Kind.MARIADB, Kind.MYSQL_DRIVER);
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		TransactionTemplate repeatableRead = transaction(this.pool);
		repeatableRead.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		Supplier<Long> draw = () -> repeatableRead.execute((status) -> {
			new JdbcTemplate(this.pool).queryForList("select * from invoice");
			return ids.in("acme").nextLong();
		});
		if (this.kind == Kind.POSTGRESQL) {
			assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(draw::get)
				.withMessageContaining("READ COMMITTED");
		}
		else {
			assertThat(draw.get()).isEqualTo(1);
		}
		assertThat(draw.get()).isPositive();
	}

	@Test
	void periodFollowsTheDatabaseClockOfTheDrawingStatement() {
		setClock("2026-12-31T12:00:00Z");
		ScopedGaplessIdGenerator ids = yearlyGenerator();
		assertThat(inTransaction(ids.in("acme")::nextString)).isEqualTo("acme-2026-00001");
		assertThat(inTransaction(ids.in("acme")::nextString)).isEqualTo("acme-2026-00002");
		setClock("2027-01-01T12:00:00Z");
		// the generator still assumes that it is 2026
		assertThat(inTransaction(ids.in("acme")::nextString)).isEqualTo("acme-2027-00001");
		assertThat(inTransaction(ids.in("acme")::nextString)).isEqualTo("acme-2027-00002");
		setClock("2026-12-31T12:00:00Z");
		assertThat(inTransaction(ids.in("acme")::nextString)).isEqualTo("acme-2026-00003");
	}

	@Test
	void numberKeepsItsPeriodIfTheYearEndsDuringTheTransaction() {
		setClock("2026-12-31T12:00:00Z");
		ScopedGaplessIdGenerator ids = yearlyGenerator();
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(ids.in("acme").nextString()).isEqualTo("acme-2026-00001");
			setClock("2027-01-01T12:00:00Z");
			assertThat(ids.in("acme").nextString()).isEqualTo("acme-2027-00001");
		});
		assertThat(ids.in("acme").at(LocalDate.parse("2026-06-01")).describe(2).reserved()).isFalse();
		assertThat(ids.in("acme").at(LocalDate.parse("2026-06-01")).describe(1).reserved()).isTrue();
	}

	@Test
	void daysBeginAtMidnightOfTheirZoneInEverySessionTimeZone() throws Exception {
		for (String session : TimeZones.sessionStatements(this.kind)) {
			try (HikariDataSource sessions = this.database.pool(2)) {
				sessions.setConnectionInitSql(session);
				assertDaysBeginAtMidnight(sessions, session);
			}
		}
	}

	@Test
	void daysBeginAtMidnightOfTheirZoneWhenTheMachineTimeZoneChanges() {
		List<TimeZone> zones = new ArrayList<>(TimeZones.REAL_ZONES);
		if (!this.kind.isServer()) {
			zones.addAll(TimeZones.withNearbyTransition());
		}
		for (TimeZone zone : zones) {
			TimeZones.runIn(zone, () -> assertDaysBeginAtMidnight(this.pool, zone.toString()));
		}
	}

	private void assertDaysBeginAtMidnight(DataSource sessions, String description) {
		JdbcGaplessStore store = open(sessions);
		AROUND_MIDNIGHT.forEach((zone, expected) -> {
			ScopedGaplessIdGenerator ids = open(store, ScopePeriod.DAY, "{yyyy}-{MM}-{dd}-{n}", 1_000, 9,
					ZoneId.of(zone));
			ScopedIds numbers = ids.in(UUID.randomUUID().toString());
			expected.forEach((moment, number) -> {
				setClock(moment);
				String drawn = transaction(sessions).execute((status) -> numbers.nextString());
				assertThat(drawn).as("%s in %s, %s", moment, zone, description).isEqualTo(number);
			});
		});
	}

	@Test
	void dateOfTheCallerDeterminesThePeriod() {
		setClock("2027-01-15T12:00:00Z");
		ScopedGaplessIdGenerator ids = yearlyGenerator();
		ScopedIds lastYear = ids.in("acme").at(LocalDate.parse("2026-12-31"));
		assertThat(inTransaction(lastYear::nextString)).isEqualTo("acme-2026-00001");
		assertThat(inTransaction(ids.in("acme")::nextString)).isEqualTo("acme-2027-00001");
		assertThat(inTransaction(() -> lastYear.nextStrings(2))).containsExactly("acme-2026-00002", "acme-2026-00003");
		assertThat(lastYear.parse("acme-2026-00003")).isEqualTo(3);
		assertThat(lastYear.format(70_000)).isEqualTo("acme-2026-70000");
	}

	@Test
	void scopeCannotStartInATransactionThatHasDrawnFromIt() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		transaction(this.pool).executeWithoutResult((status) -> {
			assertThat(ids.in("acme").nextLong()).isEqualTo(1);
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> ids.in("acme").start(7))
				.withMessageContainingAll("acme", "has drawn a number", "before or after that transaction");
		});
		assertThat(inTransaction(ids.in("acme")::nextLong)).isEqualTo(2);
	}

	@Test
	void scopeStartsOnceAtAGivenNumber() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		ids.in("acme").start(843);
		ids.in("acme").start(843);
		assertThatIllegalStateException().isThrownBy(() -> ids.in("acme").start(900))
			.withMessageContaining("cannot start with 900")
			.withMessageContaining("next number is 843");
		assertThat(inTransaction(ids.in("acme")::nextLong)).isEqualTo(843);
		assertThatIllegalStateException().isThrownBy(() -> ids.in("acme").start(843))
			.withMessageContaining("next number is 844");
		inTransaction(ids.in("globex")::nextLong);
		assertThatIllegalStateException().isThrownBy(() -> ids.in("globex").start(5));
		transaction(this.pool).executeWithoutResult((status) -> {
			ids.in("initech").nextLong();
			status.setRollbackOnly();
		});
		ids.in("initech").start(7);
		assertThat(inTransaction(ids.in("initech")::nextLong)).isEqualTo(7);
	}

	@Test
	void scopesBeyondTheLimitAreRejected() {
		ScopedGaplessIdGenerator ids = generator(ScopePeriod.NONE, "{scope}-{n}", 2, 9);
		inTransaction(ids.in("acme")::nextLong);
		inTransaction(ids.in("globex")::nextLong);
		assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> inTransaction(ids.in("initech")::nextLong))
			.withMessageContaining("has 2 scopes")
			.withMessageContaining("'initech'");
		assertThat(inTransaction(ids.in("acme")::nextLong)).isEqualTo(2);
		assertThat(count(ids)).isEqualTo(2);
	}

	@Test
	void usedUpScopeFailsWhileOthersContinue() {
		ScopedGaplessIdGenerator ids = generator(ScopePeriod.YEAR, "{scope}-{yyyy}-{n}", 10, 3);
		assertThat(inTransaction(() -> ids.in("acme").nextLongs(3))).containsExactly(1, 2, 3);
		assertThatExceptionOfType(KeySpaceExhaustedException.class)
			.isThrownBy(() -> inTransaction(ids.in("acme")::nextLong))
			.withMessageContaining("'acme' in ")
			.withMessageContaining("is 4, and the highest allowed number is 3");
		assertThat(inTransaction(ids.in("globex")::nextLong)).isEqualTo(1);
	}

	@Test
	void drawsOfSeveralScopesDoNotDeadlock() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		Map<List<String>, Integer> aFirst = new LinkedHashMap<>();
		aFirst.put(List.of("a"), 2);
		aFirst.put(List.of("b"), 1);
		aFirst.put(List.of("c"), 0);
		Map<List<String>, Integer> bFirst = new LinkedHashMap<>();
		bFirst.put(List.of("b"), 1);
		bFirst.put(List.of("a"), 2);
		List<CompletableFuture<Void>> writers = IntStream.range(0, 8)
			.mapToObj((writer) -> start(() -> IntStream.range(0, 20)
				.forEach((i) -> inTransaction(() -> ids.next((writer % 2 == 0) ? aFirst : bFirst)))))
			.toList();
		writers.forEach((writer) -> writer.orTimeout(120, TimeUnit.SECONDS).join());
		Map<List<String>, long[]> drawn = inTransaction(() -> ids.next(aFirst));
		assertThat(drawn.get(List.of("a"))).containsExactly(321, 322);
		assertThat(drawn.get(List.of("b"))).containsExactly(161);
		assertThat(drawn.get(List.of("c"))).isEmpty();
	}

	@Test
	void failedDrawOfSeveralScopesCannotBeCommitted() {
		ScopedGaplessIdGenerator ids = generator(ScopePeriod.NONE, "{scope}-{n}", 10, 3);
		assertThatExceptionOfType(KeySpaceExhaustedException.class)
			.isThrownBy(() -> transaction(this.pool).executeWithoutResult((status) -> {
				assertThatExceptionOfType(KeySpaceExhaustedException.class)
					.isThrownBy(() -> ids.next(Map.of(List.of("a"), 1, List.of("b"), 4)));
				// the caller continues as if the draw had not failed
			}));
		assertThat(inTransaction(ids.in("a")::nextLong)).isEqualTo(1);
	}

	@Test
	void scopesAreListedAndCounted() {
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		for (int tenant = 1; tenant <= 12; tenant++) {
			int count = tenant;
			inTransaction(() -> ids.in("t" + count).nextLongs(count));
		}
		assertThat(count(ids)).isEqualTo(12);
		Duration timeout = Duration.ofSeconds(30);
		assertThat(ids.scopes(null, null, 10, timeout)).hasSize(10)
			.extracting(ScopeState::name)
			.startsWith("t12", "t11", "t10");
		List<ScopeState> allScopes = new ArrayList<>(ids.scopes(null, "-", 5, timeout));
		while (allScopes.size() < 12) {
			List<ScopeState> page = ids.scopes(null, allScopes.get(allScopes.size() - 1).key(), 5, timeout);
			assertThat(page).isNotEmpty();
			allScopes.addAll(page);
		}
		assertThat(allScopes).extracting(ScopeState::name).doesNotHaveDuplicates().hasSize(12);
		assertThat(ids.scope("2020", List.of("t1"), timeout)).isNull();
	}

	@Test
	void sequenceWithoutScopesIsIndependentOfScopesWithTheSameName() {
		this.store.create(NAME, 1, TestStores.deadline());
		assertThat(inTransaction(() -> this.store.draw(NAME, 5, 9, TestStores.deadline()).first())).isEqualTo(1);
		assertThat(inTransaction(generatorWithoutPeriods().in("acme")::nextLong)).isEqualTo(1);
		assertThat(this.store.next(NAME, TestStores.deadline())).isEqualTo(6);
	}

	@Test
	void failsWhenAScopeHasVanished() {
		assumeThat(this.kind).as("databases that create scopes in a separate transaction")
			.isNotIn(Kind.SQLITE, Kind.HSQLDB);
		ScopedGaplessIdGenerator ids = generatorWithoutPeriods();
		inTransaction(ids.in("acme")::nextLong);
		TestDatabase.execute(this.pool, "delete from ids_gapless");
		for (int attempt = 0; attempt < 2; attempt++) {
			assertThatExceptionOfType(KeySpaceRegressionException.class)
				.isThrownBy(() -> inTransaction(ids.in("acme")::nextLong))
				.withMessageContaining("'acme'")
				.withMessageContaining("has vanished");
		}
	}

	@Test
	void sixteenWritersOverManyTenantsLeaveNoGapWhileTheYearEnds() {
		int tenants = Integer.getInteger("test.ids.tenants", 40);
		int rounds = Integer.getInteger("test.ids.tenant-rounds", 25);
		setClock(InvoiceWriter.LAST_YEAR);
		// no rollbacks on H2, because H2 2.4.240 sometimes loses an update when another
		// transaction is rolled back
		InvoiceWriter writer = new InvoiceWriter(yearlyGenerator(), this.pool, tenants,
				this.kind != Kind.H2 && this.kind != Kind.H2_FILE);
		AtomicInteger written = new AtomicInteger();
		CountDownLatch halfWritten = new CountDownLatch(16 * rounds / 2);
		List<CompletableFuture<Void>> writers = IntStream.range(0, 16).mapToObj((seed) -> start(() -> {
			Random random = new Random(seed);
			for (int i = 0; i < rounds; i++) {
				written.addAndGet(writer.write(random));
				halfWritten.countDown();
			}
		})).toList();
		writers.forEach((running) -> running.whenComplete((done, failure) -> {
			while (failure != null && halfWritten.getCount() > 0) {
				halfWritten.countDown();
			}
		}));
		await(halfWritten);
		this.clockOffset
			.addAndGet(Duration.between(Instant.parse(InvoiceWriter.LAST_YEAR), Instant.parse(InvoiceWriter.NEW_YEAR))
				.toMillis());
		writers.forEach(CompletableFuture::join);
		assertThat(InvoiceWriter.verifyNoGap(this.pool)).isEqualTo(written.get());
	}

	private long count(ScopedGaplessIdGenerator ids) {
		ids.refresh(Duration.ofSeconds(30)).join();
		return ids.snapshot().scopes();
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
