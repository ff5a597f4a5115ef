package dev.idspring.jdbc;

import java.time.Duration;

import dev.idspring.store.FenceLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.idspring.store.FenceLine.HOLD;
import static dev.idspring.store.FenceLine.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FenceLine}: a token bucket that limits how fast a counter advances.
 * From its state, a server that takes over computes how many ordinals it must skip.
 */
class FenceLineTests {

	private static final long MARGIN = 1_000_000;

	private static final long LAG = 5 * SECOND;

	private static final long NOW = 1_790_000_000 * SECOND;

	private static final long CENTURY = Duration.ofDays(36_525).toSeconds() * SECOND;

	private final FenceLine first = FenceLine.first(100, MARGIN, LAG, NOW);

	@Test
	void bucketHoldsTheMargin() {
		assertThat(this.first).isEqualTo(new FenceLine(100, NOW, 20_000, 20_000, 0, 0));
		assertThat(FenceLine.burst(LAG)).isEqualTo(50 * SECOND);
		assertThat(this.first.affordable(NOW, LAG)).isEqualTo(MARGIN);
		assertThat(this.first.wait(MARGIN, NOW, LAG)).isZero();
		assertThat(this.first.wait(MARGIN + 1, NOW, LAG)).isEqualTo(50);
	}

	@Test
	void reservationUsesTime() {
		FenceLine afterReservation = this.first.reserve(400_000, NOW);
		assertThat(afterReservation).isEqualTo(new FenceLine(400_100, NOW + 20 * SECOND, 20_000, 20_000, 0, 0));
		assertThat(afterReservation.affordable(NOW, LAG)).isEqualTo(600_000);
		assertThat(afterReservation.affordable(NOW + 10 * SECOND, LAG)).isEqualTo(800_000);
		assertThat(afterReservation.wait(800_001, NOW, LAG)).isEqualTo(10 * SECOND + 50);
		assertThat(afterReservation.reserve(600_000, NOW).affordable(NOW, LAG)).isZero();
	}

	@Test
	void bucketIsFullAfterAPause() {
		FenceLine afterReservation = this.first.reserve(MARGIN, NOW);
		assertThat(afterReservation.affordable(NOW + 49 * SECOND, LAG)).isEqualTo(980_000);
		assertThat(afterReservation.affordable(NOW + CENTURY, LAG)).isEqualTo(MARGIN);
		assertThat(afterReservation.reserve(1, NOW + CENTURY).time()).isEqualTo(NOW + CENTURY + 50);
	}

	@Test
	void moreThanABucketIsNeverAffordable() {
		assertThat(this.first.wait(MARGIN + 20_000, NOW + CENTURY, LAG)).isEqualTo(SECOND);
	}

	@Test
	void reservesNothingWhenTheClockGoesBack() {
		FenceLine afterReservation = this.first.reserve(MARGIN, NOW);
		assertThat(afterReservation.affordable(NOW - CENTURY, LAG)).isZero();
		assertThat(afterReservation.wait(1, NOW - SECOND, LAG)).isEqualTo(SECOND + 50);
	}

	@ParameterizedTest
	@CsvSource({ "7, 142858", "1000000, 1", "3000000, 1", "999999, 2" })
	void costIsRoundedUp(long rate, long time) {
		FenceLine line = new FenceLine(0, NOW, rate, rate, 0, 0);
		assertThat(line.reserve(1, NOW).time()).isEqualTo(NOW + time);
	}

	@Test
	void giveBackReturnsTheUsedTime() {
		assertThat(this.first.reserve(400_000, NOW).giveBack(400_000)).isEqualTo(this.first);
		FenceLine line = new FenceLine(100, NOW, 7, 7, 0, 0);
		assertThat(line.giveBack(1)).isEqualTo(new FenceLine(99, NOW - 142_857, 7, 7, 0, 0));
	}

	@Test
	void giveBackReturnsTheTimeAtTheRaisedRate() {
		FenceLine afterReservation = this.first.reserve(800_000, NOW);
		FenceLine raised = afterReservation.raise(0, LAG, Long.MAX_VALUE);
		assertThat(raised.giveBack(800_000).time()).isEqualTo(NOW + 36 * SECOND);
	}

