package dev.idspring.benchmarks.start;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * How long an application takes to start.
 *
 * @param setups the ways in which it was started
 */
public record StartResults(List<Setup> setups) {

	/**
	 * Create results. What is missing is empty.
	 */
	public StartResults(@Nullable List<Setup> setups) {
		this.setups = (setups != null) ? setups : List.of();
	}

	private static double median(DoubleStream values) {
		double[] sorted = values.sorted().toArray();
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

	/**
	 * Starts in one way, in turns.
	 *
	 * @param jdk the version of the JDK
	 * @param archive what the JVM knows of the application beforehand
	 * @param starts those of each contestant, beside those of the same index of others
	 */
	public record Setup(int jdk, Archive archive, Map<Contestant, List<Start>> starts) {

		/**
		 * Return on what it was started.
		 */
		public String title() {
			return ("JDK " + this.jdk + " " + this.archive.title()).strip();
		}

		/**
		 * Return the median of the times that a contestant took.
		 */
		public double millis(Contestant contestant) {
			return median(this.starts.get(contestant).stream().mapToDouble(Start::millis));
		}

		/**
		 * Return the median of how many classes it loaded.
		 */
		public double classes(Contestant contestant) {
			return median(this.starts.get(contestant).stream().mapToDouble(Start::classes));
		}

		/**
		 * Return the median of the ratios to plain starts of the same round.
		 */
		public double ratio(Contestant contestant) {
			return median(ratios(contestant));
		}

		/**
		 * Return the limits between which the ratio lies with a confidence of 95 %, by
		 * the ranks that a binomial distribution gives the median.
		 */
		public List<Double> interval(Contestant contestant) {
			double[] sorted = ratios(contestant).sorted().toArray();
			int rank = Math.max(0, (int) Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2) - 1);
			return List.of(sorted[rank], sorted[sorted.length - 1 - rank]);
		}

		private DoubleStream ratios(Contestant contestant) {
			List<Start> own = this.starts.get(contestant);
			List<Start> plain = this.starts.get(Contestant.PLAIN);
			return IntStream.range(0, own.size())
				.mapToDouble((index) -> (double) own.get(index).millis() / plain.get(index).millis());
		}

	}

	/**
	 * What an application said when it was ready.
	 *
	 * @param millis how long it took from the start of its JVM
	 * @param classes how many classes it had loaded
	 */
	public record Start(long millis, long classes) {

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
