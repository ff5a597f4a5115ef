package dev.idspring.lab;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.idspring.lab.Ledger.Issued;

/**
 * The reservations that the store reports for one generator in one instance of the
 * application: what is reserved, what was given back, and what has an unknown outcome.
 */
final class Account {

	private static final long NEVER = Long.MAX_VALUE;

	private final LabGenerator generator;

	private final List<Range> confirmedRanges = new ArrayList<>();

	private final Map<Long, Set<Long>> ownersBySeries = new HashMap<>();

	private long lastIssued = -1;

	private int openings;

	private long closedAt = NEVER;

	/** The times of the requests that are still in progress. */
	private final Deque<Long> requestTimes = new ArrayDeque<>();

	private long idsInProgress;

	private long idsInDoubt;

	private long idsGivenBack;

	private long idsNotGivenBack;

	private long idsGivenBackInDoubt;

	/** Whether the latest request failed or was not confirmed. */
	private boolean latestRequestIsDoubtful;

	/** Whether a commit with an unknown outcome may have reserved ids. */
	private boolean mayHaveGaps;

	private int drops;

	/** Whether the ids in memory were dropped, and nothing has been reserved since. */
	private boolean justDropped;

	Account(LabGenerator generator) {
		this.generator = generator;
	}

	static Account read(Path directory, String instance, LabGenerator generator) {
		Account account = new Account(generator);
		StoreEvent[] events = StoreEvent.values();
		RecordFile.read(RecordFile.storeFile(directory, instance, generator), 0,
				(kind, nanos, number, start, end) -> account.add(events[kind], nanos, number, start, end));
		return account;
	}

	/**
	 * Add an event. {@link StoreEvent} describes the start and the end of the range for
	 * those events whose range is used.
	 * @param number the number of the slot, or 0 if the event is not about a slot
	 */
	void add(StoreEvent event, long nanos, long number, long start, long end) {
		switch (event) {
			case OPENED -> {
				this.openings++;
				// forget the requests of an earlier start of the application
				this.requestTimes.clear();
			}
			case CLOSED -> this.closedAt = nanos;
			case REQUESTED -> {
				this.requestTimes.addLast(nanos);
				this.idsInProgress += end;
			}
			case ENDED -> {
				this.requestTimes.pollFirst();
				this.idsInProgress -= end;
			}
			case CONFIRMED -> {
				this.latestRequestIsDoubtful = false;
				this.justDropped = false;
				if (end > start) {
					this.confirmedRanges.add(new Range(number, start, end, earliestRequestTime()));
				}
			}
			case NOT_CONFIRMED -> this.latestRequestIsDoubtful = true;
			case IN_DOUBT -> {
				this.idsInDoubt += start * end;
				this.mayHaveGaps = true;
			}
			case GIVEN_BACK -> this.idsGivenBack += end - start;
			case NOT_GIVEN_BACK -> this.idsNotGivenBack += end - start;
			case GIVEN_BACK_IN_DOUBT -> this.idsGivenBackInDoubt += end - start;
			case CLAIMED -> this.ownersBySeries.computeIfAbsent(number, (key) -> new HashSet<>()).add(start);
			case MEMORY_DROPPED -> {
				this.drops++;
				this.justDropped = true;
			}
		}
	}

	/**
	 * Return the time of the earliest request in progress, or 0 if there is none.
	 * Requests may overlap, so a range that is confirmed now was requested at this time
	 * or later.
	 */
	private long earliestRequestTime() {
		return this.requestTimes.isEmpty() ? 0 : this.requestTimes.getFirst();
	}

	boolean isClosed() {
		return this.closedAt != NEVER;
	}

	/**
	 * Return how many ids were reserved for this instance and not given back.
	 */
	long heldIds() {
		return this.confirmedRanges.stream().mapToLong(Range::size).sum() - this.idsGivenBack;
	}

	/**
	 * Return the maximum number of ids that may have been reserved without confirmation.
	 */
	long inDoubt() {
		return this.idsInDoubt + this.idsInProgress;
	}

	/**
	 * Return the number of ids that may have been given back without confirmation.
	 */
	long givenBackInDoubt() {
		return this.idsGivenBackInDoubt;
	}

