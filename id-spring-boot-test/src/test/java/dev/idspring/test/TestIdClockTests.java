package dev.idspring.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.idspring.testsupport.PublicApi;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link TestIdClock}.
 */
class TestIdClockTests {

	private final TestIdClock clock = new TestIdClock(TestIdClock.START);

	@Test
	void doesNotAdvanceByItself() {
		assertThat(this.clock.instant()).isEqualTo("2026-01-01T00:00:00Z").isEqualTo(this.clock.instant());
		assertThat(this.clock.nanoTime()).isZero();
	}

	@Test
	void advanceAndSetAdvanceBothTheWallClockAndTheMonotonicClock() {
		this.clock.advance(Duration.ofSeconds(1));
		this.clock.set(TestIdClock.START.plusSeconds(3));
		assertThat(this.clock.instant()).isEqualTo("2026-01-01T00:00:03Z");
		assertThat(this.clock.millis()).isEqualTo(TestIdClock.START.toEpochMilli() + 3_000);
		assertThat(this.clock.nanoTime()).isEqualTo(3_000_000_000L);
	}

	@Test
	void settingTheTimeBackChangesOnlyTheWallClock() {
		this.clock.advance(Duration.ofSeconds(1));
		this.clock.set(Instant.parse("2025-01-01T00:00:00Z"));
		assertThat(this.clock.instant()).isEqualTo("2025-01-01T00:00:00Z");
		assertThat(this.clock.nanoTime()).isEqualTo(1_000_000_000L);
	}

	@Test
	void sleepAdvancesTheClock() {
		this.clock.sleep(Duration.ofMillis(5));
		assertThat(this.clock.instant()).isEqualTo("2026-01-01T00:00:00.005Z");
	}

	@Test
	void negativeAdvanceIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Duration.ofMillis(-1)))
			.withMessageContaining("PT-0.001S");
	}

	@Test
	void nullIsRejectedWithTheNameOfTheParameter() {
		PublicApi api = new PublicApi().sample(TestIdClock.class, () -> this.clock);
		assertThat(api.violations(TestIdClock.class)).isEmpty();
	}

	@Test
	void timeOutOfRangeIsRejectedAndChangesNothing() {
		for (Duration time : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(110_000))) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(time))
				.withMessageContaining("292 years");
		}
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.set(Instant.MAX));
		assertThat(this.clock.instant()).isEqualTo(TestIdClock.START);
	}

}
