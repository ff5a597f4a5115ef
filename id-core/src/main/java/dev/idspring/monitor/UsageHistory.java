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
 * The history of a key space: a few samples of the number of reserved keys. Samples are
 * ten minutes apart at first and a week apart later, so a dozen are enough for years.
 * <p>
 * The rate is measured over whole weeks, because most systems are quiet on some days. It
 * is the median of the last three, because a day of bulk loading does not predict the
 * days to come. Before there is a whole week, it is the mean. Until the samples cover
 * four weeks, a projection reaches a quarter as far as they reach back. The rate of the
 * last week is available as well, for alarms: if it is the first of many, the median
 * would show it too late.
 *
 * @param samples the samples, the oldest first
 * @since 0.1.0
 */
public record UsageHistory(List<Sample> samples) {

	private static final String FORMAT = "1";

	private static final int MAX_SAMPLES = 12;

	private static final Duration WEEK = Duration.ofDays(7);

	private static final Duration SHORTEST_SPACING = WEEK.dividedBy(1_024);

	private static final int MAX_WEEKS = 3;

	private static final int WEEKS_FOR_UNLIMITED_PROJECTION = 4;

	private static final UsageHistory EMPTY = new UsageHistory(List.of());

	/**
	 * Create a history.
	 * @throws IllegalArgumentException if a sample is missing
	 */
	public UsageHistory {
		samples = InvalidSettingException.requireElements(UsageHistory.class, "samples", samples);
	}

	/**
	 * Return the history of a key space without reservations.
	 * @return no samples
	 */
	public static UsageHistory empty() {
		return EMPTY;
	}

	/**
	 * Read the text form.
	 * @param text a result of {@link #text()}
	 * @return the history; empty if the format is unknown, because a forecast is not
	 * worth a failure
	 */
	public static UsageHistory parse(@Nullable String text) {
		try {
			if (text != null && text.matches(FORMAT + "( \\d+:\\d+)*")) {
				return new UsageHistory(Arrays.stream(text.split(" ")).skip(1).map(Sample::parse).toList());
			}
		}
		catch (NumberFormatException | DateTimeException ex) {
			// a number that is too large
		}
		return EMPTY;
	}

	/**
	 * Return the text form, at most 400 characters.
	 * @return the number of the format, then for each sample the seconds since 1970 and
	 * the number of reserved keys
	 */
	public String text() {
		return FORMAT + this.samples.stream().map((sample) -> " " + sample.text()).collect(Collectors.joining());
	}

	/**
	 * Return whether another sample is due.
	 * @param now the time
	 * @return {@code true} if the last one is old enough for an even spacing, or as far
	 * in the future, because of a wrong clock
	 */
	public boolean isDue(Instant now) {
		return untilDue(now).isZero();
	}

	/**
	 * Return the time until another sample is due.
	 * @param now the time
	 * @return the time left, zero if it is {@link #isDue(Instant) due}
	 */
	public Duration untilDue(Instant now) {
		InvalidSettingException.requireGiven(UsageHistory.class, "now", now);
		if (this.samples.isEmpty()) {
			return Duration.ZERO;
		}
		Duration spacing = spacing(spanUntil(now));
		Duration since = Duration.between(last().at, now);
		return (since.abs().compareTo(spacing) < 0) ? spacing.minus(since) : Duration.ZERO;
	}

	/**
	 * Add a sample.
	 * @param sample the sample
	 * @return the history with the sample, without those that are no longer needed
	 */
	public UsageHistory with(Sample sample) {
		InvalidSettingException.requireGiven(UsageHistory.class, "sample", sample);
		List<Sample> all = samplesUpTo(sample);
		return new UsageHistory((all.size() <= MAX_SAMPLES) ? all : withWiderSpacing(all));
	}

	private List<Sample> samplesUpTo(Sample sample) {
		// keys that were given back were never used
		return Stream
			.concat(this.samples.stream()
				.filter((known) -> known.at.isBefore(sample.at))
				.map((known) -> new Sample(known.at, Math.min(known.reserved, sample.reserved))), Stream.of(sample))
			.toList();
	}

	/**
	 * Leave out samples that are closer together than necessary.
	 */
	private static List<Sample> withWiderSpacing(List<Sample> all) {
		Sample retained = all.get(all.size() - 1);
		Duration spacing = spacing(Duration.between(all.get(0).at, retained.at));
		List<Sample> fewer = new ArrayList<>(List.of(retained));
		for (int i = all.size() - 2; i >= 0; i--) {
			if (Duration.between(all.get(i).at, retained.at).compareTo(spacing) >= 0) {
				retained = all.get(i);
				fewer.add(0, retained);
			}
		}
		return (fewer.size() <= MAX_SAMPLES) ? fewer : fewer.subList(fewer.size() - MAX_SAMPLES, fewer.size());
	}

