package dev.idspring.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.OpenedKeySpace;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.text.Alphabet;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.TestTimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BlockEngine} with a store that takes its time or grants less than it
 * is asked for.
 */
class DistantStoreTests {

	private static final Deadline DEADLINE = Deadline.in(Duration.ofMinutes(10));

	private static final String NAME = "test";

	private static final int MILLION_A_SECOND = 1_000;

	private final ScriptedStore store = new ScriptedStore();

	private final TestTimeSource time = new TestTimeSource();

	private final ManualStoreExecutor supply = new ManualStoreExecutor();

	@ParameterizedTest
	@CsvSource({ "50, 9000000000", "50, 60000", "200, 220000", "5, 9000000000", "200, 9000000000", "1000, 9000000000" })
	@FewInvocations(3)
	void issuesAMillionIdsASecondWithoutWaiting(long reservationMillis, long largestGrant) {
		Link link = new Link(server(12, BlockSettings.defaults()), Duration.ofMillis(reservationMillis));
		this.store.largestGrant = largestGrant;
		link.draw(Duration.ofSeconds(15), MILLION_A_SECOND);
		assertThat(link.waits).as("while blocks grow").isPositive();
		link.waits = 0;
		link.draw(Duration.ofSeconds(10), MILLION_A_SECOND);
		assertThat(link.waits).isZero();
	}

	@Test
	void blocksShrinkWhenTheUseFalls() {
		BlockEngine server = server(12, BlockSettings.defaults());
		Link link = new Link(server, Duration.ofMillis(50));
		link.draw(Duration.ofSeconds(2), MILLION_A_SECOND);
		assertThat(server.snapshot().block().size()).isGreaterThanOrEqualTo(1_000_000);
		link.draw(Duration.ofMinutes(5), 10);
		assertThat(server.snapshot().block().size()).isLessThanOrEqualTo(300_000);
	}

	@Test
	void burstAfterAPauseReservesNoMoreThanTwoBlocks() {
		BlockEngine server = server(12, settings());
		server.start();
		this.supply.run();
		this.store.beforeReserve = () -> this.time.advance(Duration.ofMillis(200));
		take(server, 600);
		this.time.advance(Duration.ofNanos(1_000));
		this.supply.run();
		take(server, 1_500);
		this.supply.run();
		BlockSnapshot block = server.snapshot().block();
		assertThat(block.size()).isEqualTo(4_000);
		assertThat(block.remaining() + block.ahead()).isLessThanOrEqualTo(2 * block.size());
	}

	@Test
	void issuesEveryKeyWhenTheStoreGrantsOneAtATime() {
		BlockEngine server = server(2, settings());
		this.supply.immediate();
		this.store.largestGrant = 1;
		assertThat(take(server, 100)).isEqualTo(LongStream.range(0, 100).boxed().toList());
		assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(server::take);
	}

	@Test
	void bulkCallIsServedBySeveralGrants() {
		BlockEngine server = server(6, settings());
		this.supply.immediate();
		this.store.largestGrant = 100;
		assertThat(size(server.take(950))).isEqualTo(950);
		assertThat(server.snapshot().block().exhaustions()).isOne();
	}

	@Test
	void bulkCallThatTimesOutLeavesItsGrantsToOtherCallers() {
		BlockEngine server = server(6, settings());
		this.supply.immediate();
		this.store.largestGrant = 100;
		this.store.beforeReserve = () -> this.time.advance(Duration.ofSeconds(1));
		assertThatExceptionOfType(IdStoreUnavailableException.class).isThrownBy(() -> server.take(950))
			.withMessageContaining("granted less");
		assertThat(this.store.sizes()).as("within five seconds").containsExactly(100L, 100L, 100L, 100L, 100L);
		assertThat(size(server.take(500))).isEqualTo(500);
	}

	@Test
	void waitingCallersAreServedBySuccessiveGrants() {
		BlockEngine server = server(6, settings());
		this.store.largestGrant = 1;
		List<CompletableFuture<Long>> callers = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			callers.add(CompletableFuture.supplyAsync(server::take, (task) -> new Thread(task).start()));
		}
		Awaitility.await().until(() -> server.snapshot().block().exhaustions() == 16);
		Awaitility.await().until(() -> {
			this.supply.run();
			return callers.stream().allMatch(CompletableFuture::isDone);
		});
		assertThat(callers.stream().map(CompletableFuture::join))
			.containsExactlyInAnyOrderElementsOf(LongStream.range(0, 16).boxed().toList());
		assertThat(server.snapshot().block().exhaustions()).as("each caller is counted once").isEqualTo(16);
	}

	private BlockEngine server(int digits, BlockSettings settings) {
		KeySpace keySpace = new CoprimeSettings(Alphabet.of("0123456789"), digits, digits, null, 0).resolve(null);
		this.store.memory.create(NAME, keySpace.definition(), keySpace.capacity(), DEADLINE);
		StoredKeySpace stored = new StoredKeySpace(NAME, keySpace.definition(), keySpace.capacity(), 0);
		SharedCounter counter = new SharedCounter(NAME, stored, keySpace, this.store);
		ReservedKeySpace opened = new ReservedKeySpace(new OpenedKeySpace(keySpace, stored), counter,
				new ReservationForecast(NAME, this.store, this.time), this.store);
		return new BlockEngine(NAME, opened, counter, settings, this.time, this.supply,
				new Listeners(NAME, "coprime", List.of()), Stripes.of(keySpace));
	}

	private static BlockSettings settings() {
		return new BlockSettings(1_000, 100_000, Duration.ofSeconds(5), Duration.ZERO);
	}

	private static List<Long> take(BlockEngine server, int count) {
		return LongStream.range(0, count).map((i) -> server.take()).boxed().toList();
	}

	private static long size(List<OrdinalRange> ranges) {
		return ranges.stream().mapToLong(OrdinalRange::size).sum();
	}

	/**
	 * Callers who want ids every millisecond, also while the store is asked. Those who
	 * find none are served later.
	 */
	private final class Link {

		private final BlockEngine server;

		private final Duration reservation;

		private int everyMillisecond;

		private long due;

		private long waits;

		Link(BlockEngine server, Duration reservation) {
			this.server = server;
			this.reservation = reservation;
			DistantStoreTests.this.store.beforeReserve = this::pass;
			server.start();
			DistantStoreTests.this.supply.run();
		}

		void draw(Duration duration, int everyMillisecond) {
			this.everyMillisecond = everyMillisecond;
			long end = DistantStoreTests.this.time.nanoTime() + duration.toNanos();
			while (DistantStoreTests.this.time.nanoTime() < end) {
				draw();
				DistantStoreTests.this.supply.run();
			}
		}

		private void pass() {
			for (int i = 0; i < this.reservation.toMillis(); i++) {
				draw();
			}
		}

		private void draw() {
			DistantStoreTests.this.time.advance(Duration.ofMillis(1));
			this.due += this.everyMillisecond;
			BlockSnapshot block = this.server.snapshot().block();
			long there = block.remaining() + block.ahead();
			this.waits += (there < this.due) ? 1 : 0;
			for (long i = Math.min(there, this.due); i > 0; i--) {
				this.server.take();
				this.due--;
			}
		}

	}

}