	@Test
	void takeOverThatMissedAGiveBackIsAheadOfLaterReservations() {
		FenceLine known = this.first.reserve(MARGIN, NOW).raise(0, LAG, Long.MAX_VALUE);
		FenceLine afterGiveBack = known.giveBack(MARGIN);
		FenceLine afterReservation = afterGiveBack.reserve(afterGiveBack.affordable(NOW + LAG, LAG), NOW + LAG);
		assertThat(known.takeOver(NOW + LAG, LAG, Long.MAX_VALUE).position())
			.isGreaterThan(afterReservation.position());
	}

	@Test
	void raisedRateIsUsedOneLagLater() {
		FenceLine raised = this.first.reserve(300_000, NOW).raise(0, LAG, Long.MAX_VALUE).startRaise(NOW, LAG);
		assertThat(raised.rate()).isEqualTo(20_000);
		assertThat(raised.raised()).isEqualTo(200_000);
		assertThat(raised.affordable(NOW + LAG - 1, LAG)).isEqualTo(799_999);
		assertThat(raised.affordable(NOW + LAG, LAG)).isEqualTo(8_000_000);
		assertThat(raised.reserve(200_000, NOW + LAG).time()).isEqualTo(raised.time() + SECOND);
	}

	@Test
	void storedRaiseIsNotUsedUntilItIsStarted() {
		FenceLine stored = this.first.raise(0, LAG, Long.MAX_VALUE);
		assertThat(stored.isRaiseStored()).isTrue();
		assertThat(stored.rateAt(NOW + CENTURY)).isEqualTo(20_000);
		assertThat(stored.isRaiseDue(NOW, LAG)).isFalse();
		assertThat(stored.followClock(NOW, LAG)).isEmpty();
		assertThat(stored.startRaise(NOW, LAG).isRaiseStored()).isFalse();
	}

	@Test
	void startedRaiseMustBeStartedAgainAfterTheClockWasSetBack() {
		FenceLine started = this.first.raise(0, LAG, Long.MAX_VALUE).startRaise(NOW, LAG);
		assertThat(started.followClock(NOW - 2 * LAG, LAG)).isEmpty();
		FenceLine followed = started.followClock(NOW - 2 * LAG - 1, LAG).orElseThrow();
		assertThat(followed.isRaiseStored()).isTrue();
		assertThat(followed.raised()).isEqualTo(200_000);
	}

	@Test
	void raiseIsDueWhenMoreThanAQuarterOfTheBucketIsUsed() {
		assertThat(this.first.reserve(250_000, NOW).isRaiseDue(NOW, LAG)).isFalse();
		FenceLine afterReservation = this.first.reserve(250_001, NOW);
		assertThat(afterReservation.isRaiseDue(NOW, LAG)).isTrue();
		FenceLine started = afterReservation.raise(0, LAG, Long.MAX_VALUE).startRaise(NOW, LAG);
		assertThat(started.isRaiseDue(NOW + LAG - 1, LAG)).isFalse();
		FenceLine raised = started.reserve(2 * MARGIN, NOW + LAG);
		assertThat(raised.isRaiseDue(NOW + LAG, LAG)).isTrue();
	}

	@Test
	void takeOverSkipsElevenLagsAndThenWaitsForOne() {
		FenceLine afterTakeOver = this.first.takeOver(NOW, LAG, Long.MAX_VALUE);
		assertThat(afterTakeOver)
			.isEqualTo(new FenceLine(1_100_101, NOW + 55 * SECOND + 50, 20_000, 20_000, 0, NOW + HOLD));
		assertThat(afterTakeOver.affordable(NOW + LAG, LAG)).isZero();
		assertThat(afterTakeOver.wait(1, NOW, LAG)).isEqualTo(LAG + 100);
	}

	@Test
	void takeOverOfAnEmptyBucketSkipsOneLag() {
		FenceLine afterTakeOver = this.first.reserve(MARGIN, NOW).takeOver(NOW, LAG, Long.MAX_VALUE);
		assertThat(afterTakeOver.position()).isEqualTo(MARGIN + 100_101);
	}

