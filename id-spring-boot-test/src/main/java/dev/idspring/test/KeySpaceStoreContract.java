package dev.idspring.test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;

import dev.idspring.KeySpaceMismatchException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.monitor.UsageHistory.Sample;
import dev.idspring.monitor.UsageHistory.StoredHistory;
import dev.idspring.monitor.UsageHistory;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The contract of {@link KeySpaceStore} as a set of tests. Extend this class to test your
 * own store: <pre class="code">
 * class CustomKeySpaceStoreTests extends KeySpaceStoreContract {
 *
 *     &#064;Override
 *     protected KeySpaceStore newStore() {
 *         return new CustomKeySpaceStore(this.server);
 *     }
 *
 * }</pre> Each test requires an empty store, so remove the data of the previous test in a
 * {@code @BeforeEach} method. Write additional tests for guarantees that this class
 * cannot verify: a reservation is durable before it is returned, a reservation with an
 * unknown outcome is discarded, and transactions of the calling thread are not affected.
 *
 * @since 0.1.0
 */
public abstract class KeySpaceStoreContract {

	/** The name of the key space that most tests use. */
	protected static final String NAME = "test";

	private static final int INSTANCES = 8;

	private final List<KeySpaceStore> instances = new ArrayList<>();

	@AfterEach
	void clearInstances() {
		this.instances.clear();
	}

	/**
	 * Return a store for another instance of an application. All stores of one test must
	 * share their data.
	 * @return a store. It may be the same object each time if stores have no state of
	 * their own
	 */
	protected abstract KeySpaceStore newStore();

	/**
	 * Return a deadline that no test should reach.
	 * @return a minute from now
	 */
	protected static Deadline deadline() {
		return Deadline.after(TimeSource.system(), Duration.ofSeconds(60));
	}

	@Test
	void createdKeySpaceCanBeRead() {
		KeySpaceStore store = newStore();
		StoredKeySpace created = store.create(NAME, "definition ~!@ 'x' \"y\"", 1L << 62, deadline());
		assertThat(created).isEqualTo(new StoredKeySpace(NAME, "definition ~!@ 'x' \"y\"", 1L << 62, 0));
		assertThat(newStore().read(NAME, deadline())).contains(created);
	}

	@Test
	void storesTheLongestNameAndDefinition() {
		String name = "A~!%_'\"\\/?".repeat(10);
		StoredKeySpace created = newStore().create(name, name.repeat(5), Long.MAX_VALUE, deadline());
		assertThat(created).isEqualTo(new StoredKeySpace(name, name.repeat(5), Long.MAX_VALUE, 0));
		assertThat(newStore().read(name, deadline())).contains(created);
		assertThat(newStore().reserve(name, 1, Long.MAX_VALUE, deadline())).isEqualTo(new OrdinalRange(0, 1));
	}

	@Test
	void readingAnUnknownKeySpaceReturnsEmpty() {
		assertThat(newStore().read("unknown", deadline())).isEqualTo(Optional.empty());
	}

	@Test
	void createDoesNotChangeAnExistingDefinition() {
		newStore().create(NAME, "first", 100, deadline());
		newStore().reserve(NAME, 10, 100, deadline());
		StoredKeySpace second = newStore().create(NAME, "second", 200, deadline());
		assertThat(second).isEqualTo(new StoredKeySpace(NAME, "first", 100, 10));
	}

	/**
	 * Return whether the store supports {@link KeySpaceStore#redefine redefine}. Only
	 * such a store can add a secret to a key space.
	 * @return {@code false} if the store rejects every replacement of a definition
	 */
	protected boolean redefines() {
		return true;
	}

