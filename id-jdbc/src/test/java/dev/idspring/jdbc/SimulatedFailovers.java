package dev.idspring.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import dev.idspring.store.FenceLine;

/**
 * Simulates fail-overs between up to five primaries, one after the other. Each later
 * primary replicates an earlier one, its source, and starts with the row of the source,
 * possibly without the last commits. The servers to promote are chosen at random among
 * those that comply with the {@linkplain FailoverAssumption assumptions}. All times are
 * in microseconds.
 */
final class SimulatedFailovers {

	/**
	 * The result of a run. The {@code repeat} is {@code null} if no ordinal was issued
	 * twice.
	 */
	record Outcome(long issued, int primaries, String repeat) {
	}

	private record Commit(long time, FenceLine row, boolean reservation, Rate rate, long lastReservedAt) {
	}

	/** The effect of a commit on the rate at which ordinals may be reserved. */
	private enum Rate {

		SAME, RAISED, LOWERED

	}

	private record Range(long from, long to, int primary) {
	}

	private enum Load {

		SLOW, BUSY, BURSTS, MIXED

	}

	private static final long[] LAGS = { 100_000, 5_000_000, 5_000_000, 600_000_000 };

	private static final long[] MARGINS = { 1_000, 1_000_000, 1_000_000, 1_000_000_000 };

	private static final long EPOCH = 1_790_000_000_000_000L;

	private static final long HOUR = micros(Duration.ofHours(1));

	private static final int SERVERS = 5;

	private static final long REMAINING = Long.MAX_VALUE;

	private final SplittableRandom random;

	private final FailoverRule rule;

	private final Set<FailoverAssumption> assumptions;

	private final long lag;

	private final long skew;

	/** How far the clock of each primary is ahead of the simulated time. */
	private final long[] offsets;

	private final long margin;

	private final boolean raisesRate;

	private final List<Primary> primaries = new ArrayList<>();

	private final List<Range> issued = new ArrayList<>();

	private SimulatedFailovers(long seed, FailoverRule rule, Set<FailoverAssumption> assumptions) {
		this.random = new SplittableRandom(seed);
		this.rule = rule;
		this.assumptions = assumptions;
		this.lag = LAGS[this.random.nextInt(LAGS.length)];
		this.skew = oneIn(2) ? 0 : this.random.nextLong(this.lag);
		this.offsets = this.random.longs(SERVERS, 0, this.skew + 1).toArray();
		this.raisesRate = oneIn(2);
		this.margin = MARGINS[this.random.nextInt(MARGINS.length)];
	}

	static Outcome run(long seed, FailoverRule rule, Set<FailoverAssumption> assumptions) {
		return new SimulatedFailovers(seed, rule, assumptions).run();
	}

	private Outcome run() {
		long position = this.random.nextLong(1_000_000);
		FenceLine first = FenceLine.first(position, this.margin, this.lag, EPOCH + this.offsets[0]);
		Primary primary = new Primary(null, 0, first, EPOCH);
		while (primary != null) {
			primary.serve();
			this.primaries.add(primary);
			primary = (this.primaries.size() < SERVERS) ? promote(primary.endTime + outage()) : null;
		}
		return new Outcome(this.issued.size(), this.primaries.size(), repeat());
	}

	private long outage() {
		return switch (this.random.nextInt(6)) {
			case 0, 1 -> 0;
			case 2 -> this.random.nextLong(2 * this.lag);
			case 3, 4 -> this.random.nextLong(micros(Duration.ofMinutes(1)));
			default -> randomMagnitude(3 * HOUR);
		};
	}

	/**
	 * Promote a standby of the last primary or of an earlier one.
	 */
	private Primary promote(long now) {
		for (int attempts = 0; attempts < 4; attempts++) {
			Primary source = this.primaries
				.get(oneIn(3) ? this.primaries.size() - 1 : this.random.nextInt(this.primaries.size()));
			int[] permittedCounts = permittedCommitCounts(source, now);
			if (permittedCounts.length > 0) {
				int known = switch (this.random.nextInt(3)) {
					case 0 -> permittedCounts[0];
					case 1 -> permittedCounts[permittedCounts.length - 1];
					default -> permittedCounts[this.random.nextInt(permittedCounts.length)];
				};
				return new Primary(source, known, source.row(known), now);
			}
		}
		return null;
	}

