package dev.idspring.block;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.keyspace.KeySteps;
import dev.idspring.store.OrdinalRange;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Lane}.
 */
class LaneTests {

	private final Lane lane = Lane.create();

	@Test
	void keysAreStepsApart() {
		this.lane.fill(7, 6, 100, new KeySteps(100, 3, 5));
		for (long key : new long[] { 100, 103, 101, 104, 102, 100 }) {
			assertThat(take()).isEqualTo(key);
		}
		assertThat(take()).isEqualTo(Lane.NONE);
	}

	@Test
	void keysOfTheLargestModulusDoNotOverflow() {
		long modulus = 1L << 62;
		this.lane.fill(0, 3, modulus - 1, new KeySteps(0, modulus - 1, modulus));
		assertThat(take()).isEqualTo(modulus - 1);
		assertThat(take()).isEqualTo(modulus - 2);
		assertThat(take()).isEqualTo(modulus - 3);
	}

	@Test
	void severalKeysAreTheSameAsOneByOne() {
		this.lane.fill(7, 6, 100, new KeySteps(100, 3, 5));
		long[] into = { -1, -1, -1, -1 };
		take();
		this.lane.take(into, 3);
		assertThat(into).containsExactly(103, 101, 104, -1);
		assertThat(this.lane.left()).isEqualTo(2);
		assertThat(take()).isEqualTo(102);
	}

	@Test
	void whatIsLeftIsDrainedOnce() {
		this.lane.fill(7, 6, 100, new KeySteps(100, 3, 5));
		take();
		List<OrdinalRange> drained = new ArrayList<>();
		this.lane.drain(drained);
		this.lane.drain(drained);
		assertThat(drained).containsExactly(new OrdinalRange(8, 13));
		assertThat(take()).isEqualTo(Lane.NONE);
	}

	@Test
	void guardLetsOneIn() {
		assertThat(this.lane.tryEnter()).isTrue();
		assertThat(this.lane.tryEnter()).isFalse();
		this.lane.leave();
		assertThat(this.lane.tryEnter()).isTrue();
	}

	private long take() {
		return this.lane.take((lane) -> {
		});
	}

}
