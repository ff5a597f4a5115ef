package dev.idspring.monitor;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.worker.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The usage history of a key space: up to twelve samples of the number of reserved keys.
 * The samples are about ten minutes apart at first, and up to a week apart later.
 * <p>
 * {@link #rate} computes how fast keys are reserved:
 * <ul>
 * <li>The rate is the median of the weekly rates of the last three weeks, or of fewer
 * weeks if the samples cover less time. With three weeks, a single bulk load does not
 * affect it. Whole weeks are used because the load differs between days of the week.
 * Before the samples cover a week, the rate is the mean over all samples.</li>
 * <li>The median shows a permanent increase in load only after more than a week. The rate
 * of the last week is therefore available separately, for alarms.</li>
 * <li>Until the samples cover four weeks, a projection is limited to a quarter of the
 * time that they cover.</li>
 * </ul>
 *
 * @param samples the samples, the oldest first
 * @since 0.1.0
 */
public record UsageHistory(List<Sample> samples) {

	private static final String VERSION = "1";

	private static final int MAX_SAMPLES = 12;

	private static final Duration WEEK = Duration.ofDays(7);

	private static final Duration SHORTEST_SPACING = WEEK.dividedBy(1_024);

	private static final int MAX_WEEKS = 3;

	private static final int WEEKS_FOR_UNLIMITED_PROJECTION = 4;

	private static final UsageHistory EMPTY = new UsageHistory(List.of());

	/**
	 * Create a history.
	 * @throws IllegalArgumentException if the list or a sample is {@code null}
	 */
	public UsageHistory {
		samples = InvalidSettingException.requireElements(UsageHistory.class, "samples", samples);
	}

	/**
	 * Return the history of a key space without reservations.
	 * @return a history without samples
	 */
	public static UsageHistory empty() {
		return EMPTY;
	}

	/**
	 * Parse the text form of a history.
	 * @param text a result of {@link #text()}
	 * @return the history, empty if the text is {@code null} or invalid
	 */
	public static UsageHistory parse(@Nullable String text) {
		try {
			if (text != null && text.matches(VERSION + "( \\d+:\\d+)*")) {
				return new UsageHistory(Arrays.stream(text.split(" ")).skip(1).map(Sample::parse).toList());
			}
		}
		catch (NumberFormatException | DateTimeException ex) {
			// a number in the text is too large
		}
		return EMPTY;
	}

	/**
	 * Return the text form, which has at most 400 characters.
	 * @return the version of the format, followed by the seconds since 1970 and the
	 * number of reserved keys of each sample
	 */
	public String text() {
		return VERSION + this.samples.stream().map((sample) -> " " + sample.text()).collect(Collectors.joining());
	}

	/**
	 * Return whether another sample is due.
	 * @param now the current time by the store's clock
	 * @return {@code true} if there is no sample, or if the last sample is far enough
	 * from now, in the past or in the future
	 */
	public boolean isDue(Instant now) {
		return untilDue(now).isZero();
	}

	/**
	 * Return the time until another sample is due.
	 * @param now the current time by the store's clock
	 * @return the remaining time, zero if a sample is {@link #isDue(Instant) due}
	 */
	public Duration untilDue(Instant now) {
		InvalidSettingException.requireGiven(UsageHistory.class, "now", now);
		if (this.samples.isEmpty()) {
			return Duration.ZERO;
		}
		Duration spacing = spacing(spanUntil(now));
		Duration sinceLast = Duration.between(last().at, now);
		return (sinceLast.abs().compareTo(spacing) < 0) ? spacing.minus(sinceLast) : Duration.ZERO;
	}

	/**
	 * Add a sample.
	 * @param sample the sample
	 * @return a history with the sample, and without samples that are no longer needed
	 */
	public UsageHistory with(Sample sample) {
		InvalidSettingException.requireGiven(UsageHistory.class, "sample", sample);
		List<Sample> all = samplesUpTo(sample);
		return new UsageHistory((all.size() <= MAX_SAMPLES) ? all : withWiderSpacing(all));
	}

	private List<Sample> samplesUpTo(Sample sample) {
		// an earlier sample must not count keys that were given back later
		return Stream
			.concat(this.samples.stream()
				.filter((past) -> past.at.isBefore(sample.at))
				.map((past) -> new Sample(past.at, Math.min(past.reserved, sample.reserved))), Stream.of(sample))
			.toList();
	}

	/**
	 * Remove samples that are closer together than the required spacing and, if too many
	 * are left, the oldest.
	 */
	private static List<Sample> withWiderSpacing(List<Sample> all) {
		Sample retained = all.get(all.size() - 1);
		Duration spacing = spacing(Duration.between(all.get(0).at, retained.at));
		List<Sample> sparse = new ArrayList<>(List.of(retained));
		for (int i = all.size() - 2; i >= 0; i--) {
			if (Duration.between(all.get(i).at, retained.at).compareTo(spacing) >= 0) {
				retained = all.get(i);
				sparse.add(0, retained);
			}
		}
		return (sparse.size() <= MAX_SAMPLES) ? sparse : sparse.subList(sparse.size() - MAX_SAMPLES, sparse.size());
	}

	/**
	 * Return the minimum time between samples. It is long enough for {@link #MAX_SAMPLES}
	 * samples to cover the given span, but at most a week.
	 */
	private static Duration spacing(Duration span) {
		Duration spacing = SHORTEST_SPACING;
		while (spacing.compareTo(WEEK) < 0 && spacing.multipliedBy(MAX_SAMPLES - 1).compareTo(span) < 0) {
			spacing = spacing.multipliedBy(2);
		}
		return spacing;
	}

	private Duration spanUntil(Instant now) {
		Duration span = Duration.between(this.samples.get(0).at, now);
		return span.isNegative() ? Duration.ZERO : span;
	}

	private Sample last() {
		return this.samples.get(this.samples.size() - 1);
	}

	/**
	 * Return the rate at which keys are reserved.
	 * @param now the current number of reserved keys, as a sample
	 * @return the rate, or {@code null} if the samples cover less than about ten minutes
	 */
	public @Nullable ReservationRate rate(Sample now) {
		InvalidSettingException.requireGiven(UsageHistory.class, "now", now);
		UsageHistory history = new UsageHistory(samplesUpTo(now));
		Duration span = history.spanUntil(now.at);
		if (span.compareTo(SHORTEST_SPACING) < 0) {
			return null;
		}
		Instant end = history.endOfWeeks();
		long weeks = Math.min(MAX_WEEKS, history.spanUntil(end).dividedBy(WEEK));
		double perSecond = (weeks > 0) ? history.medianOfWeeks((int) weeks, end)
				: perSecond(now.reserved - history.samples.get(0).reserved, span);
		boolean isUnlimited = span.compareTo(WEEK.multipliedBy(WEEKS_FOR_UNLIMITED_PROJECTION)) >= 0;
		double lastWeekPerSecond = (span.compareTo(WEEK) >= 0)
				? perSecond(now.reserved - history.reservedAt(now.at.minus(WEEK)), WEEK) : perSecond;
		return new ReservationRate(perSecond, lastWeekPerSecond, isUnlimited ? null : span.dividedBy(4));
	}

	/**
	 * Return the end of the last whole week. The last sample shows the present, and the
	 * samples before it are usually evenly spaced. A week that ends at the second to last
	 * sample therefore usually begins near another sample, so its rate needs little
	 * interpolation. If the second to last sample is at least a week old, the week ends
	 * now instead.
	 */
	private Instant endOfWeeks() {
		Instant now = last().at;
		Instant beforeLast = this.samples.get(Math.max(0, this.samples.size() - 2)).at;
		return (Duration.between(beforeLast, now).compareTo(WEEK) < 0) ? beforeLast : now;
	}

	private double medianOfWeeks(int weeks, Instant lastEnd) {
		double[] rates = Stream.iterate(lastEnd, (end) -> end.minus(WEEK))
			.limit(weeks)
			.mapToDouble((end) -> perSecond(reservedAt(end) - reservedAt(end.minus(WEEK)), WEEK))
			.sorted()
			.toArray();
		return (rates[(weeks - 1) / 2] + rates[weeks / 2]) / 2;
	}

	/**
	 * Return how many keys were reserved at an instant, interpolated between samples.
	 */
	private double reservedAt(Instant instant) {
		int i = this.samples.size() - 1;
		while (i > 0 && !this.samples.get(i - 1).at.isBefore(instant)) {
			i--;
		}
		Sample after = this.samples.get(i);
		if (i == 0) {
			return after.reserved;
		}
		Sample before = this.samples.get(i - 1);
		double share = seconds(Duration.between(before.at, instant)) / seconds(Duration.between(before.at, after.at));
		return before.reserved + share * (after.reserved - before.reserved);
	}

	private static double perSecond(double count, Duration time) {
		return count / seconds(time);
	}

	private static double seconds(Duration time) {
		return time.toMillis() / 1e3;
	}

	/**
	 * The number of reserved keys at an instant.
	 *
	 * @param at the instant, of which only the seconds are stored
	 * @param reserved the number of reserved keys, zero or more
	 */
	public record Sample(Instant at, long reserved) {

		/**
		 * Create a sample.
		 * @throws IllegalArgumentException if a value is invalid
		 */
		public Sample {
			InvalidSettingException.requireGiven(Sample.class, "at", at);
			InvalidSettingException.require(reserved >= 0, Sample.class, "reserved", reserved, "must not be negative");
		}

		private static Sample parse(String text) {
			String[] numbers = text.split(":");
			return new Sample(Instant.ofEpochSecond(Long.parseLong(numbers[0])), Long.parseLong(numbers[1]));
		}

		private String text() {
			return this.at.getEpochSecond() + ":" + this.reserved;
		}

	}

	/**
	 * The rate at which the keys of a key space are reserved.
	 *
	 * @param perSecond the median or mean number of keys per second, zero or more
	 * @param lastWeekPerSecond the number of keys per second in the last week
	 * @param maxProjection the maximum time from now to a projected exhaustion, or
	 * {@code null} for no limit
	 * @since 0.1.0
	 */
	public record ReservationRate(double perSecond, double lastWeekPerSecond, @Nullable Duration maxProjection) {

		private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

		/**
		 * Project when the key space will be used up.
		 * @param remaining how many keys are left
		 * @param now the current instant
		 * @return when the last key will be reserved, or {@code null} if this is beyond
		 * the longest projection
		 */
		@Nullable Instant exhaustedAt(long remaining, Instant now) {
			return exhaustedAt(remaining, this.perSecond, now);
		}

		/**
		 * Project when the key space will be used up at the higher of the two rates.
		 * @param remaining how many keys are left
		 * @param now the current instant
		 * @return when the last key will be reserved, or {@code null} if this is beyond
		 * the longest projection
		 */
		@Nullable Instant earliestExhaustion(long remaining, Instant now) {
			return exhaustedAt(remaining, Math.max(this.perSecond, this.lastWeekPerSecond), now);
		}

		private @Nullable Instant exhaustedAt(long remaining, double rate, Instant now) {
			double seconds = remaining / rate;
			Duration furthest = (this.maxProjection != null) ? this.maxProjection : Duration.between(now, LAST);
			return (seconds < furthest.toSeconds()) ? now.plusSeconds((long) seconds) : null;
		}

	}

	/**
	 * The history of a key space, as read from its store.
	 *
	 * @param history the history, to which all instances add samples
	 * @param readAt when the history was read, by the store's clock
	 * @since 0.1.0
	 */
	public record StoredHistory(UsageHistory history, Instant readAt) {

		/**
		 * Create a stored history.
		 * @throws IllegalArgumentException if a value is missing
		 */
		public StoredHistory {
			InvalidSettingException.requireGiven(StoredHistory.class, "history", history);
			InvalidSettingException.requireGiven(StoredHistory.class, "readAt", readAt);
		}

	}

	/**
	 * Stores one history for each key space, shared by all instances.
	 *
	 * @since 0.1.0
	 */
	public interface Store {

		/**
		 * Read the history of a key space.
		 * @param name the name of the key space
		 * @param deadline the time by which the operation must end
		 * @return the history, or empty if there is none
		 * @throws IdStoreUnavailableException if the store did not answer in time
		 */
		Optional<StoredHistory> readHistory(String name, Deadline deadline);

		/**
		 * Replace the history of a key space. If another instance has replaced the
		 * history since it was read, change nothing.
		 * @param name the name of the key space
		 * @param known the history that was read
		 * @param replacement the new history
		 * @param deadline the time by which the operation must end
		 * @throws IdStoreUnavailableException if the store did not answer in time
		 */
		void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline);

	}

}
