package dev.idspring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

import dev.idspring.text.ScopePeriod;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme.Tail;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * Properties of one generator. Those under {@code ids} are the ones of the default
 * generator; those under {@code ids.generators.<name>} inherit from them what they do not
 * say themselves.
 *
 * @param strategy How ids are made.
 * @param keySpace Name of the key space in the store. Applications that share a schema
 * share a key space of the same name. Not inherited; defaults to the name of the
 * generator.
 * @param scoped Whether each scope, such as a tenant, has numbers of its own, with the
 * gapless strategy. Not inherited.
 * @param period How often the numbers of a scope begin again. Fixed when the key space is
 * created.
 * @param zone Time zone in which periods begin.
 * @param maxScopes Number of scopes that a generator creates at most, in each period: a
 * limit against input that makes up scopes.
 * @param verifyColumn Column that ids are inserted into, as table.column or
 * schema.table.column, or none, or auto for the unique columns of annotated entities. The
 * start fails if it contains ids that are yet to be handed out, as where rows are older
 * than the key space or a backup was restored. Not inherited; defaults to auto.
 * @param text How ids are written.
 * @param uuid How ids become UUIDs.
 * @param coprime Settings of the coprime strategy.
 * @param sequential Settings of the sequential strategy.
 * @param recycled Settings of the recycled strategy.
 * @param gapless Settings of the gapless strategy.
 * @param snowflake Settings of the snowflake strategy.
 * @param decimalUid Settings of the decimal-uid strategy.
 * @param composite Settings of the composite strategy.
 * @param block How ids are reserved ahead of use.
 * @param lease Time after which a series or a node may be taken over from an instance
 * that did not renew it; more than 1,000 instances need 5m. Nodes reserve times that far
 * ahead.
 * @param node Number that tells the ids of this instance from those of others, with time
 * strategies.
 * @param clock Clock tolerance of time strategies.
 * @param health When the end of a key space is near.
 * @since 0.1.0
 */
