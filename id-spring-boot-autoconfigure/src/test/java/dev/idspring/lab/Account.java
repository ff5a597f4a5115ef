package dev.idspring.lab;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.idspring.lab.Ledger.Issued;

/**
 * What the store has told one instance of one generator: what is reserved for it, what it
 * has given back, and what is in doubt.
 */
final class Account {

	private static final long NEVER = Long.MAX_VALUE;

	private final LabGenerator generator;

	private final List<Range> confirmed = new ArrayList<>();

	private final Map<Long, Set<Long>> owners = new HashMap<>();

	private long lastIssued = -1;

	private int opened;

	private long closedAt = NEVER;

	/** When the store was asked for what is under way. */
	private final Deque<Long> asked = new ArrayDeque<>();

	private long underWay;

	private long inDoubt;

	private long givenBack;

	private long notGivenBack;

	private long givenBackInDoubt;

	/** Whether the store failed when it was last asked, or said something else. */
	private boolean doubtful;

	/** Whether something was not confirmed that may have been reserved. */
	private boolean holes;

	private int drops;

	/** Whether nothing was reserved since memory was dropped. */
	private boolean justDropped;

	Account(LabGenerator generator) {
		this.generator = generator;
	}

	static Account read(Path directory, String instance, LabGenerator generator) {
		Account account = new Account(generator);
		StoreEvent[] events = StoreEvent.values();
		RecordFile.read(RecordFile.store(directory, instance, generator), 0,
				(kind, nanos, number, start, end) -> account.add(events[kind], nanos, number, start, end));
		return account;
	}

	void add(StoreEvent event, long nanos, long number, long start, long end) {
		switch (event) {
			case OPENED -> {
				this.opened++;
				// of a life before
				this.asked.clear();
			}
			case CLOSED -> this.closedAt = nanos;
			case ASKED -> {
				this.asked.addLast(nanos);
				this.underWay += end;
			}
			case ANSWERED -> {
				this.asked.pollFirst();
				this.underWay -= end;
			}
			case CONFIRMED -> {
				this.doubtful = false;
				this.justDropped = false;
				if (end > start) {
					this.confirmed.add(new Range(number, start, end, asked()));
				}
			}
			case NOT_CONFIRMED -> this.doubtful = true;
			case IN_DOUBT -> {
				this.inDoubt += start * end;
				this.holes = true;
			}
			case GIVEN_BACK -> this.givenBack += end - start;
			case NOT_GIVEN_BACK -> this.notGivenBack += end - start;
			case GIVEN_BACK_IN_DOUBT -> this.givenBackInDoubt += end - start;
			case CLAIMED -> this.owners.computeIfAbsent(number, (key) -> new HashSet<>()).add(start);
			case MEMORY_DROPPED -> {
				this.drops++;
				this.justDropped = true;
			}
		}
	}

	/**
	 * Return when the store was asked at the earliest for what it has just confirmed: one
	 * attempt may begin before another one has ended.
	 */
	private long asked() {
		return this.asked.isEmpty() ? 0 : this.asked.getFirst();
	}

	boolean isClosed() {
		return this.closedAt != NEVER;
	}

	/**
	 * Return how much was reserved for this instance and not given back.
	 */
	long held() {
		return this.confirmed.stream().mapToLong(Range::size).sum() - this.givenBack;
	}

	/**
	 * Return how much may have been reserved at most without its knowing.
	 */
	long inDoubt() {
		return this.inDoubt + this.underWay;
	}

	/**
	 * Return how much may have been given back without its knowing.
	 */
	long givenBackInDoubt() {
		return this.givenBackInDoubt;
	}

	/**
	 * Return the first id that lies outside of what is reserved for this instance, or
	 * {@code null}.
	 */
	Issued firstOutside(List<Issued> issued) {
		Map<Long, TreeMap<Long, Long>> reserved = new HashMap<>();
		for (Range range : this.confirmed) {
			// the window of a node begins where the last one ended, or further on
			reserved.computeIfAbsent(range.number, (key) -> new TreeMap<>()).merge(range.start, range.end, Math::max);
		}
		for (Issued one : issued) {
			TreeMap<Long, Long> ranges = reserved.get(this.generator.slot(one.id()));
			long position = this.generator.position(one.id());
			Map.Entry<Long, Long> range = (ranges != null) ? ranges.floorEntry(position) : null;
			if (range == null || position >= range.getValue()) {
				return one;
			}
		}
		return null;
	}

	/**
	 * Return how much may be lost. An instance that was killed loses what it had in
	 * memory, and what callers had not written down yet. One that was closed loses of a
	 * counter what lies before blocks of others, and of series nothing: unless they were
	 * taken over, or it is not known how far they are used.
	 */
	long mayLose() {
		boolean series = this.generator.kind() == LabGenerator.Kind.SERIES;
		long inMemory = series ? (long) LabGenerator.Constants.SERIES * LabGenerator.BLOCK : 2L * LabGenerator.BLOCK;
		// an application that did not get as far as to draw
		long lost = (Math.max(0, this.opened - 1) + this.drops) * inMemory;
		if (!isClosed()) {
			return lost + inMemory + (long) Callers.THREADS * LabGenerator.BULK;
		}
		boolean everythingBack = series && !this.holes && !this.doubtful && this.notGivenBack == 0
				&& this.givenBackInDoubt == 0;
		return lost + (everythingBack ? 0 : inMemory);
	}

	/**
	 * Take note of what was issued.
	 */
	void issued(List<Issued> issued) {
		this.lastIssued = issued.stream().mapToLong((one) -> this.generator.position(one.id())).max().orElse(-1);
	}

	/**
	 * Return how many ids at the end of what was reserved last were neither issued nor
	 * given back by an instance that was closed while nobody had reserved anything after
	 * them. Only for counters.
	 * @param reserved how many the store says are reserved
	 * @param all what all instances have
	 */
	long keptForNothing(long reserved, Collection<Account> all) {
		if (!isClosed() || this.opened > 1 || this.doubtful || this.justDropped || this.givenBackInDoubt > 0
				|| this.confirmed.isEmpty()) {
			return 0;
		}
		Range last = this.confirmed.get(this.confirmed.size() - 1);
		long kept = last.end - Math.max(last.start, this.lastIssued + 1) - this.givenBack;
		List<Range> next = all.stream()
			.flatMap((account) -> account.confirmed.stream())
			.filter((range) -> range.start == last.end)
			.toList();
		// who came after them may have given everything back, and if nobody is known
		// although the store went on, that is in doubt
		boolean forNothing = next.isEmpty() ? last.end == reserved
				: next.stream().allMatch((range) -> range.asked > this.closedAt);
		return forNothing ? Math.max(0, kept) : 0;
	}

	/**
	 * Return whether a series was claimed more than once, by different servers.
	 */
	boolean isShared(long series) {
		return this.owners.getOrDefault(series, Set.of()).size() > 1;
	}

	@Override
	public String toString() {
		return this.confirmed.size() + " ranges, " + this.givenBack + " given back, " + this.inDoubt + " in doubt, "
				+ this.drops + " drops";
	}

	/**
	 * What was confirmed.
	 */
	private record Range(long number, long start, long end, long asked) {

		long size() {
			return this.end - this.start;
		}

	}

}
