package dev.idspring.time;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;

import dev.idspring.monitor.GeneratorSnapshot.BlockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.ManualStoreExecutor;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TimeReport}: snapshots, the rate at which ids are issued, and reports
 * that a key space is low.
 */
class TimeReportTests extends AbstractTimeIdGeneratorTests {

	@Test
	void snapshotReportsTheRemainderOfTheWindow() {
		TimeIdGenerator ids = open(builder(STANDARD), new ManualStoreExecutor());
		BlockSnapshot fresh = ids.snapshot().block();
		assertThat(fresh.remaining()).isEqualTo(fresh.held());
		this.time.advance(Duration.ofSeconds(10));
		BlockSnapshot later = ids.snapshot().block();
		assertThat(later.remaining()).isEqualTo(later.held() - 10_000 * STANDARD.layout().tails());
	}

	@Test
	void snapshotReportsTheRemainingTimeAndIds() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator ids = open(builder(STANDARD), executor);
		executor.runDelayed();
		for (int i = 0; i < 1_200; i++) {
			ids.nextLongs(50);
			this.time.advance(Duration.ofSeconds(1));
		}
		executor.runDelayed();
		ids.refresh(WAIT);
		GeneratorSnapshot snapshot = ids.snapshot();
		assertThat(snapshot.strategy()).isEqualTo("snowflake");
		assertThat(snapshot.definition()).isEqualTo(STANDARD.definition());
		assertThat(snapshot.series()).isNull();
		TimeLayout layout = STANDARD.layout();
		long left = Duration.between(this.time.instant(), layout.lastInstant()).toMillis() + 1;
		assertThat(snapshot.keySpace().capacity()).hasToString("9223372036854775808");
		assertThat(snapshot.keySpace().remaining())
			.isEqualTo(layout.idsPerNode(left).multiply(BigInteger.valueOf(1_024)));
		assertThat(snapshot.keySpace().exhaustedAt()).isEqualTo(Instant.parse("2093-09-06T15:47:35.551Z"));
		assertThat(snapshot.keySpace().idsPerSecond()).isEqualTo(50);
		assertThat(snapshot.keySpace().timeLeft().remainingOfNode()).isEqualTo(layout.idsPerNode(left));
		assertThat(snapshot.keySpace().timeLeft().expectedOfNode()).isEqualTo(BigInteger.valueOf(left * 50 / 1_000));
		assertThat(snapshot.clock().skew()).isZero();
	}

	@Test
	void rateIncludesAllInstancesAndSurvivesARestart() {
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		TimeIdGenerator permanent = open(builder(STANDARD), executor);
		executor.runDelayed();
		for (int i = 0; i < 3; i++) {
			TimeIdGenerator temporary = open(builder(STANDARD));
			for (int j = 0; j < 60; j++) {
				temporary.nextLongs(500);
				permanent.nextLongs(100);
				this.time.advance(Duration.ofSeconds(10));
				executor.runDelayed();
			}
			temporary.close();
		}
		this.time.advance(Duration.ofHours(1).minusMinutes(30));
		executor.runDelayed();
		KeySpaceSnapshot keySpace = permanent.snapshot().keySpace();
		assertThat(this.keySpaces.keySpaces().get("test").nextOrdinal()).isEqualTo(3 * 60 * 600);
		assertThat(keySpace.idsPerSecond()).isEqualTo(30);
		assertThat(keySpace.timeLeft().expectedOfNode()).isLessThan(keySpace.timeLeft().remainingOfNode());
		double expectedIds = keySpace.timeLeft().expectedOfNode().doubleValue();
		double seconds = Duration.between(this.time.instant(), keySpace.exhaustedAt()).toSeconds();
		assertThat(expectedIds / seconds).isCloseTo(5, Percentage.withPercentage(1));
	}

	@Test
	void lowKeySpaceIsReportedOnceADay() {
		TimeScheme endingScheme = new SnowflakeSettings(this.time.instant(), 30, 10, 12, Tail.SEQUENCE).scheme();
		ManualStoreExecutor executor = new ManualStoreExecutor().runImmediately();
		open(builder(endingScheme), executor);
		for (int minute = 0; minute < 60 * 25; minute++) {
			this.time.advance(Duration.ofMinutes(1));
			executor.runDelayed();
		}
		assertThat(this.events).containsExactly("low", "low");
	}

	@Test
	void lowKeySpaceIsReportedOnRefreshWithoutAStore() {
		TimeScheme endingScheme = new SnowflakeSettings(this.time.instant(), 30, 10, 12, Tail.SEQUENCE).scheme();
		TimeIdGenerator.Builder builder = TimeIdGenerator.builder("test", endingScheme)
			.node(new NodeSettings("fixed", 1L, LEASE))
			.timeSource(this.time)
			.listener(new RecordingListener());
		TimeIdGenerator ids = open(builder);
		this.time.advance(Duration.ofSeconds(2));
		ids.refresh(WAIT).join();
		assertThat(this.events).containsExactly("low");
		ids.refresh(WAIT).join();
		assertThat(this.events).hasSize(1);
		this.time.advance(Duration.ofDays(1));
		ids.refresh(WAIT).join();
		assertThat(this.events).containsExactly("low", "low");
	}

}
