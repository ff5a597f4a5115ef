package dev.idspring.time;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;

import dev.idspring.IdDescription;
import dev.idspring.InvalidSettingException;
import dev.idspring.text.TextForm;
import dev.idspring.text.TextSettings;
import dev.idspring.text.TextSettings.DefinedText;
import dev.idspring.text.UuidForm;

/**
 * Defines the ids of a time-based strategy. An id consists of an optional prefix, the
 * time, the number of the node that generates the id, and a tail. The tail distinguishes
 * ids of the same node and millisecond.
 *
 * @param strategy the name of the strategy
 * @param parameters the parameters of the layout, as they appear in the
 * {@link #definition()}
 * @param summary a short description for operators
 * @param layout the layout of the parts of an id
 * @param tail how the tails of ids are chosen
 * @param text the text form of ids, and its definition
 * @since 0.1.0
 */
public record TimeScheme(String strategy, String parameters, String summary, TimeLayout layout, Tail tail,
		DefinedText text) {

	/** The last instant whose year has four digits. */
	static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

	private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

	/**
	 * Create a scheme.
	 * @throws IllegalArgumentException if a value is missing
	 */
	public TimeScheme {
		InvalidSettingException.requireGiven(TimeScheme.class, "strategy", strategy);
		InvalidSettingException.requireGiven(TimeScheme.class, "parameters", parameters);
		InvalidSettingException.requireGiven(TimeScheme.class, "summary", summary);
		InvalidSettingException.requireGiven(TimeScheme.class, "layout", layout);
		InvalidSettingException.requireGiven(TimeScheme.class, "tail", tail);
		InvalidSettingException.requireGiven(TimeScheme.class, "text", text);
	}

	/**
	 * Create a scheme with the default text form of its strategy.
	 * @param textForm the text form
	 */
	TimeScheme(String strategy, String parameters, String summary, TimeLayout layout, Tail tail, TextForm textForm) {
		this(strategy, parameters, summary, layout, tail, new DefinedText(textForm, ""));
	}

	/**
	 * Return this scheme with another text form.
	 * @param text the settings of the text form
	 * @param keySpace the name of the key space
	 * @return a scheme with the same numeric ids, whose definition includes the text form
	 * @throws IllegalArgumentException if the ids of this scheme cannot have that text
	 * form
	 */
	public TimeScheme withText(TextSettings text, String keySpace) {
		InvalidSettingException.requireGiven(TimeScheme.class, "text", text);
		return new TimeScheme(this.strategy, this.parameters, this.summary, this.layout, this.tail,
				text.formOfTime(keySpace, this.text.form(), this.layout.isUnsigned(), this.layout.maxId()));
	}

	/**
	 * Return the UUID form of the ids of this scheme.
	 * @param identity a string that distinguishes the UUIDs from those of other key
	 * spaces
	 * @param text the settings of the text form
	 * @param keySpace the name of the key space
	 * @return the UUID form, with version 7, or with version 8 if secrets hide the time
	 */
	UuidForm uuids(String identity, TextSettings text, String keySpace) {
		return text.uuidsOfTime(identity, keySpace, this.layout);
	}

	/**
	 * Return the definition of this scheme. It contains what must not change once ids
	 * exist: the epoch, the widths of the parts, and the text form. It contains neither
	 * the choice of tails, which may change, nor the last instant, which may become
	 * later.
	 * @return the definition to store with the key space
	 */
	public String definition() {
		return this.strategy + " " + this.parameters + this.text.definition();
	}

	/**
	 * Format an id.
	 * @param id the numeric form
	 * @return the text form
	 * @throws IllegalArgumentException if the number is not an id of this scheme
	 */
	public String format(long id) {
		return this.text.form().format(this.layout.verify(id));
	}

	/**
	 * Parse an id.
	 * @param text the text form
	 * @return the numeric form
	 * @throws IllegalArgumentException if the text is not an id of this scheme
	 */
	public long parse(String text) {
		return this.layout.verify(this.text.form().parse(text));
	}

	/**
	 * Describe an id.
	 * @param id the numeric form
	 * @return the description, with time, node and tail
	 * @throws IllegalArgumentException if the number is not an id of this scheme
	 */
	public IdDescription describe(long id) {
		return IdDescription.ofTime(id, format(id), this.layout.instant(this.layout.time(id)), this.layout.node(id),
				this.layout.tail(id));
	}

	/**
	 * Verify that the epoch of this scheme is not in the future.
	 * @param now the current instant
	 * @throws InvalidSettingException if the epoch is in the future
	 */
	public void verifyEpochNotInFuture(Instant now) {
		InvalidSettingException.requireGiven(TimeScheme.class, "now", now);
		InvalidSettingException.require(!this.layout.epoch().isAfter(now), TimeScheme.class, "epoch",
				this.layout.epoch(), "must not be in the future: the clock of this machine shows " + now);
	}

	static void verifyEpoch(Class<?> settings, Instant epoch) {
		boolean valid = epoch != null && !epoch.isBefore(FIRST) && !epoch.isAfter(LAST)
				&& Duration.ofMillis(epoch.toEpochMilli()).equals(Duration.between(Instant.EPOCH, epoch));
		InvalidSettingException.require(valid, settings, "epoch", epoch,
				"must be a whole number of milliseconds in the years 1 to 9999");
	}

	/**
	 * The ways to choose the tails of ids. A node never uses a tail twice in the same
	 * millisecond.
	 *
	 * @since 0.1.0
	 */
	public enum Tail {

		/**
		 * Tails count the ids of a millisecond from 0, as in Twitter's Snowflake. At low
		 * rates, nearly all tails are 0.
		 */
		SEQUENCE,

		/**
		 * The tails of a millisecond continue after the last tail of the previous
		 * millisecond. This distributes the low bits of ids. If fewer than about half of
		 * the tails would be left for the new millisecond, its tails begin at 0 instead.
		 * Within a millisecond, tails ascend.
		 */
		ROLLING,

		/**
		 * Tails are the values of a counter that is not reset between milliseconds, as in
		 * the ids of Instagram.
		 */
		FREE_RUNNING,

		/**
		 * The first tail of each millisecond looks random. Each further tail is the
		 * previous one plus a constant step, modulo the number of tails. A {@link Keys
		 * key} determines the first tails and the step.
		 */
		RANDOM;

		/**
		 * Supplies the keys for random tails. A key makes the tails of a generator hard
		 * to predict. The uniqueness of ids does not depend on keys.
		 *
		 * @since 0.1.0
		 */
		@FunctionalInterface
		public interface Keys {

			/**
			 * Return the key for the random tails of a generator. A generator calls this
			 * method once, when it opens.
			 * @param generator the name of the generator
			 * @return the key, which may be any number
			 */
			long key(String generator);

			/**
			 * Return a supplier of unpredictable keys.
			 * @return a supplier that returns a new random key for each call
			 */
			static Keys secure() {
				SecureRandom random = new SecureRandom();
				return (generator) -> random.nextLong();
			}

		}

	}

}