	/**
	 * Return the spacing at which a span needs at most {@link #MAX_SAMPLES} samples.
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
	 * Return how fast the key space is being reserved.
	 * @param now a sample of this moment
	 * @return the rate, or {@code null} if it is too early to tell
	 */
	public @Nullable ReservationRate rate(Sample now) {
		InvalidSettingException.requireGiven(UsageHistory.class, "now", now);
		UsageHistory whole = new UsageHistory(samplesUpTo(now));
		Duration span = whole.spanUntil(now.at);
		if (span.compareTo(SHORTEST_SPACING) < 0) {
			return null;
		}
		Instant end = whole.endOfWeeks();
		long weeks = Math.min(MAX_WEEKS, whole.spanUntil(end).dividedBy(WEEK));
		double perSecond = (weeks > 0) ? whole.medianOfWeeks((int) weeks, end)
				: perSecond(now.reserved - whole.samples.get(0).reserved, span);
		boolean known = span.compareTo(WEEK.multipliedBy(WEEKS_FOR_UNLIMITED_PROJECTION)) >= 0;
		double lastWeekPerSecond = (span.compareTo(WEEK) >= 0)
				? perSecond(now.reserved - whole.reservedAt(now.at.minus(WEEK)), WEEK) : perSecond;
		return new ReservationRate(perSecond, lastWeekPerSecond, known ? null : span.dividedBy(4));
	}

	/**
	 * Return the end of the last whole week. It is the sample before the last, because
	 * there is a sample about a week before that, and values between samples are only
	 * interpolated. If that sample is a week old, the key space must be quiet: the end is
	 * now.
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
	 * How many keys were reserved at some time.
	 *
	 * @param at when, to the second
	 * @param reserved how many keys were reserved then, zero or more
	 */
	public record Sample(Instant at, long reserved) {

		/**
		 * Create a sample.
		 * @throws IllegalArgumentException if a value is invalid; the message names it
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
	 * How fast the keys of a key space are being reserved.
	 *
	 * @param perSecond how many keys a second in an ordinary week, zero or more
	 * @param lastWeekPerSecond how many keys a second within the last week, ordinary or
	 * not
	 * @param maxProjection how far into the future the rate is reliable, or {@code null}
	 * if it was measured long enough for any projection
	 * @since 0.1.0
	 */
	public record ReservationRate(double perSecond, double lastWeekPerSecond, @Nullable Duration maxProjection) {

		private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

		/**
		 * Project when no keys will be left.
		 * @param remaining how many keys are left
		 * @param now the current instant
		 * @return when the last one will be reserved, or {@code null} if that is too far
		 * away to project
		 */
		@Nullable Instant exhaustedAt(long remaining, Instant now) {
			return exhaustedAt(remaining, this.perSecond, now);
		}

		/**
		 * Project when no keys will be left if the last week was not an exception.
		 * @param remaining how many keys are left
		 * @param now the current instant
		 * @return when the last one will be reserved at the higher of both rates, or
		 * {@code null} if that is too far away to project
		 */
		@Nullable Instant soonestEnd(long remaining, Instant now) {
			return exhaustedAt(remaining, Math.max(this.perSecond, this.lastWeekPerSecond), now);
		}

		private @Nullable Instant exhaustedAt(long remaining, double rate, Instant now) {
			double seconds = remaining / rate;
			Duration furthest = (this.maxProjection != null) ? this.maxProjection : Duration.between(now, LAST);
			return (seconds < furthest.toSeconds()) ? now.plusSeconds((long) seconds) : null;
		}

	}

	/**
	 * The history of a key space, as read from a store.
	 *
	 * @param history the samples of all instances
	 * @param readAt when this was read, by the clock of the store
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
	 * Stores the histories of key spaces, for all instances.
	 *
	 * @since 0.1.0
	 */
	public interface Store {

		/**
		 * Read the history of a key space.
		 * @param name the name of the key space
		 * @param deadline how long this may take
		 * @return the history, or empty if there is none
		 * @throws IdStoreUnavailableException if the store did not answer in time
		 */
		Optional<StoredHistory> readHistory(String name, Deadline deadline);

		/**
		 * Replace the history of a key space, unless another instance was faster.
		 * @param name the name of the key space
		 * @param known the history as it was read
		 * @param replacement what to store in its place
		 * @param deadline how long this may take
		 * @throws IdStoreUnavailableException if the store did not answer in time
		 */
		void replaceHistory(String name, UsageHistory known, UsageHistory replacement, Deadline deadline);

	}

}
