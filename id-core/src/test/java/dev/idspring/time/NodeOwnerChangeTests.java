package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.idspring.time.SnowflakeSettings.Preset;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the ids that generators issue before and after a node changes its owner. The
 * first owner has released the node, or has lost it.
 */
class NodeOwnerChangeTests extends AbstractTimeIdGeneratorTests {

	@Test
	void releasedNodeContinuesAfterItsLastUsedTime() {
		TimeIdGenerator first = open(builder(STANDARD));
		TimeIdGenerator other = open(builder(STANDARD));
		first.nextLong();
		other.nextLong();
		Instant last = this.time.instant();
		other.close();
		assertThat(reservedUntil(1)).isEqualTo(last.plusMillis(1));
		TimeIdGenerator next = open(builder(STANDARD));
		assertThat(node(next).number()).isEqualTo(1);
		assertThat(next.describe(next.nextLong()).time()).as("later than the millisecond that was used").isAfter(last);
		this.time.advance(Duration.ofMillis(7));
		assertThat(next.describe(next.nextLong()).time()).as("no caller waited").isEqualTo(this.time.instant());
	}

	@Test
	void unusedNodeIsReleasedUnchanged() {
		TimeIdGenerator first = open(builder(STANDARD));
		Instant start = node(first).windowStart();
		first.close();
		assertThat(reservedUntil(0)).isEqualTo(start);
	}

	@Test
	void lostNodeIsReplacedAndIdsStillIncrease() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator frozenInstance = open(builder(STANDARD), executor);
		long before = frozenInstance.nextLong();
		this.time.advance(LEASE.plusSeconds(5));
		TimeIdGenerator successor = open(builder(STANDARD));
		assertThat(node(successor).number()).isZero();
		Set<Long> seen = new HashSet<>(Set.of(before));
		// the successor uses only times after those that the frozen instance reserved
		assertThat(seen.add(successor.nextLong())).isTrue();
		executor.runDelayed();
		assertThat(this.events).contains("lost 0");
		assertThat(node(frozenInstance).number()).isEqualTo(1);
		long after = frozenInstance.nextLong();
		assertThat(seen.add(after)).isTrue();
		assertThat(after).isGreaterThan(before);
	}

	@Test
	void idsIncreaseAcrossAChangeOfNodesAfterABurst() {
		TimeScheme oneIdPerMillisecond = new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 10, 0,
				Tail.SEQUENCE)
			.scheme();
		TimeIdGenerator.Builder builder = builder(oneIdPerMillisecond)
			.clock(new ClockSettings(Duration.ofHours(1), Duration.ofMinutes(1)));
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder, executor);
		long[] burst = ids.nextLongs(120_000);
		this.time.advance(LEASE.plusSeconds(5));
		open(builder);
		executor.runDelayed();
		assertThat(this.events).contains("lost 0");
		assertThat(ids.nextLong()).isGreaterThan(burst[burst.length - 1]);
	}

	/**
	 * The owner of a node is frozen and does not renew its lease. A successor claims the
	 * node. The owner resumes while the successor draws.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void frozenOwnerAndItsSuccessorNeverIssueTheSameId(Tail tail) {
		Preset preset = Preset.STANDARD;
		TimeScheme scheme = new SnowflakeSettings(preset.settings().epoch(), 41, 10, 2, tail).scheme();
		TestTimeSource instanceTime = new TestTimeSource();
		TimeIdGenerator frozenInstance = open(builder(scheme).timeSource(instanceTime), new ManualStoreExecutor());
		Set<Long> seen = new HashSet<>();
		assertThat(seen.add(frozenInstance.nextLong())).isTrue();
		// during the freeze, the clocks of the owner stop; then they catch up gradually
		this.time.advance(LEASE.plusSeconds(2));
		TimeIdGenerator successor = open(builder(scheme));
		for (int i = 0; i < 20_000; i++) {
			assertThat(seen.add(frozenInstance.nextLong())).isTrue();
			assertThat(seen.add(successor.nextLong())).isTrue();
			instanceTime.advance(Duration.ofNanos(1_500_000));
			this.time.advance(Duration.ofMillis(1));
		}
		assertThat(seen.stream().map((id) -> frozenInstance.describe(id).node()).distinct()).containsExactly(0L);
	}

	/**
	 * Real threads draw while the generator releases its node. They must not get an id
	 * that the next owner of the node also issues.
	 */
	@ParameterizedTest
	@EnumSource(Tail.class)
	void noIdIsIssuedTwiceWhenNodesChangeOwnersUnderLoad(Tail tail) {
		assertNoDuplicatesWhenNodesChangeOwners(
				new SnowflakeSettings(Preset.STANDARD.settings().epoch(), 41, 1, 3, tail).scheme());
	}

	@Test
	void noIdIsIssuedTwiceWhenNodesWithOneIdPerMillisecondChangeOwners() {
		assertNoDuplicatesWhenNodesChangeOwners(
				new CompositeSettings(Preset.STANDARD.settings().epoch(), false, 1, 0).scheme());
	}

	private void assertNoDuplicatesWhenNodesChangeOwners(TimeScheme scheme) {
		Set<Long> seen = ConcurrentHashMap.newKeySet();
		AtomicLong duplicates = new AtomicLong();
		for (int round = 0; round < 100; round++) {
			TimeIdGenerator ids = open(builder(scheme).timeSource(new RunningTime(this.time))
				.clock(new ClockSettings(Duration.ofHours(1), Duration.ofMinutes(1))));
			AtomicLong drawn = new AtomicLong();
			List<CompletableFuture<Void>> callers = IntStream.range(0, 3)
				.mapToObj((i) -> CompletableFuture.runAsync(() -> {
					try {
						while (true) {
							long[] batch = (i == 0) ? ids.nextLongs(5) : new long[] { ids.nextLong() };
							for (long id : batch) {
								if (!seen.add(id)) {
									duplicates.incrementAndGet();
								}
							}
							drawn.addAndGet(batch.length);
						}
					}
					catch (IllegalStateException ex) {
						// the generator is closed
					}
				}, (task) -> new Thread(task).start()))
				.toList();
			while (drawn.get() < 200 && !callers.stream().allMatch(CompletableFuture::isDone)) {
				Thread.onSpinWait();
			}
			ids.close();
			callers.forEach(CompletableFuture::join);
			this.time.advance(Duration.ofMillis(1));
		}
		assertThat(duplicates).hasValue(0);
		assertThat(seen).hasSizeGreaterThan(20_000);
	}

}