	@Test
	void instanceWithTheOldDefinitionCannotReserveAfterAReplacement() {
		assumeThat(redefines()).isTrue();
		KeySpaceStore old = newStore();
		old.create(NAME, "a", 1_000, deadline());
		old.reserve(NAME, 10, 1_000, deadline());
		KeySpaceStore first = newStore();
		first.create(NAME, "a,b", 1_000, deadline());
		assertThat(first.redefine(NAME, "a", "a,b", 500, deadline()).definition()).isEqualTo("a,b");
		assertThatExceptionOfType(KeySpaceMismatchException.class)
			.isThrownBy(() -> old.reserve(NAME, 10, 1_000, deadline()));
		KeySpaceStore second = newStore();
		second.create(NAME, "a,b", 1_000, deadline());
		OrdinalRange range = first.reserve(NAME, 10, 1_000, deadline());
		assertThat(range.start()).isBetween(10L, 11L);
		assertThat(second.reserve(NAME, 10, 1_000, deadline()).start()).isEqualTo(range.end());
	}

	@Test
	void definitionIsNotReplacedWhenMoreThanTheLimitIsReserved() {
		assumeThat(redefines()).isTrue();
		KeySpaceStore store = newStore();
		store.create(NAME, "a", 1_000, deadline());
		store.reserve(NAME, 501, 1_000, deadline());
		assertThat(store.redefine(NAME, "a", "a,b", 500, deadline()).definition()).isEqualTo("a");
		assertThat(store.reserve(NAME, 1, 1_000, deadline()).start()).isBetween(501L, 502L);
	}

	@Test
	void definitionIsReplacedWhenExactlyTheLimitIsReserved() {
		assumeThat(redefines()).isTrue();
		KeySpaceStore store = newStore();
		store.create(NAME, "a", 1_000, deadline());
		store.reserve(NAME, 500, 1_000, deadline());
		assertThat(store.redefine(NAME, "a", "a,b", 500, deadline()).definition()).isEqualTo("a,b");
	}

	@Test
	void definitionThatDiffersFromTheExpectedOneIsNotReplaced() {
		assumeThat(redefines()).isTrue();
		KeySpaceStore first = newStore();
		first.create(NAME, "a", 1_000, deadline());
		KeySpaceStore second = newStore();
		second.create(NAME, "a", 1_000, deadline());
		first.redefine(NAME, "a", "a,b", 500, deadline());
		assertThatExceptionOfType(KeySpaceMismatchException.class)
			.isThrownBy(() -> second.redefine(NAME, "a", "a,c", 500, deadline()));
		assertThat(newStore().read(NAME, deadline())).get().extracting(StoredKeySpace::definition).isEqualTo("a,b");
	}

	@Test
	void sameReplacementByTwoInstancesSucceeds() {
		assumeThat(redefines()).isTrue();
		KeySpaceStore first = newStore();
		first.create(NAME, "a", 1_000, deadline());
		KeySpaceStore second = newStore();
		second.create(NAME, "a", 1_000, deadline());
		first.redefine(NAME, "a", "a,b", 500, deadline());
		OrdinalRange range = first.reserve(NAME, 500, 1_000, deadline());
		assertThat(second.redefine(NAME, "a", "a,b", 500, deadline()).definition()).isEqualTo("a,b");
		assertThat(second.reserve(NAME, 1, 1_000, deadline()).start()).isGreaterThanOrEqualTo(range.end());
	}

