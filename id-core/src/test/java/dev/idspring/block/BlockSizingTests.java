package dev.idspring.block;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BlockSizing}.
 */
class BlockSizingTests {

	private static final long MANY_KEYS = Long.MAX_VALUE;

	private static final Duration SHORT_RESERVATION = Duration.ofMillis(1);

	private final BlockSizing sizing = sizing(1_000_000, Duration.ZERO);

	private long issued;

	private long nanos;

	@ParameterizedTest
	@CsvSource({ "10, 1, 1000", "1500, 1, 2000", "100000, 1, 128000", "100000, 250, 128000", "100000, 1000, 512000",
			"100000000, 1, 1000000" })
	void blockLastsAtLeastASecondAndAtLeastFourReservationsUnlessLimited(long idsPerSecond, long reservationMillis,
			long size) {
		for (int i = 0; i < 20; i++) {
			use(this.sizing, idsPerSecond, Duration.ofSeconds(1), Duration.ofMillis(reservationMillis));
		}
		assertThat(this.sizing.next(MANY_KEYS)).isEqualTo(size);
	}

	@Test
	void reservationAtMostDoublesTheBlock() {
		use(this.sizing, 1_000_000_000, Duration.ofMillis(1), SHORT_RESERVATION);
		assertThat(this.sizing.next(MANY_KEYS)).isEqualTo(2_000);
	}

	@Test
	void largestBlockGrowsToItsLimit() {
		BlockSizing largest = new BlockSizing(
				new BlockSettings(1L << 62, Long.MAX_VALUE, Duration.ofSeconds(5), Duration.ZERO), 0);
		largest.observe(Long.MAX_VALUE, 1, SHORT_RESERVATION);
		assertThat(largest.next(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE / 32);
	}

	@Test
	void blockShrinksToItsInitialSizeWhenTheRateFalls() {
		use(this.sizing, 100_000, Duration.ofSeconds(1), SHORT_RESERVATION, 7);
		assertThat(this.sizing.next(MANY_KEYS)).isEqualTo(128_000);
		use(this.sizing, 5_000, Duration.ofSeconds(10), SHORT_RESERVATION, 10);
		assertThat(this.sizing.next(MANY_KEYS)).as("a block lasts less than 30 seconds").isEqualTo(128_000);
		use(this.sizing, 100, Duration.ofSeconds(10), SHORT_RESERVATION);
		assertThat(this.sizing.next(MANY_KEYS)).isEqualTo(64_000);
		use(this.sizing, 1, Duration.ofSeconds(10), SHORT_RESERVATION, 10);
		assertThat(this.sizing.next(MANY_KEYS)).isEqualTo(1_000);
	}

	@Test
	void blockDoesNotShrinkWhileTheStoreGrantsLessThanRequested() {
		use(this.sizing, 100_000, Duration.ofSeconds(1), SHORT_RESERVATION, 7);
		use(this.sizing, 1_000, Duration.ofMillis(5), SHORT_RESERVATION, 10);
		assertThat(this.sizing.next(MANY_KEYS)).isEqualTo(128_000);
	}

	@Test
	void sizeDoesNotChangeWhenNoIdsAreIssued() {
		use(this.sizing, 0, Duration.ofMillis(1), Duration.ofSeconds(10), 10);
		assertThat(this.sizing.next(MANY_KEYS)).isEqualTo(1_000);
		assertThat(this.sizing.leastInMemory(MANY_KEYS)).isZero();
	}

	@Test
	void minimumInMemoryLastsForTwoReservations() {
		use(this.sizing, 100_000, Duration.ofSeconds(1), Duration.ofMillis(50), 20);
		assertThat(this.sizing.leastInMemory(MANY_KEYS)).isEqualTo(10_000);
	}

	@Test
	void minimumInMemoryIsAtMostOneBlock() {
		use(this.sizing, 1_000_000_000, Duration.ofMillis(1), Duration.ofSeconds(1));
		assertThat(this.sizing.leastInMemory(MANY_KEYS)).isEqualTo(this.sizing.next(MANY_KEYS)).isEqualTo(2_000);
	}

	@Test
	void blockIsSmallWhenFewKeysRemain() {
		use(this.sizing, 100_000, Duration.ofSeconds(1), Duration.ofSeconds(1), 20);
		assertThat(this.sizing.next(320_000)).isEqualTo(10_000);
		assertThat(this.sizing.leastInMemory(320_000)).isEqualTo(10_000);
		assertThat(this.sizing.next(5)).isOne();
	}

	@Test
	void outageReserveIsAddedToABlock() {
		BlockSizing sizing = sizing(1_000_000, Duration.ofMinutes(1));
		use(sizing, 500, Duration.ofSeconds(1), SHORT_RESERVATION, 20);
		assertThat(sizing.leastInMemory(MANY_KEYS)).isEqualTo(60 * 500 + 1_000);
	}

	private void use(BlockSizing sizing, long idsPerSecond, Duration duration, Duration reservation, int times) {
		for (int i = 0; i < times; i++) {
			use(sizing, idsPerSecond, duration, reservation);
		}
	}

	private void use(BlockSizing sizing, long idsPerSecond, Duration duration, Duration reservation) {
		this.issued += idsPerSecond * duration.toMillis() / 1000;
		this.nanos += duration.toNanos();
		sizing.observe(this.issued, this.nanos, reservation);
	}

	private static BlockSizing sizing(long maxSize, Duration outageReserve) {
		return new BlockSizing(new BlockSettings(1_000, maxSize, Duration.ofSeconds(5), outageReserve), 0);
	}

}
