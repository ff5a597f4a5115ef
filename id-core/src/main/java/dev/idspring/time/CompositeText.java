package dev.idspring.time;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

import dev.idspring.text.Alphabet;
import dev.idspring.text.TextForm;
import dev.idspring.time.TimeLayout.Field;
import dev.idspring.time.TimeLayout.Part;

/**
 * Writes the parts of an id one after the other, each with a fixed number of decimal
 * digits. The time is written as year, month, day, hour, minute, second and millisecond
 * in UTC. Different ids therefore have different strings, and the strings sort in the
 * same order as the ids.
 */
final class CompositeText implements TextForm {

	private static final int TIME_LENGTH = 17;

	private final TimeLayout layout;

	private final List<Column> columns;

	private final int length;

	CompositeText(TimeLayout layout) {
		this.layout = layout;
		this.columns = layout.parts().stream().map(Column::of).toList();
		this.length = this.columns.stream().mapToInt(Column::length).sum();
	}

	@Override
	public String format(long id) {
		byte[] text = new byte[this.length];
		int at = this.length;
		for (int i = this.columns.size() - 1; i >= 0; i--) {
			Column column = this.columns.get(i);
			long value = column.part.valueIn(id);
			long rest = column.isTime() ? timeDigits(this.layout.instant(value)) : value;
			for (int start = at - column.length; at > start; rest /= 10) {
				text[--at] = (byte) ('0' + rest % 10);
			}
		}
		return new String(text, StandardCharsets.ISO_8859_1);
	}

	@Override
	public String pattern() {
		return "[0-9]{" + this.length + "}";
	}

	/**
	 * Return a number whose decimal digits are year, month, day, hour, minute, second and
	 * millisecond.
	 */
	private static long timeDigits(Instant instant) {
		LocalDateTime time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
		long date = (time.getYear() * 100L + time.getMonthValue()) * 100 + time.getDayOfMonth();
		long hhmmss = (time.getHour() * 100L + time.getMinute()) * 100 + time.getSecond();
		return (date * 1_000_000 + hhmmss) * 1_000 + time.getNano() / 1_000_000;
	}

	@Override
	public long parse(String text) {
		if (text == null || text.length() != this.length) {
			throw TextForm.invalid(text, "it must have " + this.length + " digits");
		}
		long id = 0;
		int at = 0;
		for (Column column : this.columns) {
			long value = column.digits.parse(text.substring(at, at + column.length));
			id += (column.isTime() ? time(text, value) : value) * column.part.unit();
			at += column.length;
		}
		return id;
	}

	private long time(String text, long digits) {
		long time;
		try {
			int hhmmss = (int) (digits / 1_000 % 1_000_000);
			int date = (int) (digits / 1_000_000_000);
			LocalDateTime parsed = LocalDateTime.of(date / 10_000, date / 100 % 100, date % 100, hhmmss / 10_000,
					hhmmss / 100 % 100, hhmmss % 100, (int) (digits % 1_000) * 1_000_000);
			time = this.layout.time(parsed.toInstant(ZoneOffset.UTC));
		}
		catch (DateTimeException ex) {
			throw TextForm.invalid(text, digits + " is not a time of the form yyyyMMddHHmmssSSS");
		}
		if (time < 0 || time >= this.layout.ticks()) {
			throw TextForm.invalid(text,
					"its time is not between " + this.layout.epoch() + " and " + this.layout.lastInstant());
		}
		return time;
	}

	/**
	 * The text form of one part of an id.
	 */
	private record Column(Part part, int length, TextForm digits) {

		static Column of(Part part) {
			int length = (part.field() == Field.TIME) ? TIME_LENGTH : Long.toString(part.radix() - 1).length();
			return new Column(part, length, TextForm.digits(Alphabet.of("0123456789"), length));
		}

		boolean isTime() {
			return this.part.field() == Field.TIME;
		}

	}

}
