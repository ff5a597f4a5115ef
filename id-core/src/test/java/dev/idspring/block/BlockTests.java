package dev.idspring.block;

import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Block}.
 */
class BlockTests {

	@Test
	void lastBlockOfTheLargestKeySpaceDoesNotOverflow() {
		Block block = Block.of(new OrdinalRange(Long.MAX_VALUE - 3, Long.MAX_VALUE));
		assertThat(block.take()).isEqualTo(Long.MAX_VALUE - 3);
		assertThat(block.take(3)).isEqualTo(Block.NONE);
		assertThat(block.becomesHalfUsed(Long.MAX_VALUE - 3, 3)).isTrue();
		assertThat(block.take(2)).isEqualTo(Long.MAX_VALUE - 2);
		for (int i = 0; i < 1_000; i++) {
			assertThat(block.take()).isEqualTo(Block.NONE);
			assertThat(block.take(1)).isEqualTo(Block.NONE);
		}
		assertThat(block.remaining()).isZero();
		assertThat(block.isHalfUsed()).isTrue();
		assertThat(block.drain().isEmpty()).isTrue();
	}

	@Test
	void drainedBlockIsUsedUp() {
		Block block = Block.of(new OrdinalRange(10, 20));
		block.take();
		assertThat(block.drain()).isEqualTo(new OrdinalRange(11, 20));
		assertThat(block.take()).isEqualTo(Block.NONE);
		assertThat(block.drain()).isEqualTo(new OrdinalRange(20, 20));
	}

	@Test
	void leftoverCountsAsHalfUsedFromTheStart() {
		Block block = Block.leftover(new OrdinalRange(0, 10));
		assertThat(block.isHalfUsed()).isTrue();
		assertThat(block.becomesHalfUsed(0, 10)).as("reaching the middle is not reported again").isFalse();
		assertThat(block.take()).isZero();
		assertThat(block.remaining()).isEqualTo(9);
		assertThat(block.reservedSize()).isEqualTo(10);
	}

}
