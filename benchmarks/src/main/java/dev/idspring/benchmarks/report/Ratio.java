package dev.idspring.benchmarks.report;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Formats ratios of measured values.
 */
final class Ratio {

	private Ratio() {
	}

	/**
	 * Format the ratio of a number to another number, as a dash if one of them is
	 * missing.
	 */
	static String of(@Nullable Double number, @Nullable Double other) {
		return (number != null && other != null) ? format(number / other) + " x" : Table.noValue();
	}

	private static String format(double ratio) {
		return String.format(Locale.ROOT, (ratio < 1) ? "%.2f" : (ratio < 100) ? "%.1f" : "%.0f", ratio);
	}

}
