package dev.idspring.block;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BlockQueue}. One test runs every sequence of six steps.
 */
class BlockQueueTests {

	private static final int STEPS = 6;

	@Test
	void ordinalIsInExactlyOnePlaceAfterAnySequenceOfSixSteps() {
		Step[] steps = Step.values();
		int sequences = (int) Math.pow(steps.length, STEPS);
		for (int sequence = 0; sequence < sequences; sequence++) {
			Model model = new Model();
			List<Step> stepsSoFar = new ArrayList<>();
			for (int i = 0, remaining = sequence; i < STEPS; i++, remaining /= steps.length) {
				Step step = steps[remaining % steps.length];
				stepsSoFar.add(step);
				step.run(model);
				model.verify(stepsSoFar);
			}
		}
	}

	@Test
	void advanceMovesToTheNextBlockIfThereIsOne() {
		BlockQueue queue = new BlockQueue(new SequentialSettings(1, 1_000).resolve(null));
		queue.add(new OrdinalRange(0, 10));
		assertThat(queue.current().take()).isEqualTo(Block.NONE);
		assertThat(queue.advance()).isTrue();
		assertThat(queue.current().take()).isZero();
		assertThat(queue.advance()).as("another block is available").isFalse();
		assertThat(queue.reservedSize()).isEqualTo(10);
	}

	@Test
	void nextBlockIsDueWhenMoreThanHalfOfEachBlockIsUsed() {
		BlockQueue queue = new BlockQueue(new SequentialSettings(1, 1_000).resolve(null));
		queue.add(new OrdinalRange(0, 4));
		queue.advance();
		queue.gather(2);
		assertThat(queue.isHalfUsed()).isFalse();
		queue.gather(1);
		assertThat(queue.isHalfUsed()).isTrue();
		queue.add(new OrdinalRange(4, 8));
		assertThat(queue.isHalfUsed()).isFalse();
		queue.addLeftovers(List.of(new OrdinalRange(8, 9)));
		queue.gather(4);
		assertThat(queue.isHalfUsed()).as("the leftover counts as used").isTrue();
	}

	/**
	 * A queue, and a record of where each ordinal must be.
	 */
	private static final class Model {

		private final BlockQueue queue = new BlockQueue(new SequentialSettings(1, 1_000).resolve(null));

		/** Ordinals that were issued. */
		private final Set<Long> issuedOrdinals = new HashSet<>();

		/** Ranges that were taken for a stripe and have not been issued yet. */
		private final List<OrdinalRange> stripeRanges = new ArrayList<>();

		private long nextOrdinal;

		private long droppedCount;

		void add() {
			this.queue.add(new OrdinalRange(this.nextOrdinal, this.nextOrdinal + 3));
			this.nextOrdinal += 3;
		}

		void take() {
			long ordinal = this.queue.current().take();
			if (ordinal == Block.NONE) {
				this.queue.advance();
			}
			else {
				take(new OrdinalRange(ordinal, ordinal + 1));
			}
		}

		void gather() {
			long before = this.queue.size();
			List<OrdinalRange> ranges = this.queue.gather(4);
			assertThat(BlockQueue.size(ranges)).as("returns all requested ordinals or none")
				.isEqualTo((before >= 4) ? 4 : 0);
			ranges.forEach(this::take);
		}

		private void take(OrdinalRange range) {
			ordinals(List.of(range)).forEach((ordinal) -> assertThat(this.issuedOrdinals.add(ordinal)).isTrue());
		}

		void cut() {
			Block block = this.queue.current();
			long start = block.takeUpTo(2);
			if (start != Block.NONE) {
				this.stripeRanges.add(new OrdinalRange(start, Math.min(start + 2, block.end())));
			}
		}

		void reclaim() {
			this.queue.addLeftovers(this.stripeRanges);
			this.stripeRanges.clear();
		}

		void retain() {
			this.queue.retain(this.queue.drain());
		}

		void drop() {
			long drained = BlockQueue.size(this.queue.drain());
			this.queue.countDropped(drained);
			this.droppedCount += drained + BlockQueue.size(this.queue.retained());
			this.queue.dropRetained();
		}

		void verify(List<Step> stepsSoFar) {
			List<Long> inMemory = new ArrayList<>(ordinals(this.queue.unusedRanges()));
			inMemory.addAll(ordinals(this.queue.retained()));
			inMemory.addAll(ordinals(this.stripeRanges));
			assertThat(inMemory).as("%s", stepsSoFar).doesNotHaveDuplicates().noneMatch(this.issuedOrdinals::contains);
			assertThat(inMemory.size() + this.issuedOrdinals.size() + this.droppedCount).as("%s", stepsSoFar)
				.isEqualTo(this.nextOrdinal);
			assertThat(this.queue.size()).as("%s", stepsSoFar).isEqualTo(BlockQueue.size(this.queue.unusedRanges()));
			assertThat(this.queue.issuedCount(BlockQueue.size(this.stripeRanges))).as("%s", stepsSoFar)
				.isEqualTo(this.issuedOrdinals.size());
		}

		private static List<Long> ordinals(List<OrdinalRange> ranges) {
			return ranges.stream()
				.flatMapToLong((range) -> LongStream.range(range.start(), range.end()))
				.boxed()
				.toList();
		}

	}

	private enum Step {

		ADD {

			@Override
			void run(Model model) {
				model.add();
			}

		},

		TAKE {

			@Override
			void run(Model model) {
				model.take();
			}

		},

		GATHER {

			@Override
			void run(Model model) {
				model.gather();
			}

		},

		CUT {

			@Override
			void run(Model model) {
				model.cut();
			}

		},

		RECLAIM {

			@Override
			void run(Model model) {
				model.reclaim();
			}

		},

		RETAIN {

			@Override
			void run(Model model) {
				model.retain();
			}

		},

		DROP {

			@Override
			void run(Model model) {
				model.drop();
			}

		};

		abstract void run(Model model);

	}

}
