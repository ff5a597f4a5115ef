package dev.idspring.block;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;

/**
 * The reserved ordinals that an engine has in memory: the block that callers take from,
 * and the blocks after it. Does no I/O, waits for nothing, and knows no thread.
 * <p>
 * {@link #current()} may be called by any thread. Everything else is for one thread at a
 * time. A call that fails half-way, as by a StackOverflowError, loses ordinals at worst:
 * what is taken out of a block has left it before it is kept anywhere else, and
 * {@link #ahead} is replaced as a whole, by one store.
 */
final class BlockQueue {

	private final KeySpace keySpace;

	private volatile Block current = Block.usedUp();

	private List<Block> ahead = List.of();

	/** What is to be given back. */
	private final List<OrdinalRange> unused = new ArrayList<>();

	/** How many ordinals were ever confirmed to this instance. */
	private long confirmed;

	/** How many ordinals were confirmed and will be neither handed out nor given back. */
	private long dropped;

	/** How many ordinals were handed out when last counted. */
	private long issued;

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
	 * Return what callers have not taken.
	 */
	List<OrdinalRange> left() {
		return Stream.concat(Stream.of(this.current), this.ahead.stream()).map(Block::left).toList();
	}

	/**
	 * Count a reserved range.
	 */
	void confirm(OrdinalRange range) {
		this.confirmed += range.size();
	}

	/**
	 * Count and add a reserved range.
	 */
	void add(OrdinalRange range) {
		confirm(range);
		List<Block> blocks = new ArrayList<>(this.ahead);
		long start = range.start();
		while (start < range.end()) {
			long end = Math.min(range.end(), this.keySpace.boundaryAfter(start));
			blocks.add(Block.of(new OrdinalRange(start, end)));
			start = end;
		}
		this.ahead = List.copyOf(blocks);
	}

	/**
	 * Make the next block the current one if the current one is used up.
	 * @return whether it is another one now
	 */
	boolean advance() {
		if (this.current.remaining() > 0 || this.ahead.isEmpty()) {
			return false;
		}
		Block next = this.ahead.get(0);
		this.ahead = List.copyOf(this.ahead.subList(1, this.ahead.size()));
		this.current = next;
		return true;
	}

	/**
	 * Take ordinals from the current block and those ahead. Each block is drained before
	 * it is counted, so that no other caller can take from it in between, and what is
	 * left over of the last one becomes the current block.
	 * @return empty if fewer are in memory
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
			block = this.ahead.get(used++);
			drained = block.drain();
		}
		addIfNotEmpty(ranges, new OrdinalRange(drained.start(), drained.start() + missing));
		List<Block> left = List.copyOf(this.ahead.subList(used, this.ahead.size()));
		Block remainder = block.remainder(new OrdinalRange(drained.start() + missing, drained.end()));
		this.ahead = left;
		this.current = remainder;
		return ranges;
	}

	/**
	 * Add ordinals that were taken out before and come back unused.
	 */
	void addLeftovers(List<OrdinalRange> ranges) {
		List<Block> all = new ArrayList<>(this.ahead);
		ranges.stream().map(Block::leftover).forEach(all::add);
		this.ahead = List.copyOf(all);
	}

	/**
	 * Take everything out that callers have not taken.
	 */
	List<OrdinalRange> drain() {
		List<OrdinalRange> drained = new ArrayList<>();
		addIfNotEmpty(drained, this.current.drain());
		this.ahead.forEach((block) -> addIfNotEmpty(drained, block.drain()));
		this.ahead = List.of();
		return drained;
	}

	/**
	 * Keep ordinals that were taken out, to be given back.
	 */
	void keep(List<OrdinalRange> ranges) {
		this.unused.addAll(ranges);
	}

	/**
	 * Count ordinals that were taken out and will be neither handed out nor given back.
	 */
	void drop(long count) {
		this.dropped += count;
	}

	/**
	 * Drop what was to be given back.
	 */
	void dropUnused() {
		this.dropped += size(this.unused);
		this.unused.clear();
	}

	private static void addIfNotEmpty(List<OrdinalRange> ranges, OrdinalRange range) {
		if (!range.isEmpty()) {
			ranges.add(range);
		}
	}

	List<OrdinalRange> unused() {
		return List.copyOf(this.unused);
	}

	/**
	 * Return whether half of each block was used.
	 */
	boolean isHalfUsed() {
		return this.current.isHalfUsed() && this.ahead.stream().allMatch(Block::isHalfUsed);
	}

	/**
	 * Return how many ordinals callers can take.
	 */
	long size() {
		return this.current.remaining() + inBlocksAhead();
	}

	long inBlocksAhead() {
		return this.ahead.stream().mapToLong(Block::remaining).sum();
	}

	/**
	 * Return how many ordinals the blocks had when they were reserved.
	 */
	long held() {
		return this.current.reserved() + this.ahead.stream().mapToLong(Block::reserved).sum();
	}

	/**
	 * Return how many ordinals were handed out: all that were confirmed, except those
	 * that are still here or elsewhere, and those that were dropped. What is elsewhere
	 * may change meanwhile, so this may be wrong by as much. As it never falls, it stays
	 * too high until as many have been taken.
	 * @param elsewhere how many were taken out of the current block and not handed out
	 * yet
	 */
	long issued(long elsewhere) {
		long left = size() + elsewhere + size(this.unused);
		this.issued = Math.max(this.issued, this.confirmed - left - this.dropped);
		return this.issued;
	}

	static long size(List<OrdinalRange> ranges) {
		return ranges.stream().mapToLong(OrdinalRange::size).sum();
	}

}