	/**
	 * Return the possible numbers of commits that a standby of the source has replicated.
	 * With each of these numbers, the standby complies with the assumptions, and its
	 * take-over is not {@linkplain Primary#isCapped() capped}. In seven of eight cases,
	 * the standby lacks only commits that the source made at most one lag before its end.
	 */
	private int[] permittedCommitCounts(Primary source, long now) {
		List<Commit> commits = source.commits;
		int least = oneIn(8) ? 0 : source.commitsUntil(source.endTime - this.lag);
		return IntStream.rangeClosed(least, commits.size())
			.mapToObj((known) -> new Primary(source, known, source.row(known), now))
			.filter((later) -> !later.isCapped() && isPermitted(later))
			.mapToInt(Primary::known)
			.toArray();
	}

	private boolean isPermitted(Primary later) {
		return (!requires(FailoverAssumption.FOLLOWER) || later.source == this.primaries.get(this.primaries.size() - 1))
				&& this.primaries.stream().allMatch((earlier) -> isPermitted(earlier, later));
	}

	/**
	 * Check the assumptions about two primaries. The shared primary is the latest primary
	 * that both have replicated, or the earlier primary itself. {@code known} and
	 * {@code knownLater} are how many commits of the shared primary the earlier and the
	 * later one have replicated.
	 */
	private boolean isPermitted(Primary earlier, Primary later) {
		Primary shared = later;
		while (!earlier.hasReplicated(shared)) {
			shared = shared.source;
		}
		int knownLater = later.knownOf(shared);
		if (earlier == shared) {
			return !requires(FailoverAssumption.SAME_RAISES)
					|| shared.commitsUntil(shared.endTime - this.lag) <= knownLater
					|| !shared.changes(Rate.RAISED, knownLater, shared.commits.size());
		}
		int known = earlier.knownOf(shared);
		return hasSameRaises(earlier, shared, known, knownLater) && hasSameLowerings(later, shared, known, knownLater)
				&& hasSamePauses(shared, known, knownLater) && isWithinHold(earlier, later, shared);
	}

	private boolean hasSameRaises(Primary earlier, Primary shared, int known, int knownLater) {
		if (!requires(FailoverAssumption.SAME_RAISES)) {
			return true;
		}
		boolean raised = shared.changes(Rate.RAISED, knownLater, known)
				|| earlier.changes(Rate.RAISED, 0, earlier.commits.size());
		for (Primary each = earlier; each.source != shared; each = each.source) {
			raised |= each.source.changes(Rate.RAISED, 0, each.known);
		}
		return !raised;
	}

	private boolean hasSameLowerings(Primary later, Primary shared, int known, int knownLater) {
		if (!requires(FailoverAssumption.SAME_LOWERINGS)) {
			return true;
		}
		boolean lowered = shared.changes(Rate.LOWERED, known, knownLater);
		for (Primary each = later; each.source != shared; each = each.source) {
			lowered |= each.source.changes(Rate.LOWERED, 0, each.known);
		}
		return !lowered;
	}

