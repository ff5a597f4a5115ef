package dev.idspring.benchmarks.report;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What was wanted, beside what came out.
 */
final class Reach {

	private Reach() {
	}

	/**
	 * Say whether a ratio is as high as wanted.
	 */
	static String atLeast(double wanted, @Nullable Double ours, @Nullable Double theirs) {
		if (ours == null || theirs == null) {
			return Table.nothing();
		}
		return "%s, wanted %s: %s".formatted(times(ours, theirs), ratio(wanted), verdict(1 - ours / theirs / wanted));
	}

	/**
	 * Say how many times as high a number is.
	 */
	static String times(@Nullable Double number, @Nullable Double theirs) {
		return (number != null && theirs != null) ? ratio(number / theirs) + " x" : Table.nothing();
	}

	/**
	 * Say whether a number is as low as wanted.
	 */
	static String atMost(double wanted, @Nullable Double number, String unit) {
		if (number == null) {
			return Table.nothing();
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