	@Test
	void takeOverAlsoSkipsTheIdleTime() {
		FenceLine afterTakeOver = this.first.takeOver(NOW + HOLD, LAG, Long.MAX_VALUE);
		assertThat(afterTakeOver.position()).isEqualTo(100 + 20_000 * 3_655 + 1);
	}

	@Test
	void takeOverUsesARaisedRate() {
		FenceLine afterTakeOver = this.first.raise(0, LAG, Long.MAX_VALUE).takeOver(NOW, LAG, Long.MAX_VALUE);
		assertThat(afterTakeOver.position()).isEqualTo(11_000_101);
		assertThat(afterTakeOver.rateAt(NOW)).isEqualTo(200_000);
	}

	@Test
	void secondTakeOverIsAheadOfAllReservationsAfterTheFirst() {
		long end = NOW + 3 * LAG;
		FenceLine afterTakeOver = this.first.takeOver(NOW, LAG, Long.MAX_VALUE);
		FenceLine afterReservation = afterTakeOver.reserve(afterTakeOver.affordable(end, LAG), end);
		assertThat(this.first.takeOver(end, LAG, Long.MAX_VALUE).position())
			.isEqualTo(afterReservation.position() + 100_001);
	}

	@Test
	void idleTimeAccumulatesUntilTheHoldEnds() {
		FenceLine afterTakeOver = this.first.takeOver(NOW, LAG, Long.MAX_VALUE);
		assertThat(afterTakeOver.affordable(NOW + HOLD, LAG)).isEqualTo(20_000 * 3_595 - 1);
		assertThat(afterTakeOver.reserve(20_000, NOW + HOLD).time()).isEqualTo(afterTakeOver.time() + SECOND);
		assertThat(afterTakeOver.affordable(NOW + HOLD + 1, LAG)).isEqualTo(MARGIN);
		assertThat(afterTakeOver.reserve(20_000, NOW + HOLD + 1).time()).isEqualTo(NOW + HOLD + 1 + SECOND);
	}

	@Test
	void rateIsNotRaisedDuringTheHold() {
		FenceLine afterTakeOver = this.first.takeOver(NOW, LAG, Long.MAX_VALUE);
		assertThat(afterTakeOver.isRaiseDue(NOW, LAG)).isFalse();
		FenceLine afterReservation = afterTakeOver.reserve(MARGIN, NOW + HOLD + 1);
		assertThat(afterReservation.isRaiseDue(NOW + HOLD, LAG)).isFalse();
		assertThat(afterReservation.isRaiseDue(NOW + HOLD + 1, LAG)).isTrue();
	}

	@Test
	void takeOverDuringTheHoldStaysOnTheLine() {
		FenceLine afterTakeOver = this.first.takeOver(NOW, LAG, Long.MAX_VALUE);
		FenceLine afterSecondTakeOver = afterTakeOver.takeOver(NOW + HOLD / 2, LAG, Long.MAX_VALUE);
		assertThat(afterSecondTakeOver.position()).isEqualTo(afterTakeOver.position() + 20_000 * 1_800);
		assertThat(afterSecondTakeOver.holdUntil()).isEqualTo(NOW + HOLD + HOLD / 2);
	}

	@Test
	void cappedTakeOverSkipsAShareOfTheRemainingOrdinals() {
		assertThat(this.first.isCapped(NOW, LAG, 64 * 1_100_001)).isFalse();
		assertThat(this.first.isCapped(NOW, LAG, 64 * 1_100_000)).isTrue();
		FenceLine afterTakeOver = this.first.takeOver(NOW, LAG, 64_000);
		assertThat(afterTakeOver.position()).isEqualTo(1_100);
		assertThat(afterTakeOver.time()).isEqualTo(NOW + 55 * SECOND);
		assertThat(this.first.takeOver(NOW, LAG, 0).position()).isEqualTo(101);
	}