	/**
	 * Check the three assumptions about the reservations that only the later primary has
	 * replicated from the shared one.
	 */
	private boolean hasSamePauses(Primary shared, int known, int knownLater) {
		List<Commit> commits = shared.commits;
		int last = -1;
		for (int i = known; i < knownLater; i++) {
			last = commits.get(i).reservation ? i : last;
		}
		if (last < 0) {
			return true;
		}
		long raised = shared.row(known).raised();
		for (int i = known; i <= last; i++) {
			FenceLine before = shared.row(i);
			if (requires(FailoverAssumption.SAME_USE_OF_RAISE) && commits.get(i).reservation
					&& before.raised() == raised && commits.get(i).time + shared.offset < before.raiseAt()) {
				return false;
			}
		}
		long end = shared.holdEnd();
		long time = commits.get(last).time;
		if (time <= end) {
			return true;
		}
		long lastReservedAt = (known > 0) ? commits.get(known - 1).lastReservedAt : shared.start;
		if (lastReservedAt <= end) {
			return !requires(FailoverAssumption.SAME_HOLD_END);
		}
		return !requires(FailoverAssumption.SAME_PAUSES) || time - lastReservedAt <= this.lag - this.skew;
	}

	/**
	 * Check the assumption {@link FailoverAssumption#WITHIN_HOLD}, if it is required. A
	 * primary is intermediate if only the later primary has replicated it. If an
	 * intermediate primary started before the end of the earlier primary, the later
	 * primary may know only the commits that the intermediate primary made before the end
	 * of its hold.
	 */
	private boolean isWithinHold(Primary earlier, Primary later, Primary shared) {
		boolean held = true;
		for (Primary each = later; each.source != shared; each = each.source) {
			Primary other = each.source;
			boolean beyond = each.known > 0 && other.commits.get(each.known - 1).time > other.holdEnd();
			held &= !beyond || other.start >= earlier.endTime;
		}
		return held || !requires(FailoverAssumption.WITHIN_HOLD);
	}

	private boolean requires(FailoverAssumption assumption) {
		return this.assumptions.contains(assumption);
	}

	private String repeat() {
		this.issued.sort(Comparator.comparingLong(Range::from));
		Range last = null;
		for (Range range : this.issued) {
			if (last != null && range.from < last.to) {
				return last + " and " + range + " of " + this.primaries;
			}
			last = range;
		}
		return null;
	}

	private boolean oneIn(int count) {
		return this.random.nextInt(count) == 0;
	}

	/**
	 * Return a random time up to the given one. All orders of magnitude are equally
	 * likely.
	 */
	private long randomMagnitude(long max) {
		return (long) Math.exp(this.random.nextDouble() * Math.log(max));
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1_000;
	}

	private final class Primary {

		private final Primary source;

		/** The number of commits of the source that this primary has replicated. */
		private final int known;

		private final FenceLine inherited;

		private final long start;

		private long endTime;

		private final long offset;

		private final List<Commit> commits = new ArrayList<>();

		private Load load;

		private boolean endsAfterLastCommit;

		private FenceLine row;

		private long now;

		private Primary(Primary source, int known, FenceLine inherited, long start) {
			this.source = source;
			this.known = known;
			this.inherited = inherited;
			this.start = start;
			this.offset = SimulatedFailovers.this.offsets[SimulatedFailovers.this.primaries.size()];
		}

		FenceLine row(int known) {
			return (known > 0) ? this.commits.get(known - 1).row : this.inherited;
		}

		int known() {
			return this.known;
		}

		/**
		 * Return whether the take-over of this primary is capped: the fence requires it
		 * to skip more than the permitted share of the ordinals that are left.
		 */
		boolean isCapped() {
			return this.inherited.isCapped(this.start + this.offset, SimulatedFailovers.this.lag, REMAINING);
		}

		int commitsUntil(long time) {
			int count = 0;
			while (count < this.commits.size() && this.commits.get(count).time <= time) {
				count++;
			}
			return count;
		}

		boolean changes(Rate rate, int from, int to) {
			return from < to && this.commits.subList(from, to).stream().anyMatch((commit) -> commit.rate == rate);
		}

		boolean hasReplicated(Primary other) {
			return this == other || (this.source != null && this.source.hasReplicated(other));
		}

		/**
		 * Return how many commits of another primary this primary has replicated,
		 * directly or indirectly. {@link #hasReplicated} must be {@code true} for the
		 * other one.
		 */
		int knownOf(Primary other) {
			return (this.source == other) ? this.known : this.source.knownOf(other);
		}

