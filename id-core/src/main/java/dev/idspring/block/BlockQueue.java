package dev.idspring.block;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;

/**
 * The ordinals that a {@link BlockEngine} has reserved and not yet handed out, except
 * those in stripes and shared chunks. Callers take from the current block. The blocks in
 * {@link #blocksAhead} become current one after another. This class does no I/O and never
 * waits.
 * <p>
 * Any thread may call {@link #current()}. All other methods must be called by one thread
 * at a time. A call that fails halfway, for example with a StackOverflowError, may lose
 * ordinals but never duplicates any. Each method therefore removes ordinals from their
 * block before it adds them elsewhere, and replaces {@link #blocksAhead} with a single
 * write.
 */
final class BlockQueue {

	private final KeySpace keySpace;

	private volatile Block current = Block.usedUp();

	private List<Block> blocksAhead = List.of();

	/** The unused ordinals of a closed engine, to be given back. */
	private final List<OrdinalRange> retained = new ArrayList<>();

	/** How many ordinals the store has ever reserved for this engine. */
	private long confirmedCount;

	/** How many of the confirmed ordinals will be neither handed out nor given back. */
	private long droppedCount;

	/** The last result of {@link #issuedCount(long)}. */
	private long issuedCount;

	BlockQueue(KeySpace keySpace) {
		this.keySpace = keySpace;
	}

	/**
	 * Return the block that callers take from.
	 */
	Block current() {
		return this.current;
	}

	/**
	 * Return the ordinals that no caller has taken yet.
	 */
	List<OrdinalRange> unusedRanges() {
		return Stream.concat(Stream.of(this.current), this.blocksAhead.stream()).map(Block::unusedRange).toList();
	}

	/**
	 * Count the ordinals of a reserved range, without adding them to this queue.
	 */
	void countConfirmed(OrdinalRange range) {
		this.confirmedCount += range.size();
	}

	/**
	 * Count the ordinals of a reserved range, and add them as blocks. No block crosses a
	 * {@link KeySpace#rangeEnd}.
	 */
	void add(OrdinalRange range) {
		countConfirmed(range);
		List<Block> blocks = new ArrayList<>(this.blocksAhead);
		long start = range.start();
		while (start < range.end()) {
			long end = Math.min(range.end(), this.keySpace.rangeEnd(start));
			blocks.add(Block.of(new OrdinalRange(start, end)));
			start = end;
		}
		this.blocksAhead = List.copyOf(blocks);
	}

	/**
	 * Make the next block the current one if the current one is used up.
	 * @return whether the current block has changed
	 */
	boolean advance() {
		if (this.current.remaining() > 0 || this.blocksAhead.isEmpty()) {
			return false;
		}
		Block next = this.blocksAhead.get(0);
		this.blocksAhead = List.copyOf(this.blocksAhead.subList(1, this.blocksAhead.size()));
		this.current = next;
		return true;
	}

	/**
	 * Take {@code count} ordinals from the current block and the blocks ahead, or none if
	 * fewer are left. This method drains the current block before it counts the ordinals,
	 * so that no other caller can take them meanwhile. The remainder of the last block
	 * that it drains becomes the current block.
	 * @return the ranges; empty if none are taken
	 */
	List<OrdinalRange> gather(int count) {
		Block block = this.current;
		OrdinalRange drained = block.drain();
		if (drained.size() + inBlocksAhead() < count) {
			this.current = block.remainder(drained);
			return List.of();
		}
		List<OrdinalRange> ranges = new ArrayList<>();
		long missing = count;
		int used = 0;
		while (missing > drained.size()) {
			missing -= drained.size();
			addIfNotEmpty(ranges, drained);
			block = this.blocksAhead.get(used++);
			drained = block.drain();
		}
		addIfNotEmpty(ranges, new OrdinalRange(drained.start(), drained.start() + missing));
		List<Block> left = List.copyOf(this.blocksAhead.subList(used, this.blocksAhead.size()));
		Block remainder = block.remainder(new OrdinalRange(drained.start() + missing, drained.end()));
		this.blocksAhead = left;
		this.current = remainder;
		return ranges;
	}

	/**
	 * Add ordinals that were taken from a block but not used.
	 */
	void addLeftovers(List<OrdinalRange> ranges) {
		List<Block> blocks = new ArrayList<>(this.blocksAhead);
		for (OrdinalRange range : ranges) {
			blocks.add(Block.leftover(range));
		}
		this.blocksAhead = List.copyOf(blocks);
	}

	/**
	 * Remove and return all ordinals that no caller has taken.
	 */
	List<OrdinalRange> drain() {
		List<OrdinalRange> drained = new ArrayList<>();
		addIfNotEmpty(drained, this.current.drain());
		for (Block block : this.blocksAhead) {
			addIfNotEmpty(drained, block.drain());
		}
		this.blocksAhead = List.of();
		return drained;
	}

	/**
	 * Retain removed ordinals, so that they can be given back.
	 */
	void retain(List<OrdinalRange> ranges) {
		this.retained.addAll(ranges);
	}

	/**
	 * Count removed ordinals that will be neither handed out nor given back.
	 */
	void countDropped(long count) {
		this.droppedCount += count;
	}

	/**
	 * Discard the ordinals that were to be given back.
	 */
	void dropRetained() {
		this.droppedCount += size(this.retained);
		this.retained.clear();
	}

	private static void addIfNotEmpty(List<OrdinalRange> ranges, OrdinalRange range) {
		if (!range.isEmpty()) {
			ranges.add(range);
		}
	}

	List<OrdinalRange> retained() {
		return List.copyOf(this.retained);
	}

	/**
	 * Return whether more than half of each block is used. Leftovers always count as half
	 * used.
	 */
	boolean isHalfUsed() {
		for (Block block : this.blocksAhead) {
			if (!block.isHalfUsed()) {
				return false;
			}
		}
		return this.current.isHalfUsed();
	}

	/**
	 * Return how many ordinals callers can take.
	 */
	long size() {
		return this.current.remaining() + inBlocksAhead();
	}

	long inBlocksAhead() {
		long remaining = 0;
		for (Block block : this.blocksAhead) {
			remaining += block.remaining();
		}
		return remaining;
	}

	/**
	 * Return the total of the {@linkplain Block#reservedSize reserved sizes} of the
	 * blocks.
	 */
	long reservedSize() {
		long size = this.current.reservedSize();
		for (Block block : this.blocksAhead) {
			size += block.reservedSize();
		}
		return size;
	}

	/**
	 * Return how many ordinals were handed out: all confirmed ordinals, except those in
	 * memory, retained or dropped. The result may be wrong by the number of ordinals that
	 * other threads put into stripes or take from them during the call. The result never
	 * decreases, even if the previous one was too high.
	 * @param inStripes how many ordinals are in stripes
	 */
	long issuedCount(long inStripes) {
		long left = size() + inStripes + size(this.retained);
		this.issuedCount = Math.max(this.issuedCount, this.confirmedCount - left - this.droppedCount);
		return this.issuedCount;
	}

	static long size(List<OrdinalRange> ranges) {
		long size = 0;
		for (OrdinalRange range : ranges) {
			size += range.size();
		}
		return size;
	}

}
