package dev.idspring.block;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;

/**
 * The reserved ordinals that a server has in memory: the block that callers take from,
 * the blocks after it, and the stripes.
 * <p>
 * {@link #current()} and {@link #stripes} may be read by any thread. Everything else is
 * guarded by the server. A section that overflows the stack of a caller loses ordinals at
 * worst: what is taken out of a block has left it before it is kept anywhere else, and
 * {@link #ahead} is replaced as a whole, by one store.
 */
final class BlockQueue {

	private final KeySpace keySpace;

	/** Callers take from these first. Read by any thread. */
	final Stripes stripes;

	private volatile Block current = Block.usedUp();

	private List<Block> ahead = List.of();

	/** What was drained when the server closed, and what was reserved later. */
	private final List<OrdinalRange> unused = new ArrayList<>();

	/** How many ordinals were ever confirmed to this instance. */
	private long confirmed;

	/** How many ordinals were confirmed and will be neither handed out nor given back. */
	private long dropped;

	/** How many ordinals were handed out when last counted. */
	private long issued;

	BlockQueue(KeySpace keySpace, Stripes stripes) {
		this.keySpace = keySpace;
		this.stripes = stripes;
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
	 * Add a reserved range.
	 */
	void add(OrdinalRange range) {
		this.confirmed += range.size();
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
	 * Keep a reserved range to be given back.
	 */
	void addUnused(OrdinalRange range) {
		this.confirmed += range.size();
		this.unused.add(range);
	}

	/**
	 * Count a reserved range that will never be used.
	 */
	void addDropped(OrdinalRange range) {
		this.confirmed += range.size();
		this.dropped += range.size();
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
	 * Take back what is left in stripes, except in those of living owners and those that
	 * a thread is using.
	 * @return whether anything was found
	 */
	boolean reclaim() {
		List<OrdinalRange> reclaimed = this.stripes.reclaim();
		List<Block> all = new ArrayList<>(this.ahead);
		reclaimed.stream().map(Block::leftover).forEach(all::add);
		this.ahead = List.copyOf(all);
		return !reclaimed.isEmpty();
	}

	/**
	 * Keep everything that callers have not taken to be given back.
	 */
	void close() {
		this.unused.addAll(drain());
	}

	/**
	 * Drop everything, also what was kept to be given back.
	 */
	void drop() {
		// first, as it counts something as dropped itself
		long drained = size(drain());
		this.dropped += drained + size(this.unused);
		this.unused.clear();
	}

	/**
	 * Drop everything, and begin again with other stripes.
	 */
	void renew() {
		drop();
		this.stripes.replace();
	}

	private List<OrdinalRange> drain() {
		List<OrdinalRange> drained = new ArrayList<>();
		addIfNotEmpty(drained, this.current.drain());
		this.ahead.forEach((block) -> addIfNotEmpty(drained, block.drain()));
		this.ahead = List.of();
		this.dropped += this.stripes.shut(drained);
		return drained;
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
	 * Return how many ordinals callers can take, without those in stripes.
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
	 * that are still here and those that were dropped. What is in stripes is counted
	 * while their owners take from it, so this may be wrong by a chunk for each of them.
	 * As it never falls, it stays too high by a chunk that was on its way into a stripe,
	 * until as many have been taken.
	 */
	long issued() {
		long left = size() + this.stripes.left() + size(this.unused);
		this.issued = Math.max(this.issued, this.confirmed - left - this.dropped);
		return this.issued;
	}

	static long size(List<OrdinalRange> ranges) {
		return ranges.stream().mapToLong(OrdinalRange::size).sum();
	}

}
