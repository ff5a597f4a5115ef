package dev.idspring.time;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

import dev.idspring.monitor.GeneratorSnapshot.ClockSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot.TimeLeft;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ReservationForecast;
import dev.idspring.monitor.UsageHistory.ReservationRate;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.time.NodeClock.Reading;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Measures the rate at which a time-based generator issues ids, adds their number to the
 * counter in the store, and creates snapshots for operators.
 */
final class TimeReport {

	private final TimeScheme scheme;

	private final TimeContext context;

	private final NodeAssignment assignment;

	private final TimeWait wait;

	/** Measures the rate at which this instance generates ids. */
	private final ReservationForecast ownUsage;

	/**
	 * Measures the rate at which all instances together generate ids. Without a store,
	 * this is the same object as {@link #ownUsage}.
	 */
	private final ReservationForecast sharedUsage;

	/**
	 * How many of this instance's ids have already been added to the counter in the
	 * store. Used only by the thread that calls the store.
	 */
	private long countedIds;

	/**
	 * Create a report, and make its first observation.
	 * @param scheme the scheme of the ids
	 * @param context the context, whose sequences count the ids
	 * @param assignment provides the node of the generator
	 * @param wait makes callers wait, and measures their waits
	 * @param keySpaces the store that counts the ids of all instances, or {@code null} if
	 * there is no store
	 */
	TimeReport(TimeScheme scheme, TimeContext context, NodeAssignment assignment, TimeWait wait,
			@Nullable KeySpaceStore keySpaces) {
		this.scheme = scheme;
		this.context = context;
		this.assignment = assignment;
		this.wait = wait;
		this.ownUsage = new ReservationForecast(context.keySpaceName(), null, context.timeSource());
		this.sharedUsage = (keySpaces != null)
				? new ReservationForecast(context.keySpaceName(), keySpaces, context.timeSource()) : this.ownUsage;
		observe();
	}

	/**
	 * Record how many ids have been generated.
	 */
	void observe() {
		this.ownUsage.observe(this.context.sequences().issued());
		if (this.ownUsage.isSampleDue()) {
			this.ownUsage.addSample(this.context.sequences().issued(), this.context.deadline());
		}
	}

	/**
	 * Increase the key space's counter, which all instances share, by the number of ids
	 * that this instance has not counted yet. This happens only if a sample is due, or on
	 * the last call. The counter of a time-based generator is used only for statistics:
	 * no id depends on it. If the outcome of a call is unknown, the next call may count
	 * the same ids again.
	 * @param keySpaces the store of the counter
	 * @param last whether this is the last call
	 * @param deadline the time by which the operation must end
	 */
	void count(KeySpaceStore keySpaces, boolean last, Deadline deadline) {
		observe();
		if (this.sharedUsage.isSampleDue() || last) {
			long issued = this.context.sequences().issued();
			if (issued > this.countedIds) {
				keySpaces.count(this.context.keySpaceName(), issued - this.countedIds, deadline);
				this.countedIds = issued;
			}
			long total = keySpaces.read(this.context.keySpaceName(), deadline)
				.map(StoredKeySpace::nextOrdinal)
				.orElse(issued);
			this.sharedUsage.addSample(total, this.assignment.samplingFactor(), deadline);
		}
	}

	/**
	 * Return the snapshot of the key space.
	 */
	KeySpaceSnapshot keySpace() {
		return keySpace(this.context.now());
	}

	private KeySpaceSnapshot keySpace(long now) {
		TimeLayout layout = this.context.layout();
		long totalMillis = layout.ticks();
		long elapsed = Math.max(0, Math.min(now, totalMillis));
		BigInteger capacity = layout.capacity();
		BigInteger reserved = layout.idsPerNode(elapsed).multiply(BigInteger.valueOf(layout.nodes()));
		BigInteger remainingOfNode = layout.idsPerNode(totalMillis - elapsed);
		ReservationRate ownRate = this.ownUsage.rate();
		ReservationRate rate = this.sharedUsage.rate();
		BigInteger expected = (ownRate != null)
				? new BigDecimal(ownRate.perSecond() * (totalMillis - elapsed) / 1_000).toBigInteger()
					.min(remainingOfNode)
				: null;
		Instant last = layout.lastInstant();
		return new KeySpaceSnapshot(this.context.keySpaceName(), capacity, reserved,
				(rate != null) ? rate.perSecond() : null, last, last, new TimeLeft(last, remainingOfNode, expected));
	}

	/**
	 * Return the snapshot of the generator. This method does no I/O.
	 * @param closed whether the generator is closed
	 * @param isLow tests whether a key space is running low
	 */
	GeneratorSnapshot snapshot(boolean closed, Predicate<KeySpaceSnapshot> isLow) {
		Reading reading = this.context.clock().read();
		long now = this.context.time(reading);
		KeySpaceSnapshot keySpace = keySpace(now);
		return new GeneratorSnapshot(this.scheme.strategy(), status(closed, reading, now, isLow.test(keySpace)),
				this.assignment.storeFailure(), this.scheme.definition(), this.context.sequences().issued(), keySpace,
				this.assignment.windowSnapshot(now, this.wait.count(), this.wait.total()), null,
				this.assignment.nodeSnapshot(), clockSnapshot(reading));
	}

	private ClockSnapshot clockSnapshot(Reading reading) {
		Node node = this.assignment.node();
		long ahead = (node != null)
				? node.sequence.lastTime() - (reading.wall() - this.context.layout().epoch().toEpochMilli()) : 0;
		return new ClockSnapshot(this.context.clock().isTrusted(reading), Duration.ofMillis(Math.max(0, ahead)),
				this.context.clock().skew(), this.context.clock().jumps(), this.wait.count());
	}

	private GeneratorStatus status(boolean closed, Reading reading, long now, boolean isLow) {
		Node node = this.assignment.node();
		if (closed || this.assignment.permanentFailure() != null) {
			return GeneratorStatus.DOWN;
		}
		if (now >= this.context.layout().ticks()) {
			return GeneratorStatus.EXHAUSTED;
		}
		if (node == null || !this.context.clock().isTrusted(reading) || node.windowEnd <= now
				|| node.isAheadOf(now, this.context.maxAhead())) {
			return GeneratorStatus.DOWN;
		}
		return isLow ? GeneratorStatus.LOW : GeneratorStatus.UP;
	}

}
