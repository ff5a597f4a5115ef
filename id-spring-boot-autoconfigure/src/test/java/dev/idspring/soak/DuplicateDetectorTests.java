package dev.idspring.soak;

import java.time.Instant;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DuplicateDetector}.
 */
class DuplicateDetectorTests {

	private final IdGenerator generator = mock(IdGenerator.class);

	@Test
	void acceptsIdsOutOfOrderWithinTheWindow() {
		DuplicateDetector detector = new DuplicateDetector("sequential");
		assertThat(isNew(detector, 2)).isTrue();
		assertThat(isNew(detector, 1)).isTrue();
		assertThat(isNew(detector, 2)).isFalse();
	}

	@Test
	void windowAdvancesToTheHighestId() {
		DuplicateDetector detector = new DuplicateDetector("sequential");
		assertThat(isNew(detector, 7)).isTrue();
		assertThat(isNew(detector, 4_000_007)).isTrue();
		assertThat(isNew(detector, 4_000_006)).isTrue();
		assertThat(isNew(detector, 4_000_007)).isFalse();
		assertThat(isNew(detector, 7)).isFalse();
	}

	@Test
	void eachSeriesIncreasesIndependently() {
		DuplicateDetector detector = new DuplicateDetector("recycled");
		assertThat(isNew(detector, DuplicateDetector.SERIES_SIZE + 5)).isTrue();
		assertThat(isNew(detector, 5)).isTrue();
		assertThat(isNew(detector, DuplicateDetector.SERIES_SIZE + 6)).isTrue();
		assertThat(isNew(detector, 5)).isFalse();
	}

	@Test
	void eachNodeIncreasesIndependently() {
		DuplicateDetector detector = new DuplicateDetector("snowflake");
		assertThat(isNew(detector, time(1, 10, 1, 0))).isTrue();
		assertThat(isNew(detector, time(2, 9, 2, 0))).isTrue();
		assertThat(isNew(detector, time(3, 10, 1, 1))).isTrue();
		assertThat(isNew(detector, time(3, 10, 1, 1))).isFalse();
		assertThat(isNew(detector, time(4, 9, 1, 7))).isFalse();
	}

	@Test
	void randomTailIsUniqueWithinAMillisecond() {
		DuplicateDetector detector = new DuplicateDetector("decimal-uid");
		assertThat(isNew(detector, time(1, 10, 1, 5))).isTrue();
		assertThat(isNew(detector, time(2, 10, 1, 3))).isTrue();
		assertThat(isNew(detector, time(1, 10, 1, 5))).isFalse();
		assertThat(isNew(detector, time(3, 11, 1, 5))).isTrue();
		assertThat(isNew(detector, time(4, 10, 1, 6))).isFalse();
	}

	private boolean isNew(DuplicateDetector detector, long id) {
		return detector.isNew(this.generator, id);
	}

	private long time(long id, long millis, long node, long tail) {
		given(this.generator.describe(id))
			.willReturn(IdDescription.ofTime(id, "", Instant.ofEpochMilli(millis), node, tail));
		return id;
	}

}
