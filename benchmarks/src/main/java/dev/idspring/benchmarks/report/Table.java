package dev.idspring.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A table in Markdown.
 */
final class Table {

	private static final String NO_VALUE = "–";

	private final StringBuilder markdown = new StringBuilder();

	private final int columns;

	Table(String... titles) {
		this(List.of(titles));
	}

	Table(List<String> titles) {
		this.columns = titles.size();
		line(titles);
		this.markdown.append("|---".repeat(this.columns)).append("|\n");
	}

	Table row(String... cells) {
		return row(Arrays.asList(cells));
	}

	Table row(List<String> cells) {
		if (cells.size() != this.columns) {
			throw new IllegalArgumentException("The row %s has %d cells, but the table has %d columns.".formatted(cells,
					cells.size(), this.columns));
		}
		line(cells);
		return this;
	}

	private void line(List<String> cells) {
		this.markdown.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
	}

	/**
	 * Format a number: without decimals if it is zero or its absolute value is 10 or
	 * more, otherwise with two significant digits. Return a dash if there is no number.
	 */
	static String number(@Nullable Double number) {
		if (number == null || number.isNaN()) {
			return NO_VALUE;
		}
		double magnitude = rounded(Math.abs(number));
		if (magnitude >= 10 || magnitude == 0) {
			return String.format(Locale.ROOT, "%,.0f", number);
		}
		return String.format(Locale.ROOT, (magnitude >= 1) ? "%.1f" : (magnitude >= 0.1) ? "%.2f" : "%.2g", number);
	}

	static String millions(@Nullable Double number) {
		return number((number != null) ? number / 1_000_000 : null);
	}

	/**
	 * Round to two significant digits before the format is chosen, so that 0.996 becomes
	 * 1.0 and 9.96 becomes 10.
	 */
	private static double rounded(double magnitude) {
		return (magnitude == 0) ? 0 : new BigDecimal(magnitude).round(new MathContext(2)).doubleValue();
	}

	static String noValue() {
		return NO_VALUE;
	}

	@Override
	public String toString() {
		return this.markdown.toString();
	}

}
