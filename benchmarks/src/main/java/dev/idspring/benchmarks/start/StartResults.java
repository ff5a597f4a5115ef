package dev.idspring.benchmarks.start;

import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * How long an application takes to start.
 *
 * @param setups the ways in which it was started, or {@code null} if nothing was measured
 */
public record StartResults(@Nullable List<Setup> setups) {

	/**
	 * Return the median.
	 */
	public static double median(List<? extends Number> values) {
		double[] sorted = sorted(values);
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

	private static double[] sorted(List<? extends Number> values) {
		return values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
	}

	/**
	 * Starts in one way, in turns. The times are in milliseconds from the start of the
	 * JVM.
	 *
	 * @param jdk the version of the JDK
	 * @param archive what the JVM knows of the application beforehand
	 * @param with with the starter
	 * @param without without it, each one beside the start of the same index
	 * @param classesWith how many classes it loads with the starter
	 * @param classesWithout and how many without it
	 */
	public record Setup(int jdk, Archive archive, List<Long> with, List<Long> without, double classesWith,
			double classesWithout) {

		/**
		 * Return the median of the ratios of starts beside each other.
		 */
		public double ratio() {
			return median(ratios());
		}

		/**
		 * Return the limits between which the ratio lies with a confidence of 95 %, by
		 * the ranks that a binomial distribution gives the median.
		 */
		public List<Double> interval() {
			double[] sorted = sorted(ratios());
			int rank = Math.max(0, (int) Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2) - 1);
			return List.of(sorted[rank], sorted[sorted.length - 1 - rank]);
		}

		private List<Double> ratios() {
			return IntStream.range(0, this.with.size())
				.mapToObj((index) -> (double) this.with.get(index) / this.without.get(index))
				.toList();
		}

	}

	/**
	 * What a JVM may know of an application from an earlier run.
	 */
	public enum Archive {

		/** Nothing. */
		NONE(17, "", "", ""),

		/** Classes, by class data sharing. */
		CDS(17, "CDS", "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile="),

		/** Classes, linked, and profiles of methods. */
		AOT_CACHE(25, "AOT cache", "-XX:AOTCacheOutput=", "-XX:AOTCache=");

		private final int since;

		private final String title;

		private final String write;

		private final String read;

		Archive(int since, String title, String write, String read) {
			this.since = since;
			this.title = title;
			this.write = write;
			this.read = read;
		}

		boolean isKnownTo(int jdk) {
			return jdk >= this.since;
		}

		/**
		 * Return how people call it.
		 */
		public String title() {
			return this.title;
		}

		String write() {
			return this.write;
		}

		String read() {
			return this.read;
		}

	}

}
