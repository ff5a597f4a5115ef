package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import dev.idspring.IdGenerationException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.SeriesSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.recycled.SeriesSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.memory.LostSlots;
import dev.idspring.store.DelegatingSlotStore;
import dev.idspring.store.SlotOwner;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotStore.SlotSpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.store.SlotStore;
import dev.idspring.testsupport.TestSlots;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TestTimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BlockIdGenerator} with the strategy {@code recycled}. Each worker is
 * the generator of one instance. It reserves the ordinals of a series in ranges, called
 * windows.
 */
class RecycledIdGeneratorTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final long MILLION = 1_000_000;

	private final TestTimeSource time = new TestTimeSource();

	private final InMemoryKeySpaceStore keySpaces = new InMemoryKeySpaceStore();

	private final InMemorySlotStore memory = new InMemorySlotStore(this.time);

	private final UnreliableSlotStore slots = new UnreliableSlotStore(this.memory);

	private final List<BlockIdGenerator> workers = new ArrayList<>();

	private final List<Long> lostSeries = new CopyOnWriteArrayList<>();

	private final List<Long> reportedSeriesCounts = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.workers.forEach(BlockIdGenerator::close);
	}

	private BlockIdGenerator worker() {
		return worker(new RecycledSettings(MILLION, RecycledSettings.MAX_CAPACITY), 1_000, 1);
	}

	private BlockIdGenerator worker(RecycledSettings settings, long blockSize, int seriesPerInstance) {
		BlockIdGenerator worker = BlockIdGenerator
			.recycled("test", settings, new SeriesSettings(seriesPerInstance, LEASE), this.keySpaces, this.slots)
			.blockSettings(new BlockSettings(blockSize, blockSize, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.listener(new IdGeneratorListener() {

				@Override
				public void lost(String generator, long number) {
					RecycledIdGeneratorTests.this.lostSeries.add(number);
				}

				@Override
				public void leaseTooShort(String generator, long held, Duration lease, Duration enough) {
					RecycledIdGeneratorTests.this.reportedSeriesCounts.add(held);
				}

			})
			.open();
		this.workers.add(worker);
		return worker;
	}

	private static List<Long> take(BlockIdGenerator worker, int count) {
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			ids.add(worker.nextLong());
		}
		return ids;
	}

	private static List<Long> range(long from, long to) {
		return LongStream.rangeClosed(from, to).boxed().toList();
	}

	@Test
	void newInstanceContinuesAReleasedSeriesOrElseStartsANewOne() {
		BlockIdGenerator a = worker();
		assertThat(take(a, 2)).containsExactly(1L, 2L);
		BlockIdGenerator b = worker();
		assertThat(take(b, 7)).isEqualTo(range(1_000_001, 1_000_007));
		BlockIdGenerator c = worker();
		assertThat(c.nextLong()).isEqualTo(2_000_001);
		b.close();
		BlockIdGenerator d = worker();
		assertThat(d.nextLong()).isEqualTo(1_000_008);
		BlockIdGenerator e = worker();
		assertThat(e.nextLong()).isEqualTo(3_000_001);
	}

	@Test
	void staleReadThatShowsThePreviousOwnerHaltsNoInstance() {
		RecycledSettings settings = new RecycledSettings(10, 1_000);
		BlockIdGenerator a = worker(settings, 10, 1);
		assertThat(take(a, 4)).isEqualTo(range(1, 4));
		StoredSlot stale = this.memory.read("test", 0, DEADLINE).orElseThrow();
		a.close();
		SlotStore replica = new DelegatingSlotStore(this.memory) {

			@Override
			public Optional<StoredSlot> read(String keySpace, long number, Deadline deadline) {
				return (number == 0) ? Optional.of(stale) : super.read(keySpace, number, deadline);
			}

		};
		try (BlockIdGenerator b = BlockIdGenerator
			.recycled("test", settings, new SeriesSettings(1, LEASE), this.keySpaces, replica)
			.blockSettings(new BlockSettings(10, 10, Duration.ofSeconds(5), Duration.ZERO))
			.timeSource(this.time)
			.open()) {
			assertThat(take(b, 26)).isEqualTo(range(5, 30));
		}
	}

	@Test
	void usedUpSeriesIsReplacedByANewOne() {
		BlockIdGenerator a = worker();
		assertThat(a.nextLong()).isEqualTo(1);
		BlockIdGenerator b = worker();
		for (long expected = 1_000_001; expected <= 2_000_003; expected++) {
			assertThat(b.nextLong()).isEqualTo(expected);
		}
		assertThat(a.nextLong()).isEqualTo(2);
	}

	@Test
	void usedUpSeriesIsReplacedByAnAbandonedOne() {
		RecycledSettings small = new RecycledSettings(10, 1_000);
		BlockIdGenerator a = worker(small, 4, 1);
		assertThat(a.nextLong()).isEqualTo(1);
		BlockIdGenerator b = worker(small, 4, 1);
		assertThat(take(b, 3)).isEqualTo(range(11, 13));
		b.close();
		assertThat(take(a, 9)).isEqualTo(range(2, 10));
		assertThat(take(a, 8)).isEqualTo(range(14, 21));
	}

	@Test
	void tooShortLeaseIsReportedOnce() {
		RecycledSettings small = new RecycledSettings(10, 1_000_000);
		// a lease must last at least 30 milliseconds for each series that has an owner
		long maxSeries = LEASE.toMillis() / 30;
		for (int i = 0; i < maxSeries - 1; i++) {
			this.slots.claim("test", TestSlots.series(100_000, 10), SlotOwner.random(LEASE),
					Deadline.after(this.time, Duration.ofSeconds(5)));
		}
		// draw only one id, so that this worker does not use up its series: while it
		// replaces a series, it owns none and is not counted
		take(worker(small, 4, 1), 1);
		assertThat(this.reportedSeriesCounts).isEmpty();
		take(worker(small, 4, 1), 100);
		// callers get their ids before listeners are called
		Awaitility.await().untilAsserted(() -> assertThat(this.reportedSeriesCounts).containsExactly(maxSeries + 1));
	}

	@Test
	void closeLeavesNoGapAtAnyPosition() {
		RecycledSettings small = new RecycledSettings(10, 1_000_000);
		List<Long> ids = new ArrayList<>();
		Random random = new Random(42);
		while (ids.size() < 2_000) {
			try (BlockIdGenerator worker = worker(small, 1 + random.nextInt(12), 1)) {
				int count = random.nextInt(25);
				if (random.nextBoolean()) {
					ids.addAll(take(worker, count));
				}
				else {
					for (long id : worker.nextLongs(count)) {
						ids.add(id);
					}
				}
			}
		}
		assertThat(ids).doesNotHaveDuplicates();
		Collections.sort(ids);
		assertThat(ids).isEqualTo(range(1, ids.size()));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1 })
	void failureToReleaseASeriesDoesNotAffectOtherSeries(long failingSeries) {
		BlockIdGenerator worker = worker(new RecycledSettings(10, 1_000), 10, 1);
		assertThat(take(worker, 6)).isEqualTo(range(1, 6));
		// wait for the second window, which was requested when half of the first window
		// was used; the second window is in the next series
		refresh(worker);
		this.slots.failReleaseOf(failingSeries);
		worker.close();
		assertThat(storedSlot(failingSeries).owner()).isNotNull();
		StoredSlot other = storedSlot(1 - failingSeries);
		assertThat(other.owner()).isNull();
		assertThat(other.slot().position()).isEqualTo((failingSeries == 0) ? 10 : 6);
	}

	private StoredSlot storedSlot(long number) {
		return this.memory.read("test", number, DEADLINE).orElseThrow();
	}

	@Test
	void crashLosesAtMostOneBlock() {
		Random random = new Random(7);
		Set<Long> ids = new HashSet<>();
		for (int crash = 0; crash < 30; crash++) {
			BlockIdGenerator worker = worker();
			List<Long> takenIds = take(worker, 1 + random.nextInt(3_000));
			assertThat(ids.addAll(takenIds)).isTrue();
			refresh(worker);
			// no task is running now, and the worker is not closed: this simulates a kill
			this.time.advance(LEASE.plusSeconds(1));
			BlockIdGenerator adopter = worker();
			long next = adopter.nextLong();
			long last = takenIds.get(takenIds.size() - 1);
			assertThat(next - last - 1).isBetween(0L, 1_000L);
			ids.add(next);
			adopter.close();
		}
	}

	@Test
	void frozenOwnerUsesUpItsWindowAndThenClaimsAnotherSeries() {
		BlockIdGenerator frozen = worker();
		List<Long> ids = take(frozen, 100);
		this.time.advance(LEASE.plusSeconds(1));
		BlockIdGenerator adopter = worker();
		long adoptedId = adopter.nextLong();
		assertThat(adoptedId).isBetween(101L, MILLION);
		ids.add(adoptedId);
		ids.addAll(take(frozen, 5_000));
		ids.addAll(take(adopter, 5_000));
		assertThat(ids).doesNotHaveDuplicates();
		assertThat(ids.get(5_100)).as("the last id of the frozen owner").isGreaterThan(MILLION);
		assertThat(this.lostSeries).containsExactly(0L);
	}

	@Test
	void issuesEveryKeyOfASmallKeySpaceBeforeItIsExhausted() {
		RecycledSettings small = new RecycledSettings(10, 29);
		BlockIdGenerator a = worker(small, 3, 1);
		BlockIdGenerator b = worker(small, 3, 1);
		Set<Long> ids = ConcurrentHashMap.newKeySet();
		for (BlockIdGenerator worker : List.of(a, b)) {
			boolean more = true;
			while (more) {
				try {
					assertThat(ids.add(worker.nextLong())).isTrue();
				}
				catch (KeySpaceExhaustedException ex) {
					assertThat(ex).hasMessageContaining(".recycled.capacity, or the setting capacity in Java)");
					more = false;
				}
			}
		}
		assertThat(ids).containsExactlyInAnyOrderElementsOf(range(1, 20));
		refresh(a);
		assertThat(a.snapshot().status()).isEqualTo(GeneratorStatus.EXHAUSTED);
		assertThat(a.snapshot().keySpace().remaining()).isZero();
	}

	@Test
	void exhaustedGeneratorClaimsASeriesThatAnotherInstanceReleases() {
		RecycledSettings small = new RecycledSettings(10, 20);
		BlockIdGenerator a = worker(small, 10, 1);
		assertThat(a.nextLong()).isEqualTo(1);
		BlockIdGenerator b = worker(small, 10, 1);
		assertThat(b.nextLong()).isEqualTo(11);
		take(a, 9);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(a::nextLong);
		b.close();
		this.time.advance(Duration.ofSeconds(60));
		assertThat(take(a, 9)).isEqualTo(range(12, 20));
	}

	@Test
	void statusIsExhaustedWhileOtherInstancesHoldAllRemainingKeys() {
		RecycledSettings small = new RecycledSettings(10, 20);
		BlockIdGenerator a = worker(small, 2, 1);
		BlockIdGenerator b = worker(small, 2, 1);
		assertThat(b.nextLong()).isEqualTo(11);
		take(a, 10);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(a::nextLong)
			.withMessageContaining("Other instances hold the series of the unreserved keys");
		refresh(a);
		assertThat(a.snapshot().keySpace().remaining()).isPositive();
		assertThat(a.snapshot().status()).isEqualTo(GeneratorStatus.EXHAUSTED);
		b.close();
		refresh(a);
		assertThat(a.snapshot().status()).as("a series is free").isNotEqualTo(GeneratorStatus.EXHAUSTED);
	}

	@Test
	void seriesReleasedBeforeTheLastKeyIsDrawnIsClaimedAtOnce() {
		RecycledSettings small = new RecycledSettings(1_000, 2_000);
		BlockIdGenerator a = worker(small, 100, 1);
		assertThat(a.nextLong()).isEqualTo(1);
		BlockIdGenerator b = worker(small, 100, 1);
		b.nextLongs(980);
		// wait until the last 20 numbers of the series are in memory
		refresh(b);
		// the first worker now knows of no keys but those of its own series
		refresh(a);
		b.close();
		assertThat(take(a, 1_019)).doesNotHaveDuplicates().endsWith(2_000L);
	}

	@Test
	void blocksOfSeriesDoNotGrow() {
		BlockIdGenerator worker = BlockIdGenerator
			.recycled("test", new RecycledSettings(MILLION, 10 * MILLION), SeriesSettings.defaults(), this.keySpaces,
					this.slots)
			.timeSource(this.time)
			.open();
		this.workers.add(worker);
		take(worker, 10_000);
		assertThat(worker.snapshot().block().size()).isEqualTo(BlockSettings.defaults().size());
	}

	@Test
	void oneThreadEventuallyGetsTheKeysOfAllSeries() {
		BlockIdGenerator worker = worker(new RecycledSettings(10, 40), 4, 3);
		assertThat(take(worker, 25)).hasSize(25).doesNotHaveDuplicates();
		Set<Long> remaining = new HashSet<>();
		for (long id : worker.nextLongs(3)) {
			remaining.add(id);
		}
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(() -> {
			while (true) {
				assertThat(remaining.add(worker.nextLong())).isTrue();
			}
		});
		assertThat(remaining).hasSize(15);
	}

	@Test
	void oneThreadGetsTheIdsInMemoryOfAllSeriesWhileTheStoreFails() {
		BlockIdGenerator worker = worker(new RecycledSettings(MILLION, 100 * MILLION), 100, 4);
		Awaitility.await().until(() -> worker.inMemory().size() == 4);
		this.slots.goDown(() -> {
		});
		assertThat(take(worker, 350)).doesNotHaveDuplicates();
		assertThat(worker.nextLongs(50)).hasSize(50);
		assertThat(worker.snapshot().block().exhaustions()).as("callers that had to wait").isLessThanOrEqualTo(1);
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(worker::nextLong);
		this.slots.comeBack();
		assertThat(take(worker, 100)).hasSize(100);
	}

	@Test
	void callWaitsForOneDeadlineEvenIfAllSeriesAreExhausted() {
		AtomicReference<Duration> claimTime = new AtomicReference<>(Duration.ZERO);
		AtomicInteger claims = new AtomicInteger();
		SlotStore slowStore = new UnreliableSlotStore(this.memory) {

			@Override
			public Optional<StoredSlot> claim(String keySpace, SlotSpace space, SlotOwner owner, Deadline deadline) {
				claims.incrementAndGet();
				RecycledIdGeneratorTests.this.time.advance(claimTime.get());
				return super.claim(keySpace, space, owner, deadline);
			}

		};
		BlockIdGenerator worker = BlockIdGenerator
			.recycled("test", new RecycledSettings(10, 30), new SeriesSettings(3, LEASE), this.keySpaces, slowStore)
			.timeSource(this.time)
			.open();
		this.workers.add(worker);
		take(worker, 30);
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(worker::nextLong);
		// the back-off of each engine has ended, so each may ask the store for ids again
		this.time.advance(Duration.ofMinutes(1));
		claims.set(0);
		claimTime.set(BlockSettings.defaults().waitTimeout());
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(worker::nextLong);
		assertThat(claims).hasValue(1);
	}

	@Test
	void eachThreadUsesOneSeriesAndThreadsUseAllSeries() {
		BlockIdGenerator worker = worker(new RecycledSettings(MILLION, 100 * MILLION), 100, 4);
		List<CompletableFuture<List<Long>>> threads = IntStream.range(0, 8)
			.mapToObj(
					(i) -> CompletableFuture.supplyAsync(() -> take(worker, 5_000), (task) -> new Thread(task).start()))
			.toList();
		List<Long> series = new ArrayList<>();
		Set<Long> ids = new HashSet<>();
		for (CompletableFuture<List<Long>> thread : threads) {
			List<Long> takenIds = thread.join();
			assertThat(takenIds).isSorted();
			assertThat(takenIds.stream().map((id) -> (id - 1) / MILLION).distinct()).hasSize(1);
			series.add((takenIds.get(0) - 1) / MILLION);
			assertThat(ids.addAll(takenIds)).isTrue();
		}
		assertThat(ids).hasSize(40_000);
		assertThat(series).containsExactlyInAnyOrder(0L, 0L, 1L, 1L, 2L, 2L, 3L, 3L);
		worker.close();
		assertThat(this.slots.list("test", DEADLINE).slots()).extracting((stored) -> stored.slot().position())
			.containsExactly(10_000L, 1_010_000L, 2_010_000L, 3_010_000L);
	}

	@Test
	void idsOfAReservationWithUnknownOutcomeAreNotIssued() {
		BlockIdGenerator worker = worker(new RecycledSettings(MILLION, 100 * MILLION), 100, 1);
		assertThat(worker.nextLong()).isEqualTo(1);
		this.slots.loseAnswers(true);
		List<Long> ids = take(worker, 50);
		// wait for the second window, which was requested when half of the first window
		// was used
		refresh(worker);
		long inDoubtPosition = this.slots.list("test", DEADLINE).slots().get(0).slot().position();
		ids.addAll(take(worker, 49));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(worker::nextLong);
		this.slots.loseAnswers(false);
		ids.addAll(take(worker, 1_000));
		long position = this.slots.list("test", DEADLINE).slots().get(0).slot().position();
		assertThat(ids).doesNotHaveDuplicates().isSorted();
		assertThat(ids.get(98)).isEqualTo(100);
		assertThat(inDoubtPosition).isEqualTo(151);
		assertThat(ids.get(99)).as("the window with unknown outcome is skipped").isEqualTo(inDoubtPosition + 1);
		assertThat(ids.get(ids.size() - 1)).isLessThanOrEqualTo(position);
	}

	@Test
	void storeThatWentBackwardsStopsAllSeries() {
		BlockIdGenerator worker = worker(new RecycledSettings(MILLION, 100 * MILLION), 100, 3);
		this.slots.firstSlotGoesBackBy(60);
		List<String> failureMessages = new CopyOnWriteArrayList<>();
		runInThreads(3, () -> {
			try {
				take(worker, 10_000);
			}
			catch (KeySpaceRegressionException ex) {
				failureMessages.add(ex.getMessage());
			}
		});
		assertThat(failureMessages).isNotEmpty()
			.allSatisfy((message) -> assertThat(message).contains("went backwards", "series 0", "--ids.skip-ahead.by"));
		// threads that take from other series fail as well
		runInThreads(6, () -> Awaitility.await()
			.untilAsserted(
					() -> assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(worker::nextLong)));
		assertThat(worker.snapshot().status()).isEqualTo(GeneratorStatus.DOWN);
	}

	@Test
	void failureToListTheSeriesAfterAClaimNamesTheRemedyOnce() {
		AtomicInteger lists = new AtomicInteger();
		SlotStore regressed = new UnreliableSlotStore(this.memory) {

			@Override
			public SlotListing list(String keySpace, Deadline deadline) {
				if (lists.incrementAndGet() > 1) {
					throw new KeySpaceRegressionException("injected");
				}
				return super.list(keySpace, deadline);
			}

		};
		BlockIdGenerator worker = BlockIdGenerator
			.recycled("test", new RecycledSettings(10, 30), SeriesSettings.defaults(), this.keySpaces, regressed)
			.open();
		this.workers.add(worker);
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(worker::nextLong)
			.satisfies((ex) -> assertThat(ex.getMessage().split("--ids.command=skip-ahead", -1)).hasSize(2));
	}

	@Test
	void vanishedSeriesCausesAFailureThatNamesTheRemedy() {
		BlockIdGenerator worker = worker();
		worker.nextLong();
		LostSlots.forget(this.memory, "test", 0);
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> take(worker, 3_000))
			.withMessageContaining("has vanished")
			.withMessageContaining("--ids.skip-ahead.series");
	}

	@Test
	void usedUpSeriesIsCheckedForRegressionBeforeAnotherIsClaimed() {
		BlockIdGenerator worker = worker(new RecycledSettings(10, 1_000), 10, 1);
		// all of the first series is reserved; the sixth key triggers the next
		// reservation
		take(worker, 5);
		// the store now returns an earlier position of the used-up series; without the
		// check, the series could be claimed again
		this.slots.readPositionsGoBackBy(5);
		assertThatExceptionOfType(KeySpaceRegressionException.class).isThrownBy(() -> take(worker, 100));
	}

	@Test
	void skippedSeriesContinuesAtItsNewPosition() {
		BlockIdGenerator worker = worker();
		assertThat(worker.nextLong()).isEqualTo(1);
		this.slots.skip("test", 50_000, 2, DEADLINE);
		List<Long> ids = take(worker, 3_000);
		assertThat(ids).isSorted().doesNotHaveDuplicates();
		assertThat(ids.get(0)).isEqualTo(2);
		assertThat(ids.get(2_999)).isGreaterThan(50_000);
		assertThat(worker().nextLong()).isEqualTo(3_000_001);
		assertThat(this.lostSeries).hasSize(1);
	}

	@Test
	void snapshotReportsTheRemainingIdsOfTheSeries() {
		RecycledSettings settings = new RecycledSettings(1_000, 10_000);
		BlockIdGenerator a = worker(settings, 100, 1);
		a.nextLong();
		BlockIdGenerator b = worker(settings, 100, 1);
		b.nextLong();
		BlockIdGenerator c = worker(settings, 100, 1);
		take(c, 7);
		c.close();
		this.time.advance(Duration.ofSeconds(5));
		refresh(a);
		GeneratorSnapshot snapshot = a.snapshot();
		SeriesSnapshot series = snapshot.series();
		assertThat(series.held()).isEqualTo(1_800);
		assertThat(series.abandoned()).isEqualTo(993);
		assertThat(series.untouched()).isEqualTo(7_000);
		assertThat(snapshot.keySpace().remaining()).hasToString("9793");
		assertThat(snapshot.keySpace().reserved()).hasToString("207");
		assertThat(series.series()).containsExactly(
				new SeriesSnapshot.Series(0, 101, 1_000, true, true, Duration.ofSeconds(5)),
				new SeriesSnapshot.Series(1, 1_101, 2_000, true, false, Duration.ofSeconds(5)),
				new SeriesSnapshot.Series(2, 2_008, 3_000, false, false, Duration.ofSeconds(5)));
		assertThat(a.describe(100).reserved()).isTrue();
		assertThat(a.describe(101).reserved()).isFalse();
		assertThat(a.describe(2_007).reserved()).isTrue();
		assertThat(a.describe(2_008).reserved()).isFalse();
		assertThat(a.describe(3_001).reserved()).isFalse();
	}

	@Test
	void idsOfUsedUpSeriesAreReserved() {
		BlockIdGenerator worker = worker(new RecycledSettings(10, 1_000), 4, 1);
		take(worker, 15);
		assertThat(worker.describe(9).reserved()).isTrue();
		assertThat(worker.describe(9).ordinal()).isEqualTo(8);
		refresh(worker);
		assertThat(worker.snapshot().series().series()).extracting(SeriesSnapshot.Series::number).containsExactly(1L);
	}

	private static void refresh(BlockIdGenerator worker) {
		worker.refresh(Duration.ofSeconds(5)).join();
	}

	private static void runInThreads(int count, Runnable task) {
		IntStream.range(0, count)
			.mapToObj((i) -> CompletableFuture.runAsync(task, (run) -> new Thread(run).start()))
			.toList()
			.forEach(CompletableFuture::join);
	}

}
