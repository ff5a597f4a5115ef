package dev.idspring.time;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.idspring.InvalidSettingException;
import dev.idspring.time.TimeLayout.Field;
import dev.idspring.time.TimeLayout.Part;
import dev.idspring.time.TimeScheme.Tail;

/**
 * The settings of ids that begin with a node number or a prefix, followed by date and
 * time. Ids with the same node or prefix are therefore adjacent in an index.
 * <p>
 * A prefix groups ids by something other than the node, for example by tenant. A prefix
 * does not make ids unique. Ids with a prefix therefore also contain the node number, as
 * the first two of the digits after the time.
 *
 * @param epoch the instant at which the time of the numeric form is 0
 * @param prefixGiven whether ids begin with a prefix from the application instead of the
 * node number
 * @param prefixDigits the number of digits of the prefix or node number, 1 to 9
 * @param sequenceDigits the number of digits after the time, 0 to 9; at least 2 with a
 * prefix, and at most 9 together with {@code prefixDigits}
 * @since 0.1.0
 */
public record CompositeSettings(Instant epoch, boolean prefixGiven, int prefixDigits, int sequenceDigits) {

	private static final int NODE_DIGITS = 2;

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public CompositeSettings {
		TimeScheme.verifyEpoch(CompositeSettings.class, epoch);
		InvalidSettingException.requireRange(CompositeSettings.class, "prefixDigits", prefixDigits, 1, 9);
		int minDigits = prefixGiven ? NODE_DIGITS : 0;
		InvalidSettingException.require(sequenceDigits >= minDigits && sequenceDigits <= 9, CompositeSettings.class,
				"sequenceDigits", sequenceDigits, "must be from " + minDigits + " to 9"
						+ (prefixGiven ? ": with a prefix, two of these digits are the node" : ""));
		InvalidSettingException.require(prefixDigits + sequenceDigits <= 9, CompositeSettings.class, "sequenceDigits",
				sequenceDigits,
				"adds up to " + (prefixDigits + sequenceDigits) + " digits with %s (" + prefixDigits
						+ "): more than 9 digits would leave less than eleven days for the time, so at most "
						+ (9 - prefixDigits) + " sequence digits are possible",
				"prefixDigits");
	}

	/**
	 * Return the scheme with these settings.
	 * @return the scheme, with {@link Tail#SEQUENCE} and a text form of fixed width
	 */
	public TimeScheme scheme() {
		int tailDigits = this.sequenceDigits - (this.prefixGiven ? NODE_DIGITS : 0);
		List<Part> partsAfterTime = new ArrayList<>();
		if (this.prefixGiven) {
			partsAfterTime.add(Part.digits(Field.NODE, NODE_DIGITS));
		}
		if (tailDigits > 0) {
			partsAfterTime.add(Part.digits(Field.TAIL, tailDigits));
		}
		Part firstPart = Part.digits(this.prefixGiven ? Field.PREFIX : Field.NODE, this.prefixDigits);
		TimeLayout layout = TimeLayout.withRemainingTime(this.epoch, false, TimeScheme.LAST, List.of(firstPart),
				partsAfterTime);
		String parameters = this.prefixGiven ? "epoch=%s prefix-digits=%d time node-digits=%d sequence-digits=%d"
				: "epoch=%s node-digits=%d time sequence-digits=%4$d";
		String summary = this.prefixGiven ? "%d-digit prefix, date and time, %d-digit node, %d-digit sequence"
				: "%d-digit node, date and time, %3$d-digit sequence";
		return new TimeScheme("composite",
				String.format(Locale.ROOT, parameters, this.epoch, this.prefixDigits, NODE_DIGITS, tailDigits),
				String.format(Locale.ROOT, summary, this.prefixDigits, NODE_DIGITS, tailDigits), layout, Tail.SEQUENCE,
				new CompositeText(layout));
	}

}
