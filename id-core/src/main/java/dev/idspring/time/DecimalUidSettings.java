package dev.idspring.time;

import java.time.Instant;
import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.text.TextForm;
import dev.idspring.time.TimeLayout.Field;
import dev.idspring.time.TimeLayout.Part;
import dev.idspring.time.TimeScheme.Tail;

/**
 * The settings of ids whose parts are groups of decimal digits: first the time in
 * milliseconds, then random digits, then the node number.
 *
 * @param epoch the instant at which the time is 0
 * @param randomDigits the number of random digits, 1 to 9; these digits distinguish ids
 * of the same node and millisecond
 * @param nodeDigits the number of digits of the node number, 1 to 6
 * @param signed whether ids must fit into a signed {@code BIGINT}; otherwise they use all
 * 64 bits
 * @since 0.1.0
 */
public record DecimalUidSettings(Instant epoch, int randomDigits, int nodeDigits, boolean signed) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public DecimalUidSettings {
		TimeScheme.verifyEpoch(DecimalUidSettings.class, epoch);
		InvalidSettingException.requireRange(DecimalUidSettings.class, "randomDigits", randomDigits, 1, 9);
		InvalidSettingException.requireRange(DecimalUidSettings.class, "nodeDigits", nodeDigits, 1, 6);
	}

	/**
	 * Return the scheme with these settings.
	 * @return the scheme, with {@link Tail#RANDOM} and a text form of 20 digits
	 */
	public TimeScheme scheme() {
		return new TimeScheme("decimal-uid",
				"epoch=" + this.epoch + " random-digits=" + this.randomDigits + " node-digits=" + this.nodeDigits,
				this.randomDigits + "-digit random part, " + this.nodeDigits + "-digit node"
						+ (this.signed ? "" : ", unsigned"),
				TimeLayout.withRemainingTime(this.epoch, !this.signed, TimeScheme.LAST, List.of(),
						List.of(Part.digits(Field.TAIL, this.randomDigits), Part.digits(Field.NODE, this.nodeDigits))),
				Tail.RANDOM, TextForm.decimal20());
	}

}
