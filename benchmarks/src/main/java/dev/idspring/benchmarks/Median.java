package dev.idspring.benchmarks;

import java.util.stream.DoubleStream;

/**
 * Computes medians of measured values.
 */
public final class Median {

	private Median() {
	}

	/**
	 * Return the median, which is the mean of the two middle values if the number of
	 * values is even.
	 * @param values at least one value, in any order
	 * @return the median
	 */
	public static double of(DoubleStream values) {
		double[] sorted = values.sorted().toArray();
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

}