		/**
		 * Return the end of the {@linkplain FenceLine#HOLD hold} after the take-over of
		 * this primary, which is its first commit. The first primary has no hold.
		 */
		long holdEnd() {
			return (this.source == null) ? Long.MIN_VALUE : this.commits.get(0).time + FenceLine.HOLD;
		}

		private long clock() {
			return this.now + this.offset;
		}

		void serve() {
			SplittableRandom random = SimulatedFailovers.this.random;
			this.load = Load.values()[random.nextInt(Load.values().length)];
			this.endsAfterLastCommit = oneIn(2);
			this.endTime = this.start + length();
			this.now = this.start;
			this.row = this.inherited;
			for (int steps = 5 + random.nextInt(25); steps > 0 && this.now <= this.endTime; steps--) {
				step();
				this.now += pause();
			}
			if (this.endsAfterLastCommit && !this.commits.isEmpty()) {
				long later = oneIn(2) ? 0 : random.nextLong(SimulatedFailovers.this.lag);
				this.endTime = Math.min(this.endTime, last().time + later);
			}
			if (oneIn(2)) {
				this.now = this.endTime;
				step();
			}
		}

		private long length() {
			long lag = SimulatedFailovers.this.lag;
			return switch (SimulatedFailovers.this.random.nextInt(6)) {
				case 0 -> randomMagnitude(HOUR);
				case 1 -> randomMagnitude(3 * lag);
				case 2, 3 -> lag + SimulatedFailovers.this.random.nextLong(20 * lag);
				case 4 -> HOUR;
				default -> (this.source != null) ? 3 * HOUR : randomMagnitude(48 * HOUR);
			};
		}

		private long pause() {
			SplittableRandom random = SimulatedFailovers.this.random;
			long lag = SimulatedFailovers.this.lag;
			if (oneIn(8)) {
				return randomMagnitude(24 * HOUR);
			}
			if (oneIn(8) && this.source != null && this.now < holdEnd()) {
				return Math.max(1, holdEnd() - this.now + random.nextLong(2 * lag) - lag / 4);
			}
			return switch (this.load) {
				case SLOW -> 1 + random.nextLong(FenceLine.SECOND * 5);
				case BUSY -> 1 + random.nextLong(lag / 20);
				case BURSTS -> 1 + random.nextLong(2 * lag);
				case MIXED -> randomMagnitude(20 * lag);
			};
		}

		private void step() {
			SplittableRandom random = SimulatedFailovers.this.random;
			FailoverRule rule = SimulatedFailovers.this.rule;
			long lag = SimulatedFailovers.this.lag;
			if (this.source != null && this.commits.isEmpty()) {
				commit(rule.takeOver(this.row, clock(), lag, REMAINING), false, Rate.SAME, this.now);
			}
			lower();
			if (!this.commits.isEmpty() && last().reservation && oneIn(5)) {
				giveBack();
				return;
			}
			long bucket = Math.max(1, this.row.rateAt(clock()) * (FenceLine.burst(lag) / 1_000) / 1_000);
			long count = Math.min(bucket, switch (this.load) {
				case SLOW -> 1_000;
				case BUSY -> 1 + random.nextLong(100_000);
				default -> oneIn(2) ? bucket : 1 + random.nextLong(bucket);
			});
			long wait = rule.wait(this.row, count, clock(), lag);
			if (wait > 0 || count > bucket / 4) {
				raise();
			}
			if (wait > 0 && oneIn(2)) {
				count = rule.affordable(this.row, clock(), lag);
			}
			else {
				this.now += wait;
			}
			if (this.load == Load.BURSTS || oneIn(8)) {
				count = Math.max(count, rule.affordable(this.row, clock(), lag));
			}
			if (count > 0 && this.now <= this.endTime && rule.wait(this.row, count, clock(), lag) == 0) {
				reserve(count);
			}
		}