	@Test
	void historyIsReplacedOnlyIfItIsTheExpectedOne() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 100, deadline());
		Optional<StoredHistory> stored = store.readHistory(NAME, deadline());
		assumeThat(stored).as("store supports histories").isPresent();
		UsageHistory none = stored.orElseThrow().history();
		assertThat(none).isEqualTo(UsageHistory.empty());
		UsageHistory first = longestHistory(1);
		newStore().replaceHistory(NAME, none, first, deadline());
		newStore().replaceHistory(NAME, none, longestHistory(2), deadline());
		assertThat(store.readHistory(NAME, deadline()).map(StoredHistory::history)).contains(first);
		store.replaceHistory(NAME, first, longestHistory(3), deadline());
		assertThat(store.readHistory(NAME, deadline()).map(StoredHistory::history)).contains(longestHistory(3));
		assertThat(store.read(NAME, deadline())).contains(new StoredKeySpace(NAME, "definition", 100, 0));
	}

	private static UsageHistory longestHistory(int firstWeek) {
		UsageHistory history = UsageHistory.empty();
		for (int week = firstWeek; week < firstWeek + 12; week++) {
			history = history.with(new Sample(Instant.parse("2200-01-01T00:00:00Z").plus(Duration.ofDays(7 * week)),
					Long.MAX_VALUE - 100 + week));
		}
		return history;
	}

	@Test
	void historyIsReadWithTheCurrentTime() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 100, deadline());
		Optional<StoredHistory> stored = store.readHistory(NAME, deadline());
		assumeThat(stored).as("store supports histories").isPresent();
		assertThat(stored.orElseThrow().readAt()).isCloseTo(TimeSource.system().instant(),
				new TemporalUnitWithinOffset(1, ChronoUnit.HOURS));
		assertThat(store.readHistory("unknown", deadline()).map(StoredHistory::history).orElse(UsageHistory.empty()))
			.isEqualTo(UsageHistory.empty());
	}

	@Test
	void namesThatDifferInCaseAreDifferentKeySpaces() {
		KeySpaceStore store = newStore();
		store.create("orders", "lower", 100, deadline());
		store.create("Orders", "upper", 100, deadline());
		store.reserve("orders", 7, 100, deadline());
		assertThat(store.read("Orders", deadline())).contains(new StoredKeySpace("Orders", "upper", 100, 0));
	}

	@Test
	void concurrentCreationsReturnTheSameKeySpace() {
		for (int i = 0; i < 10; i++) {
			String name = "race-" + i;
			List<StoredKeySpace> stored = inParallel(
					(index, store) -> store.create(name, "definition " + index, 100 + index, deadline()));
			assertThat(stored).hasSize(INSTANCES).containsOnly(stored.get(0));
		}
	}

	@Test
	void reservedRangesAreConsecutive() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 1_000, deadline());
		assertThat(store.reserve(NAME, 10, 1_000, deadline())).isEqualTo(new OrdinalRange(0, 10));
		assertThat(newStore().reserve(NAME, 1, 1_000, deadline())).isEqualTo(new OrdinalRange(10, 11));
		assertThat(store.reserve(NAME, 100, 1_000, deadline())).isEqualTo(new OrdinalRange(11, 111));
	}

	@Test
	void lastRangeIsShorterAndLaterRangesAreEmpty() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 25, deadline());
		store.reserve(NAME, 20, 25, deadline());
		assertThat(store.reserve(NAME, 20, 25, deadline())).isEqualTo(new OrdinalRange(20, 25));
		assertThat(store.reserve(NAME, 20, 25, deadline())).matches(OrdinalRange::isEmpty);
		assertThat(store.read(NAME, deadline()).orElseThrow().nextOrdinal()).isEqualTo(25);
	}

	@Test
	void reservationBeyondTheCapacityIsShortened() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 25, deadline());
		assertThat(store.reserve(NAME, Long.MAX_VALUE, 25, deadline())).isEqualTo(new OrdinalRange(0, 25));
	}

	@Test
	void lastOrdinalsOfTheLargestKeySpaceCanBeReserved() {
		KeySpaceStore store = newStore();
		long capacity = Long.MAX_VALUE;
		store.create(NAME, "definition", capacity, deadline());
		assertThat(store.skip(NAME, capacity - 5, capacity, deadline())).isEqualTo(new OrdinalRange(0, capacity - 5));
		assertThat(store.reserve(NAME, 10, capacity, deadline())).isEqualTo(new OrdinalRange(capacity - 5, capacity));
	}

	@Test
	void everyInstanceReservesWithinItsOwnBound() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 10, deadline());
		store.raiseCapacity(NAME, 100, deadline());
		assertThat(store.reserve(NAME, 50, 100, deadline())).isEqualTo(new OrdinalRange(0, 50));
		assertThat(newStore().reserve(NAME, 50, 10, deadline())).matches(OrdinalRange::isEmpty);
	}

	@Test
	void capacityIsRaisedAndNeverLowered() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 10, deadline());
		store.raiseCapacity(NAME, 100, deadline());
		store.raiseCapacity(NAME, 50, deadline());
		assertThat(store.read(NAME, deadline()).orElseThrow().capacity()).isEqualTo(100);
	}

	@Test
	void rangeIsGivenBackOnlyIfNoReservationFollowed() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 1_000, deadline());
		store.reserve(NAME, 10, 1_000, deadline());
		OrdinalRange range = store.reserve(NAME, 10, 1_000, deadline());
		assertThat(store.giveBack(NAME, new OrdinalRange(15, range.end()), deadline())).isTrue();
		assertThat(store.giveBack(NAME, new OrdinalRange(15, range.end()), deadline())).isFalse();
		assertThat(newStore().reserve(NAME, 10, 1_000, deadline())).isEqualTo(new OrdinalRange(15, 25));
		assertThat(store.giveBack(NAME, new OrdinalRange(12, 15), deadline())).isFalse();
		assertThat(store.read(NAME, deadline()).orElseThrow().nextOrdinal()).isEqualTo(25);
	}

	@Test
	void giveBackOfARangeThatDoesNotEndAtTheCounterChangesNothing() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 1_000, deadline());
		store.reserve(NAME, 10, 1_000, deadline());
		assertThat(store.giveBack(NAME, new OrdinalRange(2, 8), deadline())).isFalse();
		assertThat(store.giveBack(NAME, new OrdinalRange(5, 20), deadline())).isFalse();
		assertThat(store.read(NAME, deadline()).orElseThrow().nextOrdinal()).isEqualTo(10);
		assertThat(store.giveBack(NAME, new OrdinalRange(5, 10), deadline())).isTrue();
	}

	@Test
	void rangeIsNotGivenBackAfterAnotherInstanceGaveBackTheNextRange() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 1_000, deadline());
		OrdinalRange range = store.reserve(NAME, 10, 1_000, deadline());
		KeySpaceStore other = newStore();
		OrdinalRange nextRange = other.reserve(NAME, 10, 1_000, deadline());
		assertThat(other.giveBack(NAME, nextRange, deadline())).isTrue();
		assertThat(store.giveBack(NAME, range, deadline())).isFalse();
		assertThat(store.read(NAME, deadline()).orElseThrow().nextOrdinal()).isEqualTo(10);
	}

	@Test
	void countIsNotLimitedByTheCapacity() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 10, deadline());
		store.count(NAME, 7, deadline());
		store.count(NAME, 7, deadline());
		assertThat(newStore().read(NAME, deadline()).map(StoredKeySpace::nextOrdinal)).contains(14L);
	}

	@Test
	void acceptsADeadlineInTheFarFuture() {
		KeySpaceStore store = newStore();
		Deadline never = Deadline.in(Duration.ofSeconds(Long.MAX_VALUE));
		store.create(NAME, "definition", 100, never);
		assertThat(store.reserve(NAME, 10, 100, never)).isEqualTo(new OrdinalRange(0, 10));
		assertThat(newStore().read(NAME, never).map(StoredKeySpace::nextOrdinal)).contains(10L);
	}

	@Test
	void countBeyondTheMaximumIsRejected() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 10, deadline());
		store.count(NAME, Long.MAX_VALUE - 7, deadline());
		assertRejected("count", () -> store.count(NAME, 8, deadline()));
		store.count(NAME, 7, deadline());
		assertThat(newStore().read(NAME, deadline()).map(StoredKeySpace::nextOrdinal)).contains(Long.MAX_VALUE);
		assertRejected("count", () -> store.count(NAME, Long.MAX_VALUE, deadline()));
	}

	@Test
	void givingBackMoreThanWasReservedIsRejected() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 1_000, deadline());
		store.reserve(NAME, 10, 1_000, deadline());
		store.count(NAME, 5, deadline());
		assertThat(store.reserve(NAME, 10, 1_000, deadline())).isEqualTo(new OrdinalRange(15, 25));
		assertRejected("range", () -> store.giveBack(NAME, new OrdinalRange(14, 25), deadline()));
		assertRejected("range", () -> store.giveBack(NAME, new OrdinalRange(0, 25), deadline()));
		assertThat(store.read(NAME, deadline()).orElseThrow().nextOrdinal()).isEqualTo(25);
		assertThat(store.giveBack(NAME, new OrdinalRange(15, 25), deadline())).isTrue();
	}

	@Test
	void consecutiveReservationsAreGivenBackTogether() {
		KeySpaceStore store = newStore();
		store.create(NAME, "definition", 1_000, deadline());
		store.reserve(NAME, 10, 1_000, deadline());
		store.reserve(NAME, 10, 1_000, deadline());
		assertThat(store.giveBack(NAME, new OrdinalRange(5, 20), deadline())).isTrue();
		assertThat(store.reserve(NAME, 10, 1_000, deadline())).isEqualTo(new OrdinalRange(5, 15));
		assertThat(store.giveBack(NAME, new OrdinalRange(10, 15), deadline())).isTrue();
		assertThat(newStore().read(NAME, deadline()).orElseThrow().nextOrdinal()).isEqualTo(10);
	}

	@Test
	@SuppressWarnings("NullAway") // tests null arguments
	void invalidArgumentsAreNamedInTheExceptionAndChangeNothing() {
		KeySpaceStore store = newStore();
		StoredKeySpace before = store.create(NAME, "definition", 100, deadline());
		OrdinalRange range = store.reserve(NAME, 10, 100, deadline());
		UsageHistory history = UsageHistory.empty();
		for (String name : new String[] { null, "", "x".repeat(101), "\u00e9" }) {
			assertRejected("name", () -> store.create(name, "definition", 100, deadline()));
		}
		for (String definition : new String[] { null, "", "x".repeat(501), "a\nb" }) {
			assertRejected("definition", () -> store.create("other", definition, 100, deadline()));
		}
		for (long wrong : new long[] { 0, -1, Long.MIN_VALUE }) {
			assertRejected("capacity", () -> store.create("other", "definition", wrong, deadline()));
			assertRejected("capacity", () -> store.raiseCapacity(NAME, wrong, deadline()));
			assertRejected("count", () -> store.reserve(NAME, wrong, 100, deadline()));
			assertRejected("count", () -> store.skip(NAME, wrong, 100, deadline()));
		}
		for (long negative : new long[] { -1, Long.MIN_VALUE }) {
			assertRejected("count", () -> store.count(NAME, negative, deadline()));
			assertRejected("bound", () -> store.reserve(NAME, 1, negative, deadline()));
			assertRejected("bound", () -> store.skip(NAME, 1, negative, deadline()));
		}
		assertRejected("name", () -> store.raiseCapacity(null, 100, deadline()));
		assertRejected("name", () -> store.reserve(null, 1, 100, deadline()));
		assertRejected("name", () -> store.skip(null, 1, 100, deadline()));
		assertRejected("name", () -> store.giveBack(null, range, deadline()));
		assertRejected("name", () -> store.read(null, deadline()));
		assertRejected("name", () -> store.count(null, 1, deadline()));
		assertRejected("range", () -> store.giveBack(NAME, null, deadline()));
		assertRejected("deadline", () -> store.create("other", "definition", 100, null));
		assertRejected("deadline", () -> store.raiseCapacity(NAME, 200, null));
		assertRejected("deadline", () -> store.reserve(NAME, 1, 100, null));
		assertRejected("deadline", () -> store.skip(NAME, 1, 100, null));
		assertRejected("deadline", () -> store.giveBack(NAME, range, null));
		assertRejected("deadline", () -> store.read(NAME, null));
		assertRejected("deadline", () -> store.count(NAME, 1, null));
		if (redefines()) {
			assertRejected("most", () -> store.redefine(NAME, "definition", "other", -1, deadline()));
			assertRejected("known", () -> store.redefine(NAME, null, "other", 100, deadline()));
			assertRejected("replacement", () -> store.redefine(NAME, "definition", null, 100, deadline()));
			assertRejected("replacement", () -> store.redefine(NAME, "definition", "", 100, deadline()));
		}
		if (store.readHistory(NAME, deadline()).isPresent()) {
			assertRejected("name", () -> store.readHistory(null, deadline()));
			assertRejected("known", () -> store.replaceHistory(NAME, null, history, deadline()));
			assertRejected("replacement", () -> store.replaceHistory(NAME, history, null, deadline()));
		}
		assertThat(newStore().read(NAME, deadline()))
			.contains(new StoredKeySpace(NAME, before.definition(), before.capacity(), range.end()));
		assertThat(newStore().read("other", deadline())).isEmpty();
		assertThat(store.giveBack(NAME, range, deadline())).isTrue();
	}

	private static void assertRejected(String parameter, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(parameter);
	}

	@Test
	void reservationInAMissingKeySpaceThrowsARegressionException() {
		KeySpaceStore store = newStore();
		assertThatExceptionOfType(KeySpaceRegressionException.class)
			.isThrownBy(() -> store.reserve("vanished", 10, 1_000, deadline()))
			.withMessageContaining("vanished");
	}

	@Test
	void rangesOfParallelInstancesHaveNoOverlapsAndNoGaps() {
		newStore().create(NAME, "definition", 1L << 40, deadline());
		List<OrdinalRange> ranges = new ArrayList<>();
		inParallel((index, store) -> {
			Random random = new Random(index);
			List<OrdinalRange> reserved = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				reserved.add(store.reserve(NAME, 1 + random.nextInt(50), 1L << 40, deadline()));
			}
			return reserved;
		}).forEach(ranges::addAll);
		ranges.sort(Comparator.comparingLong(OrdinalRange::start));
		long next = 0;
		for (OrdinalRange range : ranges) {
			assertThat(range.start()).isEqualTo(next);
			next = range.end();
		}
		assertThat(newStore().read(NAME, deadline()).orElseThrow().nextOrdinal()).isEqualTo(next);
	}

	@Test
	void parallelInstancesReserveExactlyTheCapacity() {
		newStore().create(NAME, "definition", 1_000, deadline());
		List<List<OrdinalRange>> ranges = inParallel((index, store) -> {
			List<OrdinalRange> reserved = new ArrayList<>();
			OrdinalRange range;
			do {
				range = store.reserve(NAME, 7 + index, 1_000, deadline());
				reserved.add(range);
			}
			while (!range.isEmpty() && reserved.size() < 1_000);
			return reserved;
		});
		assertThat(ranges.stream().flatMap(List::stream).mapToLong(OrdinalRange::size).sum()).isEqualTo(1_000);
	}

	/**
	 * Run a task in eight instances at the same time.
	 * @param <T> the type of the results
	 * @param task the task that each instance runs
	 * @return the results, in the order of the instances
	 */
	protected <T> List<T> inParallel(Task<T> task) {
		while (this.instances.size() < INSTANCES) {
			this.instances.add(newStore());
		}
		CyclicBarrier start = new CyclicBarrier(INSTANCES);
		List<CompletableFuture<T>> results = new ArrayList<>();
		for (int i = 0; i < INSTANCES; i++) {
			int index = i;
			KeySpaceStore store = this.instances.get(i);
			results.add(CompletableFuture.supplyAsync(() -> {
				try {
					start.await();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
				return task.run(index, store);
			}, (command) -> new Thread(command).start()));
		}
		return results.stream().map(CompletableFuture::join).toList();
	}

	/**
	 * A task that an instance runs.
	 *
	 * @param <T> the type of the result
	 */
	protected interface Task<T> {

		/**
		 * Run the task.
		 * @param index the index of the instance, from 0 to 7
		 * @param store the store of the instance
		 * @return the result
		 */
		T run(int index, KeySpaceStore store);

	}

}