@ConfigurationProperties("ids")
public record GeneratorProperties(@DefaultValue("coprime") Strategy strategy, @Nullable String keySpace,
		@DefaultValue("false") boolean scoped, @DefaultValue("none") ScopePeriod period,
		@DefaultValue("UTC") ZoneId zone, @DefaultValue("100000") long maxScopes,
		@DefaultValue("auto") String verifyColumn, @DefaultValue Text text, @DefaultValue Uuid uuid,
		@DefaultValue Coprime coprime, @Nullable Numbers sequential, @Nullable Recycled recycled,
		@Nullable Numbers gapless, @Nullable Snowflake snowflake, @Nullable DecimalUid decimalUid,
		@Nullable Composite composite, @DefaultValue Block block, @DefaultValue("30s") Duration lease,
		@Nullable Node node, @Nullable Clock clock, @DefaultValue Health health) {

	/**
	 * Create settings. An empty text is none, as where a placeholder has no value.
	 */
	public GeneratorProperties {
		keySpace = textOrNull(keySpace);
		verifyColumn = StringUtils.hasText(verifyColumn) ? verifyColumn : "auto";
	}

	static @Nullable String textOrNull(@Nullable String text) {
		return StringUtils.hasText(text) ? text : null;
	}

	/**
	 * Return the name of the key space.
	 * @param name the name of the generator
	 */
	String keySpaceOf(String name) {
		return (this.keySpace != null) ? this.keySpace : name;
	}

	@Override
	public Numbers sequential() {
		return orDefaults(this.sequential, Numbers.class);
	}

	@Override
	public Recycled recycled() {
		return orDefaults(this.recycled, Recycled.class);
	}

	@Override
	public Numbers gapless() {
		return orDefaults(this.gapless, Numbers.class);
	}

	@Override
	public Snowflake snowflake() {
		return orDefaults(this.snowflake, Snowflake.class);
	}

	@Override
	public DecimalUid decimalUid() {
		return orDefaults(this.decimalUid, DecimalUid.class);
	}

	@Override
	public Composite composite() {
		return orDefaults(this.composite, Composite.class);
	}

	@Override
	public Node node() {
		return orDefaults(this.node, Node.class);
	}

	@Override
	public Clock clock() {
		return orDefaults(this.clock, Clock.class);
	}

	/**
	 * Return a group. Most groups are not configured, and no generator of another
	 * strategy needs them. Since binding takes time, their defaults are bound on demand.
	 */
	private static <T> T orDefaults(@Nullable T group, Class<T> type) {
		return (group != null) ? group : new Binder(List.of()).bindOrCreate("ids", type);
	}

	/**
	 * How ids are written: digits, then a check character, after a prefix. Fixed when the
	 * key space is created, but for secrets of sequential that are added.
	 *
	 * @param alphabet Digits of the text form: a name, or two or more distinct printable
	 * ASCII characters. Defaults to base62 if a length or a secret is set, else to
	 * decimal digits.
	 * @param length Number of digits, of counters at first. Defaults to 6 for counters
	 * and to as many as all ids need with time strategies.
	 * @param maxLength Number of digits up to which texts of counters may grow. Defaults
	 * to as many as the last number needs. May be raised later.
	 * @param prefix Letters and digits with one _ or - at the end that texts begin with.
	 * @param check Whether texts end with a check character, which shows typing errors.
	 * @param secret Secret that permutes numbers before they are written, so that texts
	 * tell nothing about them: 16, 24 or 32 random bytes in Base64. Not with coprime.
	 * @param secrets Secrets that follow one another, instead of a single one. Only
	 * sequential takes more than one.
	 * @param pattern How numbers of scopes are written, such as INV-{scope}-{yyyy}-{n:5}.
	 * Defaults to {n}.
	 */
	public record Text(@Nullable String alphabet, @Nullable Integer length, @Nullable Integer maxLength,
			@DefaultValue("") String prefix, @DefaultValue("false") boolean check, @Nullable String secret,
			@DefaultValue List<SecretKey> secrets, @Nullable String pattern) {

		/**
		 * Create settings. An empty text is none, as where a placeholder has no value.
		 */
		public Text {
			alphabet = textOrNull(alphabet);
			secret = textOrNull(secret);
			pattern = textOrNull(pattern);
		}

		@Override
		public String toString() {
			return "Text[prefix=" + this.prefix + ", check=" + this.check + "]";
		}

	}

	/**
	 * How ids become UUIDs.
	 *
	 * @param identity What tells the UUIDs of this generator from those of others. Not
	 * inherited; defaults to the name of the key space.
	 */
	public record Uuid(@Nullable String identity) {

		/**
		 * Create settings. An empty text is none, as where a placeholder has no value.
		 */
		public Uuid {
			identity = textOrNull(identity);
		}

	}

	/**
	 * One of several secrets.
	 *
	 * @param key 16, 24 or 32 random bytes in Base64.
	 * @param from Where the secret begins, left out of the first: a number of ids.
	 */
	public record SecretKey(@Nullable String key, @Nullable String from) {

		@Override
		public String toString() {
			return "SecretKey[from=" + this.from + "]";
		}

	}

	/**
	 * Settings of the coprime strategy.
	 *
	 * @param alphabet Alphabet of the text form: a name, or two or more distinct
	 * printable ASCII characters.
	 * @param length Number of characters of the text form.
	 * @param maxLength Number of characters up to which texts may grow once all shorter
	 * ones are used. Defaults to the length. May be raised later.
	 * @param multiplier Number k: distance between consecutive keys, coprime with the
	 * number of keys. Unset means the one stored with the key space, or for a new key
	 * space one that spreads keys evenly.
	 * @param offset First key. Without zeros in front: YAML reads 0100 as 64.
	 * @param preset Published scheme that replaces all other settings of this group.
	 */
	public record Coprime(@Nullable String alphabet, @Nullable Integer length, @Nullable Integer maxLength,
			@Nullable Long multiplier, @DefaultValue("0") long offset, @Nullable Preset preset) {

		/**
		 * Published schemes.
		 */
		public enum Preset {

			/**
			 * Decimal numbers below 2^31 - 1 in the order of Park and Miller's generator.
			 */
			PARK_MILLER

		}

	}

	/**
	 * Which numbers there are.
	 *
	 * @param start First number. Fixed when the key space is created. Without zeros in
	 * front: YAML reads 0100 as 64.
	 * @param end Last number. May be raised later. Without zeros in front: YAML reads
	 * 07777 as 4095.
	 */
	public record Numbers(@DefaultValue("1") long start, @DefaultValue("9223372036854775806") long end) {

	}

	/**
	 * Settings of the recycled strategy.
	 *
	 * @param seriesSize Number of ids in a series. Fixed when the key space is created.
	 * @param seriesPerInstance Number of series over which the threads of an instance are
	 * spread.
	 * @param capacity Number of ids in all, which is also the highest one. Rounded down
	 * to whole series. May be raised later.
	 */
	public record Recycled(@DefaultValue("1000000") long seriesSize, @DefaultValue("1") int seriesPerInstance,
			@DefaultValue("9223372036854000000") long capacity) {

	}

	/**
	 * Settings of the snowflake strategy.
	 *
	 * @param preset Layout to begin with. The other settings replace parts of it.
	 * @param epoch Instant of time 0, with an offset. Fixed when the key space is
	 * created.
	 * @param tail What the tail says that tells ids of a node and millisecond apart.
	 * @param timeBits Number of bits that count milliseconds. Fixed when the key space is
	 * created.
	 * @param nodeBits Number of bits that number nodes. Fixed when the key space is
	 * created.
	 * @param tailBits Number of bits that tell ids of a node and millisecond apart. Fixed
	 * when the key space is created.
	 * @param format Text form of ids: another way to set the alphabet of the text form.
	 */
	public record Snowflake(@DefaultValue("standard") SnowflakeSettings.Preset preset, @Nullable Instant epoch,
			@Nullable Integer timeBits, @Nullable Integer nodeBits, @Nullable Integer tailBits, @Nullable Tail tail,
			@DefaultValue("decimal") Format format) {

		/**
		 * Text forms with names.
		 */
		public enum Format {

			/**
			 * Decimal digits, as many as it takes.
			 */
			DECIMAL(null),

			/**
			 * Eleven characters 0-9a-zA-Z.
			 */
			BASE62("base62"),

			/**
			 * Thirteen characters of Crockford's base 32, which sort like the numbers.
			 */
			BASE32("base32"),

			/**
			 * Sixteen hexadecimal digits, which sort like the numbers.
			 */
			HEX("0123456789abcdef");

			private final @Nullable String alphabet;

			Format(@Nullable String alphabet) {
				this.alphabet = alphabet;
			}

			@Nullable String alphabet() {
				return this.alphabet;
			}

		}

	}

	/**
	 * Settings of the decimal-uid strategy.
	 *
	 * @param epoch Instant of time 0, with an offset. Fixed when the key space is
	 * created.
	 * @param randomDigits Number of digits that tell ids of a node and millisecond apart.
	 * Fixed when the key space is created.
	 * @param nodeDigits Number of digits that number nodes. Fixed when the key space is
	 * created.
	 * @param signed Whether ids fit a signed BIGINT. Otherwise they last longer, need an
	 * unsigned one and are negative as Java longs after 2040. May be changed to false
	 * later.
	 */
	public record DecimalUid(@DefaultValue("2011-01-01T00:00:00Z") Instant epoch, @DefaultValue("6") int randomDigits,
			@DefaultValue("1") int nodeDigits, @DefaultValue("true") boolean signed) {

	}

	/**
	 * Settings of the composite strategy.
	 *
	 * @param epoch Instant of time 0 of the numeric form, with an offset. Fixed when the
	 * key space is created.
	 * @param prefix Number that ids begin with. Unset means what a CompositePrefix bean
	 * gives or, if there is none, the node. Without zeros in front: YAML reads 042 as 34.
	 * @param prefixDigits Number of digits of what ids begin with. Fixed when the key
	 * space is created.
	 * @param sequenceDigits Number of digits after the time, two of which are the node if
	 * ids begin with a prefix. Fixed when the key space is created.
	 */
	public record Composite(@DefaultValue("2024-01-01T00:00:00Z") Instant epoch, @Nullable Long prefix,
			@DefaultValue("3") int prefixDigits, @DefaultValue("3") int sequenceDigits) {

	}

	/**
	 * Number that tells the ids of this instance from those of others.
	 *
	 * @param source Where the number comes from.
	 * @param id Number of this instance, if the source is fixed. Without zeros in front:
	 * YAML reads 010 as 8.
	 */
	public record Node(@DefaultValue("lease") Source source, @Nullable Long id) {

		/**
		 * Where the number of a node comes from.
		 */
		public enum Source {

			/**
			 * A number that is free, as the store knows.
			 */
			LEASE,

			/**
			 * The number in the configuration.
			 */
			FIXED,

			/**
			 * The number at the end of the name of the host, as the pods of a StatefulSet
			 * have.
			 */
			HOSTNAME

		}

	}

	/**
	 * The clock tolerance.
	 *
	 * @param maxAhead Time by which ids may be ahead of the clock when more are drawn
	 * than there are in a millisecond.
	 * @param maxSkew Time by which the clock may differ from that of the database, or
	 * jump.
	 */
	public record Clock(@DefaultValue("1s") Duration maxAhead, @DefaultValue("1m") Duration maxSkew) {

	}

	/**
	 * How ids are reserved ahead of use.
	 *
	 * @param size Number of ids the first reservations ask for. Doubles while a block
	 * lasts less than a second, or than four reservations take, and shrinks back when the
	 * use falls; always the same with recycled.
	 * @param maxSize Number of ids a reservation asks for at most, unless one bulk call
	 * needs more. A killed instance loses at most two blocks, one with recycled; with
	 * coprime also what its threads have taken in advance, less than 4,096 each.
	 * @param waitTimeout Time after which a caller gives up when no id is left in memory
	 * and the store does not answer. Also the limit for statements. At least 100ms.
	 * @param outageReserve Time for which ids in memory should last when the store fails,
	 * at the rate measured so far.
	 */
	public record Block(@DefaultValue("1000") long size, @DefaultValue("5000000") long maxSize,
			@DefaultValue("5s") Duration waitTimeout, @DefaultValue("0s") Duration outageReserve) {

	}

	/**
	 * When the end of a key space is near.
	 *
	 * @param lowRemaining Share of unreserved keys below which the status is LOW, in
	 * percent.
	 * @param lowHorizon Time before the projected end of the key space from which on the
	 * status is LOW.
	 */
	public record Health(@DefaultValue("10%") String lowRemaining, @DefaultValue("30d") Duration lowHorizon) {

	}

}