		private void raise() {
			long lag = SimulatedFailovers.this.lag;
			if (SimulatedFailovers.this.raisesRate && SimulatedFailovers.this.rule.isRaiseDue(this.row, clock(), lag)) {
				long used = oneIn(2) ? 0 : randomMagnitude(100 * this.row.raised());
				changeRate(SimulatedFailovers.this.rule.raise(this.row, used, lag, REMAINING));
			}
			if (this.row.isRaiseStored() && !oneIn(4)) {
				startRaise();
			}
		}

		/**
		 * Start the stored raise. The statement commits now, and has read the clock at a
		 * random time since the raise was stored.
		 */
		private void startRaise() {
			long stored = this.commits.stream()
				.filter((commit) -> commit.rate == Rate.RAISED)
				.mapToLong(Commit::time)
				.max()
				.orElse(this.start);
			long read = stored + SimulatedFailovers.this.random.nextLong(this.now - stored + 1);
			commit(SimulatedFailovers.this.rule.startRaise(this.row, read + this.offset, SimulatedFailovers.this.lag),
					false, Rate.SAME, lastReservedAt());
		}

		/**
		 * Lower the rate at random times. In reality, the usage determines these times.
		 */
		private void lower() {
			if (SimulatedFailovers.this.raisesRate && oneIn(3)) {
				changeRate(SimulatedFailovers.this.rule.lower(this.row, clock(), SimulatedFailovers.this.lag,
						SimulatedFailovers.this.margin));
			}
		}

		/**
		 * Commit a change of the rate. During a hold, this records {@link Rate#SAME}
		 * instead of {@link Rate#LOWERED}, so the assumption about lowerings does not
		 * apply.
		 */
		private void changeRate(FenceLine changed) {
			if (!changed.equals(this.row)) {
				Rate lowered = (clock() > this.row.holdUntil()) ? Rate.LOWERED : Rate.SAME;
				commit(changed, false, (changed.raised() > this.row.raised()) ? Rate.RAISED : lowered,
						lastReservedAt());
			}
		}

		private void reserve(long count) {
			long from = this.row.position();
			SimulatedFailovers.this.issued.add(new Range(from, from + count, SimulatedFailovers.this.primaries.size()));
			commit(SimulatedFailovers.this.rule.reserve(this.row, count, clock()), true, Rate.SAME, this.now);
		}

		/**
		 * Give back a part or all of the latest reservation. These ordinals do not count
		 * as issued, because they may be issued again.
		 */
		private void giveBack() {
			List<Range> issued = SimulatedFailovers.this.issued;
			Range range = issued.remove(issued.size() - 1);
			long count = oneIn(2) ? range.to - range.from
					: 1 + SimulatedFailovers.this.random.nextLong(range.to - range.from);
			long before = (this.commits.size() > 1) ? this.commits.get(this.commits.size() - 2).lastReservedAt
					: this.start;
			boolean whole = count == range.to - range.from;
			if (!whole) {
				issued.add(new Range(range.from, range.to - count, range.primary));
			}
			commit(SimulatedFailovers.this.rule.giveBack(this.row, count), false, Rate.SAME,
					whole ? before : last().lastReservedAt);
		}

		private Commit last() {
			return this.commits.get(this.commits.size() - 1);
		}

		/** Return the time of the last reservation that was not given back. */
		private long lastReservedAt() {
			return this.commits.isEmpty() ? this.start : last().lastReservedAt;
		}

		private void commit(FenceLine row, boolean reservation, Rate rate, long lastReservedAt) {
			this.row = row;
			this.commits.add(new Commit(this.now, row, reservation, rate, lastReservedAt));
		}

		@Override
		public String toString() {
			Primary source = this.source;
			return "%n  primary %d with %d commits of primary %d, from %d to %d, inherited %s%s".formatted(
					SimulatedFailovers.this.primaries.indexOf(this), this.known,
					SimulatedFailovers.this.primaries.indexOf(source), this.start - EPOCH, this.endTime - EPOCH,
					this.inherited, this.commits.stream().map((commit) -> "%n    ".formatted() + commit).toList());
		}

	}

}
