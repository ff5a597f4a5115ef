package dev.idspring.benchmarks.report;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Formats measured values with their targets.
 */
final class Reach {

	private Reach() {
	}

	/**
	 * Format a ratio, and whether it is at least the target.
	 */
	static String atLeast(double wanted, @Nullable Double ours, @Nullable Double theirs) {
		if (ours == null || theirs == null) {
			return Table.noValue();
		}
		return "%s, wanted %s: %s".formatted(times(ours, theirs), ratio(wanted), verdict(1 - ours / theirs / wanted));
	}

	/**
	 * Format a ratio.
	 */
	static String times(@Nullable Double number, @Nullable Double theirs) {
		return (number != null && theirs != null) ? ratio(number / theirs) + " x" : Table.noValue();
	}

	/**
	 * Format a number, and whether it is at most the target.
	 */
	static String atMost(double wanted, @Nullable Double number, String unit) {
		if (number == null) {
			return Table.noValue();
		}
		boolean met = number <= wanted;
		return "%s%s, wanted at most %s%s: %s".formatted(Table.number(number), unit, Table.number(wanted), unit,
				met ? "met" : "**missed by %s%s**".formatted(Table.number(number - wanted), unit));
	}

	private static String verdict(double shortfall) {
		return (shortfall <= 0) ? "met" : "**missed by %s %%**".formatted(Table.number(shortfall * 100));
	}

	private static String ratio(double ratio) {
		return String.format(Locale.ROOT, (ratio < 1) ? "%.2f" : (ratio < 100) ? "%.1f" : "%.0f", ratio);
	}

}
