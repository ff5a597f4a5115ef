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

/**
 * Properties of a generator. The properties of the default generator are directly under
 * {@code ids}, and those of a named generator under {@code ids.generators.<name>}. A
 * named generator inherits the properties that are not set for it, except those described
 * as not inherited.
 *
 * @param strategy How ids are generated.
 * @param keySpace Name of the key space, the record of reserved ids in the store.
 * Applications with the same schema share key spaces of the same name. Not inherited.
 * Defaults to the name of the generator.
 * @param scoped Whether each scope, such as a tenant, has its own sequence of numbers.
 * Only for the gapless strategy. Not inherited.
 * @param period How often the numbers of a scope start over. Cannot be changed later.
 * @param zone Time zone that determines when a period begins.
 * @param maxScopes Maximum number of scopes that a generator creates per period. Protects
 * the store if invalid input is used as a scope.
 * @param verifyColumn Column that ids are inserted into, as table.column or
 * schema.table.column. Startup fails if the column contains ids that the generator would
 * still issue, for example after a backup was restored. The value auto verifies the
 * unique columns of annotated entities, and none verifies no column. Not inherited.
 * Defaults to auto.
 * @param text How ids are written as text.
 * @param uuid How ids are converted to UUIDs.
 * @param coprime Settings of the coprime strategy.
 * @param sequential Settings of the sequential strategy.
 * @param recycled Settings of the recycled strategy.
 * @param gapless Settings of the gapless strategy.
 * @param snowflake Settings of the snowflake strategy.
 * @param decimalUid Settings of the decimal-uid strategy.
 * @param composite Settings of the composite strategy.
 * @param block How ids are reserved in advance.
 * @param lease Time without a renewal after which another instance may take over the
 * series and node numbers of an instance. Also how far ahead of the clock a node reserves
 * times for its ids. Set 5m for more than 1,000 instances, to limit the renewals.
 * @param node Number that distinguishes the ids of this instance from those of other
 * instances. Only for time-based strategies.
 * @param clock Clock tolerance of time-based strategies.
 * @param health When a key space counts as almost exhausted.
 * @since 0.1.0
 */