	@Test
	void takeOverWithAnEarlierClockSkipsOneOrdinal() {
		FenceLine afterTakeOver = this.first.takeOver(NOW - CENTURY, LAG, Long.MAX_VALUE);
		assertThat(afterTakeOver.position()).isEqualTo(101);
		assertThat(afterTakeOver.time()).isEqualTo(NOW + 50);
	}

	@ParameterizedTest
	@CsvSource({ "1000, 100000, 1000", "1000, 600000000, 1", "1, 600000000, 1", "1000000000000, 600000000, 166666666",
			"9223372036854775807, 1, 1000000000000" })
	void initialRateFollowsFromMarginAndLag(long margin, long lag, long rate) {
		assertThat(FenceLine.first(0, margin, lag, NOW).rate()).isEqualTo(rate);
	}

	@Test
	void rateIsNotRaisedAboveTheMaximum() {
		FenceLine highest = this.first.raise(Long.MAX_VALUE, LAG, Long.MAX_VALUE).startRaise(NOW, LAG);
		assertThat(highest.raised()).isEqualTo(1_000_000_000_000L);
		assertThat(highest.raise(Long.MAX_VALUE, LAG, Long.MAX_VALUE)).isSameAs(highest);
	}

	@Test
	void takeOverAfterARaiseIsNotCappedEvenAfterAPause() {
		long left = 64 * 115 * 40_000;
		FenceLine raised = this.first.raise(Long.MAX_VALUE, LAG, left);
		assertThat(raised.raised()).isEqualTo(40_000);
		assertThat(raised.isCapped(NOW + FenceLine.settled(LAG) - 1, LAG, left)).isFalse();
	}

	@Test
	void loweredRateIsUsedImmediately() {
		FenceLine raised = this.first.raise(0, LAG, Long.MAX_VALUE).startRaise(NOW, LAG);
		assertThat(raised.lower(NOW + LAG - 1, LAG, MARGIN)).isSameAs(raised);
		FenceLine lowered = raised.lower(NOW + LAG, LAG, MARGIN);
		assertThat(lowered.rateAt(NOW + LAG)).isEqualTo(20_000);
		assertThat(lowered.lower(NOW + LAG, LAG, MARGIN)).isSameAs(lowered);
		FenceLine afterTakeOver = raised.takeOver(NOW + LAG, LAG, Long.MAX_VALUE);
		assertThat(afterTakeOver.lower(NOW + LAG + HOLD, LAG, MARGIN)).isSameAs(afterTakeOver);
	}

	@ParameterizedTest
	@CsvSource({ "1, 100000", "1, 600000000", "1000000000000, 100000", "1000000000000, 600000000" })
	void extremeValuesDoNotOverflow(long rate, long lag) {
		FenceLine line = new FenceLine(Long.MAX_VALUE - 1_000, NOW, rate, rate, 0, 0);
		assertThat(line.affordable(NOW + CENTURY, lag)).isEqualTo(rate * (FenceLine.burst(lag) / 1_000) / 1_000);
		FenceLine afterReservation = line.reserve(1_000, NOW + CENTURY);
		assertThat(afterReservation.position()).isEqualTo(Long.MAX_VALUE);
		assertThat(afterReservation.giveBack(1_000).position()).isEqualTo(line.position());
		FenceLine afterTakeOver = line.takeOver(NOW + CENTURY, lag, 1_000);
		assertThat(afterTakeOver.position()).isEqualTo(line.position() + 15);
		FenceLine end = line.takeOver(NOW + CENTURY, lag, Long.MAX_VALUE);
		assertThat(end.position()).isEqualTo(Long.MAX_VALUE);
		assertThat(end.affordable(NOW + CENTURY + HOLD, lag)).isBetween(0L, Long.MAX_VALUE);
		assertThat(line.wait(1_000_000_000_000L, NOW - CENTURY, lag)).isPositive();
	}

	@Test
	void giveBackOfALargeBlockDoesNotOverflow() {
		FenceLine line = new FenceLine(Long.MAX_VALUE, NOW, 1_000_000_000_000L, 1_000_000_000_000L, 0, 0);
		assertThat(line.giveBack(Long.MAX_VALUE / 2).time()).isEqualTo(NOW - 4_611_686_018_427L);
	}

}
