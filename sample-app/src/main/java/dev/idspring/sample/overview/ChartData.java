package dev.idspring.sample.overview;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import dev.idspring.IdGenerator;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The latest ids of a generator, as the chart on the demonstration page shows them.
 *
 * @param name the name of the generator
 * @param drawn the number of ids drawn since the start of the application
 * @param step the number of drawn ids from each of {@code ids} to the next; greater than
 * 1 if ids are omitted
 * @param ids the latest ids in numeric form, in the order in which they were drawn. They
 * are strings because JavaScript numbers cannot represent all {@code long} values
 * @param heights the heights of {@code ids} in the chart, from 0 to 1
 * @param lowest the text form of the lowest of {@code ids}, or {@code null} if there are
 * no ids
 * @param highest the text form of the highest of {@code ids}, or {@code null} if there
 * are no ids
 * @param last the text form of the last id, or {@code null} if there is none
 */
record ChartData(String name, long drawn, int step, List<String> ids, double[] heights, @Nullable String lowest,
		@Nullable String highest, @Nullable String last) {

	/**
	 * The maximum number of ids to show. More points would be hard to distinguish.
	 */
	static final int MAX_POINTS = 1000;

	/** The maximum number of distinct milliseconds to show if ids contain the time. */
	static final int MAX_MILLISECONDS = 10;

	static ChartData of(IdGenerator generator, RecentIds.Latest latest) {
		long[] ids = latest.ids();
		if (ids.length == 0) {
			return new ChartData(generator.name(), latest.drawn(), 1, List.of(), new double[0], null, null, null);
		}
		GeneratorSnapshot snapshot = ((ManagedIdGenerator) generator).snapshot();
		boolean containsTime = snapshot.node() != null;
		int length = containsTime ? countInLastMilliseconds(generator, ids) : ids.length;
		if (snapshot.strategy().equals("coprime")) {
			// show only the latest ids, and omit none in between, because the pattern
			// depends on the distance between consecutive ids
			length = Math.min(length, MAX_POINTS);
		}
		int step = (length + MAX_POINTS - 1) / MAX_POINTS;
		int points = (length + step - 1) / step;
		List<Long> shownIds = IntStream.range(0, points)
			.mapToObj((i) -> ids[ids.length - 1 - (points - 1 - i) * step])
			.toList();
		List<Instant> times = shownIds.stream()
			.map((id) -> containsTime ? time(generator, id) : Instant.EPOCH)
			.toList();
		return new ChartData(generator.name(), latest.drawn(), step,
				shownIds.stream().map(Long::toUnsignedString).toList(), heights(shownIds, times),
				generator.format(shownIds.stream().min(Long::compareUnsigned).orElseThrow()),
				generator.format(shownIds.stream().max(Long::compareUnsigned).orElseThrow()),
				generator.format(ids[ids.length - 1]));
	}

	private static int countInLastMilliseconds(IdGenerator generator, long[] ids) {
		Set<Instant> times = new HashSet<>();
		int length = 0;
		while (length < ids.length) {
			times.add(time(generator, ids[ids.length - 1 - length]));
			if (times.size() > MAX_MILLISECONDS) {
				break;
			}
			length++;
		}
		return length;
	}

	private static Instant time(IdGenerator generator, long id) {
		return Objects.requireNonNull(generator.describe(id).time());
	}

	/**
	 * Compute the heights of ids. Ids with the same time form a step of a staircase. The
	 * steps are evenly spaced. If their distances were proportional to the time, the ids
	 * within a step would be too close to distinguish.
	 */
	private static double[] heights(List<Long> ids, List<Instant> times) {
		TreeMap<Instant, Long> lowest = new TreeMap<>();
		IntStream.range(0, ids.size())
			.forEach((i) -> lowest.merge(times.get(i), ids.get(i), (a, b) -> (Long.compareUnsigned(a, b) < 0) ? a : b));
		double[] aboveLowest = IntStream.range(0, ids.size())
			.mapToDouble((i) -> Double.parseDouble(Long.toUnsignedString(ids.get(i) - lowest.get(times.get(i)))))
			.toArray();
		double highest = Math.max(1, Arrays.stream(aboveLowest).max().orElseThrow());
		double stepHeight = (lowest.size() > 1) ? 0.5 : 1;
		return IntStream.range(0, ids.size())
			.mapToDouble((i) -> (lowest.headMap(times.get(i)).size() + stepHeight * aboveLowest[i] / highest)
					/ (lowest.size() - 1 + stepHeight))
			.map((height) -> Math.round(height * 1e4) / 1e4)
			.toArray();
	}

	/**
	 * Return a copy with another last id.
	 */
	ChartData withLast(String last) {
		return new ChartData(this.name, this.drawn, this.step, this.ids, this.heights, this.lowest, this.highest, last);
	}

}