// From JDK 18 on, the first reflective call of a constructor takes milliseconds, and more
// if the constructor has many parameters of primitive types. Therefore, constructors that
// every startup calls have boxed parameters. A group whose defaults are null, empty,
// false or zero has a constant with these defaults, so that only a configured group needs
// a reflective call.
@ConfigurationProperties("ids")
public record GeneratorProperties(@DefaultValue("coprime") Strategy strategy, @Nullable String keySpace,
		@DefaultValue("false") Boolean scoped, @DefaultValue("none") ScopePeriod period,
		@DefaultValue("UTC") ZoneId zone, @DefaultValue("100000") Long maxScopes,
		@DefaultValue("auto") String verifyColumn, @Nullable Text text, @Nullable Uuid uuid, @Nullable Coprime coprime,
		@Nullable Numbers sequential, @Nullable Recycled recycled, @Nullable Numbers gapless,
		@Nullable Snowflake snowflake, @Nullable DecimalUid decimalUid, @Nullable Composite composite,
		@DefaultValue Block block, @DefaultValue("30s") Duration lease, @Nullable Node node, @Nullable Clock clock,
		@DefaultValue Health health) {

	/**
	 * Return the name of the key space, which defaults to the name of the generator.
	 * @param name the name of the generator
	 */
	String keySpaceOf(String name) {
		return (this.keySpace != null) ? this.keySpace : name;
	}

	/**
	 * Return whether {@code verify-column} names a column. If the value is {@code auto},
	 * the columns of entities may be verified later, when the entities are known.
	 */
	boolean namesColumn() {
		return !this.verifyColumn.equals("auto") && !this.verifyColumn.equals("none");
	}

	@Override
	public Text text() {
		return (this.text != null) ? this.text : Text.DEFAULTS;
	}

	@Override
	public Uuid uuid() {
		return (this.uuid != null) ? this.uuid : Uuid.DEFAULTS;
	}

	@Override
	public Coprime coprime() {
		return (this.coprime != null) ? this.coprime : Coprime.DEFAULTS;
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
	 * Return a group of properties, or its defaults if it is not configured. The defaults
	 * are bound only on use, because a generator needs only the groups of its own
	 * strategy.
	 */
	static <T> T orDefaults(@Nullable T group, Class<T> type) {
		return (group != null) ? group : new Binder(List.of()).bindOrCreate("ids", type);
	}

	/**
	 * How ids are written as text: an optional prefix, digits, and an optional check
	 * character. After the key space is created, only two changes are possible: the
	 * maximum length may be raised, and a sequential key space with a secret accepts more
	 * secrets.
	 *
	 * @param alphabet Digits of the text form: the name of an alphabet, or two or more
	 * distinct printable ASCII characters. Defaults to base62 if a length, a maximum
	 * length or a secret is set, and otherwise to decimal digits.
	 * @param length Number of digits. For counters, the minimum, 6 by default: larger
	 * numbers get more digits, up to the maximum length. For time-based strategies,
	 * defaults to the digits of a 64-bit number.
	 * @param maxLength Maximum number of digits for counters. Defaults to the number of
	 * digits that the last number needs. May be raised later.
	 * @param prefix Prefix of the text form: letters and digits, followed by a single _
	 * or -.
	 * @param check Whether the text form ends with a check character, which detects
	 * typing errors.
	 * @param secret Secret that permutes numbers, so that the text form does not reveal
	 * them: 16, 24 or 32 random bytes in Base64. Not for the coprime strategy.
	 * @param secrets List of secrets, instead of a single one. Each secret applies to the
	 * numbers before the first number of the next secret. Only the sequential strategy
	 * accepts more than one secret.
	 * @param pattern Pattern for the numbers of scopes, such as INV-{scope}-{yyyy}-{n:5}.
	 * Defaults to {n}.
	 */
	public record Text(@Nullable String alphabet, @Nullable Integer length, @Nullable Integer maxLength,
			@DefaultValue("") String prefix, @DefaultValue("false") boolean check, @Nullable String secret,
			@DefaultValue List<SecretKey> secrets, @Nullable String pattern) {

		static final Text DEFAULTS = new Text(null, null, null, "", false, null, List.of(), null);

		@Override
		public String toString() {
			return "Text[prefix=" + this.prefix + ", check=" + this.check + "]";
		}

	}

	/**
	 * How ids are converted to UUIDs.
	 *
	 * @param identity String that distinguishes the UUIDs of this generator from those of
	 * other generators. Not inherited. Defaults to the name of the key space.
	 */
	public record Uuid(@Nullable String identity) {

		static final Uuid DEFAULTS = new Uuid(null);

	}

	/**
	 * One of several secrets.
	 *
	 * @param key Secret of 16, 24 or 32 random bytes in Base64.
	 * @param from Number of ids before the first id with this secret. Not set for the
	 * first secret.
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
	 * @param alphabet Alphabet of the text form: its name, or two or more distinct
	 * printable ASCII characters.
	 * @param length Number of characters in the text form.
	 * @param maxLength Maximum number of characters in the text form. Ids get longer when
	 * all shorter ones have been used. Defaults to the length. May be raised later.
	 * @param multiplier Distance between consecutive keys. Must be coprime to the number
	 * of keys. Defaults to the stored value or, for a new key space, to a value that
	 * spreads the keys evenly.
	 * @param offset First key. No leading zeros, because YAML reads 0100 as 64.
	 * @param preset Published scheme that replaces all other settings of the coprime
	 * strategy.
	 */
	public record Coprime(@Nullable String alphabet, @Nullable Integer length, @Nullable Integer maxLength,
			@Nullable Long multiplier, @DefaultValue("0") long offset, @Nullable Preset preset) {

		static final Coprime DEFAULTS = new Coprime(null, null, null, null, 0, null);

		/**
		 * A published scheme.
		 */
		public enum Preset {

			/**
			 * Decimal numbers below 2^31 - 1, in the order of the Park-Miller random
			 * number generator.
			 */
			PARK_MILLER

		}

	}

	/**
	 * The range of numbers.
	 *
	 * @param start First number. Cannot be changed later. No leading zeros, because YAML
	 * reads 0100 as 64.
	 * @param end Last number. May be raised later. No leading zeros, because YAML reads
	 * 07777 as 4095.
	 */
	public record Numbers(@DefaultValue("1") long start, @DefaultValue("9223372036854775806") long end) {

	}

	/**
	 * Settings of the recycled strategy.
	 *
	 * @param seriesSize Number of ids per series. Only one instance uses a series at a
	 * time. Cannot be changed later.
	 * @param seriesPerInstance Number of series that an instance uses at the same time,
	 * to distribute its threads among them.
	 * @param capacity Total number of ids, which is also the largest id. Rounded down to
	 * whole series. May be raised later.
	 */
	public record Recycled(@DefaultValue("1000000") long seriesSize, @DefaultValue("1") int seriesPerInstance,
			@DefaultValue("9223372036854000000") long capacity) {

	}

	/**
	 * Settings of the snowflake strategy.
	 *
	 * @param preset Predefined layout, which the other settings may modify.
	 * @param epoch Instant from which ids count time, written with a UTC offset. Cannot
	 * be changed later.
	 * @param tail How the tail, the last bits of an id, distinguishes the ids that a node
	 * generates in the same millisecond.
	 * @param timeBits Number of bits for the time in milliseconds. Cannot be changed
	 * later.
	 * @param nodeBits Number of bits for the node. Cannot be changed later.
	 * @param tailBits Number of bits for the tail. Cannot be changed later.
	 * @param format Text form of ids. An alternative to ids.text.alphabet.
	 */
	public record Snowflake(@DefaultValue("standard") SnowflakeSettings.Preset preset, @Nullable Instant epoch,
			@Nullable Integer timeBits, @Nullable Integer nodeBits, @Nullable Integer tailBits, @Nullable Tail tail,
			@DefaultValue("decimal") Format format) {

		/**
		 * A named text form.
		 */
		public enum Format {

			/**
			 * Decimal digits without leading zeros.
			 */
			DECIMAL(null),

			/**
			 * Eleven characters from 0-9, a-z and A-Z.
			 */
			BASE62("base62"),

			/**
			 * Thirteen characters of Crockford's base 32. The strings sort like the
			 * numbers.
			 */
			BASE32("base32"),

			/**
			 * Sixteen hexadecimal digits. The strings sort like the numbers.
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
	 * @param epoch Instant from which ids count time, written with a UTC offset. Cannot
	 * be changed later.
	 * @param randomDigits Number of random digits, which distinguish the ids that a node
	 * generates in the same millisecond. Cannot be changed later.
	 * @param nodeDigits Number of digits for the node. Cannot be changed later.
	 * @param signed Whether ids must fit into a signed BIGINT. If false, the key space
	 * lasts longer, but ids need an unsigned BIGINT, and are negative Java longs after
	 * 2040. May be changed to false later.
	 */
	public record DecimalUid(@DefaultValue("2011-01-01T00:00:00Z") Instant epoch, @DefaultValue("6") int randomDigits,
			@DefaultValue("1") int nodeDigits, @DefaultValue("true") boolean signed) {

	}

	/**
	 * Settings of the composite strategy.
	 *
	 * @param epoch Instant from which numeric ids count time, written with a UTC offset.
	 * Cannot be changed later.
	 * @param prefix Number that ids begin with. Defaults to the value of the
	 * CompositePrefix bean. Without such a bean, ids begin with the node. No leading
	 * zeros, because YAML reads 042 as 34.
	 * @param prefixDigits Number of digits of the prefix or, without a prefix, of the
	 * node. Cannot be changed later.
	 * @param sequenceDigits Number of digits after the time. If ids begin with a prefix,
	 * two of these digits are the node. Cannot be changed later.
	 */
	public record Composite(@DefaultValue("2024-01-01T00:00:00Z") Instant epoch, @Nullable Long prefix,
			@DefaultValue("3") int prefixDigits, @DefaultValue("3") int sequenceDigits) {

	}

	/**
	 * Number that distinguishes the ids of this instance from those of other instances.
	 *
	 * @param source Where the node number comes from.
	 * @param id Node number of this instance, if the source is fixed. No leading zeros,
	 * because YAML reads 010 as 8.
	 */
	public record Node(@DefaultValue("lease") Source source, @Nullable Long id) {

		/**
		 * Where the node number comes from.
		 */
		public enum Source {

			/**
			 * A free number, which the instance leases from the store.
			 */
			LEASE,

			/**
			 * The number that is configured as {@code ids.node.id}.
			 */
			FIXED,

			/**
			 * The number at the end of the host name, as in the names of a StatefulSet's
			 * pods.
			 */
			HOSTNAME

		}

	}

	/**
	 * Tolerance for bursts of ids and for inaccurate clocks.
	 *
	 * @param maxAhead Maximum time by which ids may run ahead of the clock. Ids contain
	 * later times if more of them are drawn in a millisecond than the layout allows.
	 * @param maxSkew Maximum time by which the clock may jump, or differ from the clock
	 * of the store.
	 */
	public record Clock(@DefaultValue("1s") Duration maxAhead, @DefaultValue("1m") Duration maxSkew) {

	}

	/**
	 * How ids are reserved in advance.
	 *
	 * @param size Number of ids that the first reservations request. Later reservations
	 * request more or fewer ids, depending on the rate of draws. With the recycled
	 * strategy, the number is constant.
	 * @param maxSize Maximum number of ids that a reservation requests, unless a single
	 * bulk call needs more. A killed instance loses the ids of at most two reservations,
	 * or of one with the recycled strategy. With the coprime strategy, each thread also
	 * loses fewer than 4,096 ids.
	 * @param waitTimeout Maximum time that a caller waits if no id is left in memory and
	 * the store does not answer. Also the time limit for SQL statements. At least 100ms.
	 * @param outageReserve Time that the ids in memory should last without the store, at
	 * the rate measured so far.
	 */
	public record Block(@DefaultValue("1000") Long size, @DefaultValue("5000000") Long maxSize,
			@DefaultValue("5s") Duration waitTimeout, @DefaultValue("0s") Duration outageReserve) {

	}

	/**
	 * When a key space counts as almost exhausted.
	 *
	 * @param lowRemaining Percentage of unreserved keys below which the status is LOW.
	 * @param lowHorizon The status is LOW if the key space is projected to be exhausted
	 * within this time.
	 */
	public record Health(@DefaultValue("10%") String lowRemaining, @DefaultValue("30d") Duration lowHorizon) {

	}

}