	/**
	 * Return the first of the issued ids that was not reserved for this instance, or
	 * {@code null} if there is none.
	 */
	Issued firstUnreserved(List<Issued> issued) {
		Map<Long, TreeMap<Long, Long>> reserved = reserved();
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
	 * Return the starts and the ends of the confirmed ranges, by slot (the number of a
	 * series or a node). Ranges that touch or overlap are merged. Ranges of a node can
	 * overlap, because a released node is reserved again from the time of its last id.
	 */
	private Map<Long, TreeMap<Long, Long>> reserved() {
		Map<Long, TreeMap<Long, Long>> reserved = new HashMap<>();
		this.confirmedRanges.stream().sorted(Comparator.comparingLong(Range::start)).forEach((range) -> {
			TreeMap<Long, Long> ranges = reserved.computeIfAbsent(range.slot, (key) -> new TreeMap<>());
			Map.Entry<Long, Long> before = ranges.lastEntry();
			boolean touches = before != null && range.start <= before.getValue();
			ranges.merge(touches ? before.getKey() : range.start, range.end, Math::max);
		});
		return reserved;
	}

	/**
	 * Return the maximum number of ids that this instance may have lost:
	 * <ul>
	 * <li>A killed instance loses the ids in memory, and the ids that callers had
	 * received but not yet recorded.</li>
	 * <li>A closed instance with a counter cannot give back the rest of a block that
	 * another block follows.</li>
	 * <li>A closed instance with series loses ids only if a series was taken over, or if
	 * the last position of a series is uncertain.</li>
	 * </ul>
	 */
	long maxLost() {
		boolean series = this.generator.kind() == LabGenerator.Kind.SERIES;
		long inMemory = series ? (long) LabGenerator.Constants.SERIES_PER_INSTANCE * LabGenerator.BLOCK
				: 2L * LabGenerator.BLOCK;
		// ids of earlier starts that failed, and ids that were dropped from memory
		long lost = (Math.max(0, this.openings - 1) + this.drops) * inMemory;
		if (!isClosed()) {
			return lost + inMemory + (long) Callers.THREADS * LabGenerator.MAX_BULK;
		}
		boolean gaveEverythingBack = series && !this.mayHaveGaps && !this.latestRequestIsDoubtful
				&& this.idsNotGivenBack == 0 && this.idsGivenBackInDoubt == 0;
		return lost + (gaveEverythingBack ? 0 : inMemory);
	}

	/**
	 * Record the highest issued position.
	 */
	void recordIssued(List<Issued> issued) {
		this.lastIssued = issued.stream().mapToLong((one) -> this.generator.position(one.id())).max().orElse(-1);
	}

	/**
	 * Return how many ids a closed instance could have given back, but did not. These are
	 * the unused ids at the end of its last reservation, if no other instance had
	 * reserved ids after them. Call this only for counters.
	 * @param reservedIds the number of reserved ids according to the store
	 * @param accounts the accounts of all instances
	 */
	long unusedButReturnable(long reservedIds, Collection<Account> accounts) {
		if (!isClosed() || this.openings > 1 || this.latestRequestIsDoubtful || this.justDropped
				|| this.idsGivenBackInDoubt > 0 || this.confirmedRanges.isEmpty()) {
			return 0;
		}
		Range last = this.confirmedRanges.get(this.confirmedRanges.size() - 1);
		long unused = last.end - Math.max(last.start, this.lastIssued + 1) - this.idsGivenBack;
		List<Range> next = accounts.stream()
			.flatMap((account) -> account.confirmedRanges.stream())
			.filter((range) -> range.start == last.end)
			.toList();
		// several instances may have reserved the next range, because each may have given
		// it back. If no reservation of the next range is known but the store has
		// advanced, a request with an unknown outcome reserved it
		boolean avoidable = next.isEmpty() ? last.end == reservedIds
				: next.stream().allMatch((range) -> range.requestedAt > this.closedAt);
		return avoidable ? Math.max(0, unused) : 0;
	}

	/**
	 * Return whether this instance claimed a series under more than one owner id.
	 */
	boolean isShared(long series) {
		return this.ownersBySeries.getOrDefault(series, Set.of()).size() > 1;
	}

	@Override
	public String toString() {
		return this.confirmedRanges.size() + " ranges, " + this.idsGivenBack + " given back, " + this.idsInDoubt
				+ " in doubt, " + this.drops + " drops";
	}

	/**
	 * A confirmed reservation.
	 */
	private record Range(long slot, long start, long end, long requestedAt) {

		long size() {
			return this.end - this.start;
		}

	}

}
