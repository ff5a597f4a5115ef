package dev.idspring.time;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.idspring.keyspace.Alphabet;
import dev.idspring.keyspace.QuotedInput;
import dev.idspring.keyspace.TextForm;
import dev.idspring.time.TimeLayout.Field;
import dev.idspring.time.TimeLayout.Part;

/**
 * Writes the parts of an id one after the other, each in a fixed number of decimal
 * digits, the time as year, month, day, hour, minute, second and millisecond in UTC. So
 * no two ids have the same text, and texts sort like ids.
 */
final class CompositeText implements TextForm {

	private static final Alphabet DIGITS = Alphabet.of("0123456789");

	private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder().appendValue(ChronoField.YEAR, 4)
		.appendValue(ChronoField.MONTH_OF_YEAR, 2)
		.appendValue(ChronoField.DAY_OF_MONTH, 2)
		.appendValue(ChronoField.HOUR_OF_DAY, 2)
		.appendValue(ChronoField.MINUTE_OF_HOUR, 2)
		.appendValue(ChronoField.SECOND_OF_MINUTE, 2)
		.appendValue(ChronoField.MILLI_OF_SECOND, 3)
		.toFormatter(Locale.ROOT)
		.withResolverStyle(ResolverStyle.STRICT);

	private static final int TIME_LENGTH = 17;

	private final TimeLayout layout;

	private final List<Column> columns = new ArrayList<>();

	private final int length;

	CompositeText(TimeLayout layout) {
		this.layout = layout;
		int start = 0;
		for (Part part : layout.parts()) {
			int length = (part.field() == Field.TIME) ? TIME_LENGTH : Long.toString(part.radix() - 1).length();
			this.columns.add(new Column(part.field(), start, length, TextForm.digits(DIGITS, length)));
			start += length;
		}
		this.length = start;
	}

	@Override
	public String format(long id) {
		byte[] text = new byte[this.length];
		for (Column column : this.columns) {
			long value = this.layout.value(column.field, id);
			write(text, column, (column.field == Field.TIME) ? digitsOf(this.layout.instant(value)) : value);
		}
		return new String(text, StandardCharsets.ISO_8859_1);
	}

	private static void write(byte[] text, Column column, long value) {
		long rest = value;
		for (int i = column.start + column.length - 1; i >= column.start; i--) {
			text[i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
	}

	/**
	 * Return the number whose digits are year, month, day, hour, minute, second and
	 * millisecond.
	 */
	private static long digitsOf(Instant instant) {
		LocalDateTime time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
		long date = (time.getYear() * 100L + time.getMonthValue()) * 100 + time.getDayOfMonth();
		long second = (time.getHour() * 100L + time.getMinute()) * 100 + time.getSecond();
		return (date * 1_000_000 + second) * 1_000 + time.getNano() / 1_000_000;
	}

	@Override
	public long parse(String text) {
		if (text == null || text.length() != this.length) {
			throw new IllegalArgumentException(((text != null) ? QuotedInput.of(text) : "null")
					+ " is not an id: it must have " + this.length + " digits");
		}
		long[] values = new long[Field.values().length];
		for (Column column : this.columns) {
			String part = text.substring(column.start, column.start + column.length);
			values[column.field.ordinal()] = (column.field == Field.TIME) ? time(text, part)
					: column.digits.parse(part);
		}
		return this.layout.id(values[Field.PREFIX.ordinal()], values[Field.TIME.ordinal()],
				values[Field.NODE.ordinal()], values[Field.TAIL.ordinal()]);
	}

	private long time(String text, String part) {
		long time;
		try {
			time = this.layout.time(LocalDateTime.parse(part, TIME).toInstant(ZoneOffset.UTC));
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException(QuotedInput.of(text) + " is not an id: " + QuotedInput.of(part)
					+ " is not a time of the form yyyyMMddHHmmssSSS", ex);
		}
		if (time < 0 || time >= this.layout.ticks()) {
			throw new IllegalArgumentException(QuotedInput.of(text) + " is not an id: its time is not between "
					+ this.layout.epoch() + " and " + this.layout.lastInstant());
		}
		return time;
	}

	/**
	 * Where a part stands in the text.
	 */
	private record Column(Field field, int start, int length, TextForm digits) {

	}

}
