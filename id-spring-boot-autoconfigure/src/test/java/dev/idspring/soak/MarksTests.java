package dev.idspring.soak;

import java.time.Instant;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Marks}.
 */
class MarksTests {

	private final IdGenerator generator = mock(IdGenerator.class);

	@Test
	void acceptsIdsOutOfOrderWithinTheWindow() {
		Marks marks = new Marks("sequential");
		assertThat(isNew(marks, 2)).isTrue();
		assertThat(isNew(marks, 1)).isTrue();
		assertThat(isNew(marks, 2)).isFalse();
	}

	@Test
	void windowAdvancesToTheHighestId() {
		Marks marks = new Marks("sequential");
		assertThat(isNew(marks, 7)).isTrue();
		assertThat(isNew(marks, 4_000_007)).isTrue();
		assertThat(isNew(marks, 4_000_006)).isTrue();
		assertThat(isNew(marks, 4_000_007)).isFalse();
		assertThat(isNew(marks, 7)).isFalse();
	}

	@Test
	void eachSeriesIncreasesIndependently() {
		Marks marks = new Marks("recycled");
		assertThat(isNew(marks, Marks.SERIES_SIZE + 5)).isTrue();
		assertThat(isNew(marks, 5)).isTrue();
		assertThat(isNew(marks, Marks.SERIES_SIZE + 6)).isTrue();
		assertThat(isNew(marks, 5)).isFalse();
	}

	@Test
	void eachNodeIncreasesIndependently() {
		Marks marks = new Marks("snowflake");
		assertThat(isNew(marks, time(1, 10, 1, 0))).isTrue();
		assertThat(isNew(marks, time(2, 9, 2, 0))).isTrue();
		assertThat(isNew(marks, time(3, 10, 1, 1))).isTrue();
		assertThat(isNew(marks, time(3, 10, 1, 1))).isFalse();
		assertThat(isNew(marks, time(4, 9, 1, 7))).isFalse();
	}

	@Test
	void randomTailIsUniqueWithinAMillisecond() {
		Marks marks = new Marks("decimal-uid");
		assertThat(isNew(marks, time(1, 10, 1, 5))).isTrue();
		assertThat(isNew(marks, time(2, 10, 1, 3))).isTrue();
		assertThat(isNew(marks, time(1, 10, 1, 5))).isFalse();
		assertThat(isNew(marks, time(3, 11, 1, 5))).isTrue();
		assertThat(isNew(marks, time(4, 10, 1, 6))).isFalse();
	}

	private boolean isNew(Marks marks, long id) {
		return marks.isNew(this.generator, id);
	}

	private long time(long id, long millis, long node, long tail) {
		given(this.generator.describe(id))
			.willReturn(IdDescription.ofTime(id, "", Instant.ofEpochMilli(millis), node, tail));
		return id;
	}

}
