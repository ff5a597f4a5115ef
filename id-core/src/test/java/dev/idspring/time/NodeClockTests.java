package dev.idspring.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;

import dev.idspring.ClockException;
import dev.idspring.worker.TestTimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NodeClock}.
 */
class NodeClockTests {

	private final TestTimeSource time = new TestTimeSource();

	private final NodeClock clock = new NodeClock(this.time, Duration.ofMinutes(1), false);

	private final NodeClock clockWithoutStore = new NodeClock(this.time, Duration.ofMinutes(1), true);

	private long wallMillis() {
		return this.time.millis();
	}

	/**
	 * Compare the clock with the clock of a store. The store's clock is ahead of the wall
	 * clock by the given time.
	 */
	private void compare(Duration storeIsAheadBy) {
		this.clock.compare(this.time.instant().plus(storeIsAheadBy), this.clock.read());
	}

	@Test
	void followsTheWallClock() {
		for (int i = 0; i < 100; i++) {
			this.time.advance(Duration.ofMillis(i));
			assertThat(this.clock.read().millis()).isEqualTo(wallMillis());
			assertThat(this.clock.read().trusted()).isTrue();
		}
		assertThat(this.clock.jumps()).isZero();
	}

	@Test
	void smallJumpAheadIsFollowed() {
		this.time.jump(Duration.ofSeconds(40));
		assertThat(this.clock.read().trusted()).isTrue();
		assertThat(this.clock.read().millis()).isEqualTo(wallMillis());
		assertThat(this.clock.jumps()).isEqualTo(1);
	}

