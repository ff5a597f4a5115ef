package dev.idspring.benchmarks.start;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import dev.idspring.benchmarks.Median;
import org.jspecify.annotations.Nullable;

/**
 * The results of starting an application.
 *
 * @param setups the setups in which it was started
 */
public record StartResults(List<Setup> setups) {

	/**
	 * Create results. A missing list becomes an empty list.
	 */
	public StartResults(@Nullable List<Setup> setups) {
		this.setups = (setups != null) ? setups : List.of();
	}

	/**
	 * The starts of the application with each contestant (an added library, or none) in
	 * one setup.
	 *
	 * @param jdk the version of the JDK
	 * @param archive the type of archive that the JVM uses
	 * @param starts the starts of each contestant. Starts with the same index were in the
	 * same round
	 */
	public record Setup(int jdk, Archive archive, Map<Contestant, List<Start>> starts) {

		/**
		 * Return the title in the report.
		 */
		public String title() {
			return ("JDK " + this.jdk + " " + this.archive.title()).strip();
		}

		/**
		 * Return the median startup time of a contestant, in milliseconds.
		 */
		public double millis(Contestant contestant) {
			return Median.of(this.starts.get(contestant).stream().mapToDouble(Start::millis));
		}

		/**
		 * Return the median number of classes that were loaded with a contestant.
		 */
		public double classes(Contestant contestant) {
			return Median.of(this.starts.get(contestant).stream().mapToDouble(Start::classes));
		}

		/**
		 * Return the median ratio of the startup time with a contestant to the startup
		 * time without any library in the same round.
		 */
		public double ratio(Contestant contestant) {
			return Median.of(ratios(contestant));
		}

		/**
		 * Return the 95 % confidence interval of the median ratio. Its limits are the
		 * ratios at the ranks that follow from a binomial distribution.
		 */
		public List<Double> interval(Contestant contestant) {
			double[] sorted = ratios(contestant).sorted().toArray();
			int rank = Math.max(0, (int) Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2) - 1);
			return List.of(sorted[rank], sorted[sorted.length - 1 - rank]);
		}

		private DoubleStream ratios(Contestant contestant) {
			List<Start> measured = this.starts.get(contestant);
			List<Start> plain = this.starts.get(Contestant.PLAIN);
			return IntStream.range(0, measured.size())
				.mapToDouble((index) -> (double) measured.get(index).millis() / plain.get(index).millis());
		}

	}

	/**
	 * The values that an application printed when it was ready.
	 *
	 * @param millis the time since the start of the JVM, in milliseconds
	 * @param classes the number of loaded classes
	 */
	public record Start(long millis, long classes) {

	}

	/**
	 * The types of archive in which a JVM stores information about an application for
	 * later starts.
	 */
	public enum Archive {

		/** No archive. */
		NONE(17, "", "", ""),

		/** Classes, with class data sharing. */
		CDS(17, "CDS", "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile="),

		/** Linked classes and method profiles. */
		AOT_CACHE(25, "AOT cache", "-XX:AOTCacheOutput=", "-XX:AOTCache=");

		private final int minimumJdk;

		private final String title;

		private final String writeOption;

		private final String readOption;

		Archive(int minimumJdk, String title, String writeOption, String readOption) {
			this.minimumJdk = minimumJdk;
			this.title = title;
			this.writeOption = writeOption;
			this.readOption = readOption;
		}

		boolean isSupportedBy(int jdk) {
			return jdk >= this.minimumJdk;
		}

		/**
		 * Return the title in the report.
		 */
		public String title() {
			return this.title;
		}

		String writeOption() {
			return this.writeOption;
		}

		String readOption() {
			return this.readOption;
		}

	}

}