	@Test
	void timeRunsAtFullSpeedThenAtHalfSpeedAfterASmallJumpBack() {
		long before = this.clock.read().millis();
		this.time.jump(Duration.ofSeconds(-40));
		assertThat(this.clock.read().millis()).isEqualTo(before);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.clock.read().millis()).as("time advances as if the clock had not jumped")
			.isEqualTo(before + 10_000);
		assertThat(this.clock.read().trusted()).isTrue();
		compare(Duration.ofSeconds(40));
		for (int i = 1; i <= 80; i++) {
			this.time.advance(Duration.ofSeconds(1));
			assertThat(this.clock.read().millis()).isBetween(before + 10_000 + i * 500L - 1,
					before + 10_000 + i * 500L);
		}
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.clock.read().millis()).as("the wall clock has caught up").isEqualTo(wallMillis());
		assertThat(this.clock.jumps()).isEqualTo(1);
	}

	@Test
	void speedDoesNotDependOnTheNumberOfReadings() {
		this.time.jump(Duration.ofSeconds(-40));
		this.clock.read();
		compare(Duration.ofSeconds(40));
		long before = this.clock.read().millis();
		for (int i = 0; i < 10_000; i++) {
			this.time.advance(Duration.ofMillis(1));
			this.clock.read();
		}
		assertThat(this.clock.read().millis()).isBetween(before + 4_990, before + 5_000);
	}

	@Test
	void timeNeverGoesBack() {
		Random random = new Random(1);
		long last = 0;
		for (int i = 0; i < 100_000; i++) {
			this.time.advance(Duration.ofMillis(random.nextInt(100)));
			switch (random.nextInt(50)) {
				case 0 -> this.time.jump(Duration.ofMillis(random.nextInt(120_000) - 60_000));
				case 1 -> this.time.jump(Duration.ofMinutes(random.nextInt(120) - 60));
				case 2 -> {
					try {
						this.clock.compare(this.time.instant(), this.clock.read());
					}
					catch (ClockException ex) {
						throw new IllegalStateException("the clock agrees with the store", ex);
					}
				}
				default -> {
				}
			}
			long now = this.clock.read().millis();
			assertThat(now).isGreaterThanOrEqualTo(last);
			last = now;
		}
	}

	@Test
	void jumpBeyondTheMaximumSkewIsNotTrustedUntilTheClockIsCorrected() {
		long before = this.clock.read().millis();
		this.time.jump(Duration.ofDays(365));
		assertThat(this.clock.read().trusted()).isFalse();
		assertThat(this.clock.read().millis()).as("time does not follow the jump").isEqualTo(before);
		assertThat(this.clock.untrustedClockException()).hasMessageContaining("jumped forwards by 365d")
			.hasMessageContaining("maxSkew (1m)");
		this.time.advance(Duration.ofSeconds(5));
		this.time.jump(Duration.ofDays(-365));
		assertThat(this.clock.read().trusted()).isTrue();
		assertThat(this.clock.read().millis()).isEqualTo(before + 5_000);
		this.time.jump(Duration.ofHours(-1));
		assertThat(this.clock.read().trusted()).isFalse();
		assertThat(this.clock.untrustedClockException()).hasMessageContaining("jumped backwards by 1h");
		assertThat(this.clock.jumps()).isEqualTo(3);
	}

	/**
	 * The maximum skew limits the difference from the store's clock, not the size of a
	 * single jump.
	 */
	@Test
	void jumpsAddToThePreviousSkew() {
		this.time.jump(Duration.ofSeconds(40));
		compare(Duration.ofSeconds(-40));
		this.time.jump(Duration.ofSeconds(20));
		assertThat(this.clock.read().trusted()).isTrue();
		this.time.jump(Duration.ofMillis(1));
		assertThat(this.clock.read().trusted()).isFalse();
		this.time.jump(Duration.ofSeconds(-100).plusMillis(-1));
		assertThat(this.clock.read().trusted()).as("the clock is now 40 seconds behind").isTrue();
	}

	/**
	 * While a machine is suspended, only its wall clock advances.
	 */
	@Test
	void clockIsTrustedAgainIfTheStoreAgrees() {
		this.clock.read();
		this.time.jump(Duration.ofHours(5));
		assertThat(this.clock.read().trusted()).isFalse();
		compare(Duration.ZERO);
		assertThat(this.clock.read().trusted()).isTrue();
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.clock.read().millis()).isEqualTo(wallMillis());
	}

	@Test
	void clockBeyondTheMaximumSkewIsNotTrusted() {
		compare(Duration.ofSeconds(60));
		assertThat(this.clock.skew()).isEqualTo(Duration.ofSeconds(-60));
		compare(Duration.ofSeconds(-60));
		assertThat(this.clock.skew()).isEqualTo(Duration.ofSeconds(60));
		assertThatExceptionOfType(ClockException.class).isThrownBy(() -> compare(Duration.ofMillis(60_001)))
			.withMessageContaining("61s behind the clock of the store")
			.withMessageContaining("maxSkew (1m)");
		assertThatExceptionOfType(ClockException.class).isThrownBy(() -> compare(Duration.ofDays(-365)))
			.withMessageContaining("365d ahead of the clock of the store");
		assertThat(this.clock.isTrusted(this.clock.read())).as("not trusted until it is compared again").isFalse();
		compare(Duration.ZERO);
		assertThat(this.clock.isTrusted(this.clock.read())).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT5H", "PT-5H", "PT5H44M10S", "PT-8H-45M-30S", "PT14M1S", "PT26H" })
	void differenceNearAMultipleOf15MinutesSuggestsAWrongTimeZone(Duration storeIsAheadBy) {
		assertThatExceptionOfType(ClockException.class).isThrownBy(() -> compare(storeIsAheadBy))
			.withMessageContaining("time zone");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT1M1S", "PT-1M-30S", "PT13M", "PT5H5M", "PT-5H-7M", "P365D" })
	void otherDifferenceDoesNotSuggestAWrongTimeZone(Duration storeIsAheadBy) {
		assertThatExceptionOfType(ClockException.class).isThrownBy(() -> compare(storeIsAheadBy))
			.withMessageNotContaining("time zone");
	}

	@Test
	void jumpByAMultipleOf15MinutesSuggestsAWrongTimeZone() {
		this.clock.read();
		this.time.jump(Duration.ofMinutes(-60));
		assertThat(this.clock.read().trusted()).isFalse();
		assertThat(this.clock.untrustedClockException()).hasMessageContaining("back").hasMessageContaining("time zone");
	}

	/**
	 * The store reads its clock at some time between the request and the answer.
	 */
	@Test
	void responseTimeOfTheStoreIsNotSkew() {
		NodeClock.Reading before = this.clock.read();
		Instant storeTime = this.time.instant().plusSeconds(3);
		this.time.advance(Duration.ofSeconds(300));
		this.clock.compare(storeTime, before);
		assertThat(this.clock.skew()).isZero();
	}

	@Test
	void jumpWhileTheStoreAnswersIsDetected() {
		for (int days : new int[] { 365, -365 }) {
			NodeClock.Reading before = this.clock.read();
			this.time.advance(Duration.ofSeconds(1));
			Instant storeTime = this.time.instant();
			this.time.jump(Duration.ofDays(days));
			this.time.advance(Duration.ofSeconds(1));
			assertThatExceptionOfType(ClockException.class).isThrownBy(() -> this.clock.compare(storeTime, before))
				.withMessageContaining("365d");
			assertThat(this.clock.isTrusted(this.clock.read())).isFalse();
			this.time.jump(Duration.ofDays(-days));
			assertThat(this.clock.isTrusted(this.clock.read())).as("the clock is correct again").isTrue();
			compare(Duration.ZERO);
		}
	}

	@Test
	void clockWithoutAStoreFollowsSmallJumpsOnly() {
		for (int i = 0; i < 10_000; i++) {
			this.time.advance(Duration.ofSeconds(11));
			this.time.jump(Duration.ofMillis(30));
			assertThat(this.clockWithoutStore.read().trusted()).as("after %s small jumps", i).isTrue();
		}
		assertThat(this.clockWithoutStore.jumps()).isZero();
		this.time.jump(Duration.ofMinutes(2));
		assertThat(this.clockWithoutStore.read().trusted()).isFalse();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.clockWithoutStore.read().trusted()).as("there is no store to compare with").isFalse();
		assertThat(this.clockWithoutStore.untrustedClockException()).hasMessageContaining("restart the application");
	}

	/**
	 * Clock synchronization may slew a clock by a few parts in ten thousand.
	 */
	@Test
	void driftOfAClockThatIsNotReadForDaysIsTolerated() {
		this.clockWithoutStore.read();
		this.time.advance(Duration.ofDays(7));
		this.time.jump(Duration.ofSeconds(302));
		assertThat(this.clockWithoutStore.read().trusted()).isTrue();
	}

}
