package dev.idspring.lab;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.text.Alphabet;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme;
import dev.idspring.time.TimeScheme.Tail;

/**
 * The generators in each instance of the tested application, one of each strategy.
 */
enum LabGenerator {

	/**
	 * The key space converts an id to its ordinal. Other tests verify this conversion.
	 */
	CODES(Kind.COUNTER, codeSpace()::ordinal, (id) -> 0, "strategy=coprime"),

	ROWS(Kind.COUNTER, (id) -> id - 1, (id) -> 0, "strategy=sequential"),

	LINES(Kind.SERIES, (id) -> id - 1, (id) -> (id - 1) / Constants.SERIES_SIZE, "strategy=recycled",
			"recycled.series-size=" + Constants.SERIES_SIZE,
			"recycled.series-per-instance=" + Constants.SERIES_PER_INSTANCE),

	INVOICES(Kind.GAPLESS, (id) -> id - 1, (id) -> 0, "strategy=gapless"),

	EVENTS(SnowflakeSettings.Preset.STANDARD.settings().scheme(), "strategy=snowflake"),

	/** Only the milliseconds increase; random digits and the node follow them. */
	TICKETS(new DecimalUidSettings(Constants.EPOCH, 5, 2, true).scheme(), "strategy=decimal-uid",
			"decimal-uid.random-digits=5", "decimal-uid.node-digits=2", "decimal-uid.epoch=" + Constants.EPOCH),

	/** The node is the first part of an id, so only the parts after it increase. */
	RECEIPTS(new CompositeSettings(Constants.EPOCH, false, 3, 3).scheme(), "strategy=composite",
			"composite.epoch=" + Constants.EPOCH);

	/** The number of ids in a block. */
	static final int BLOCK = 50;

	/** The largest number of ids that a call requests. */
	static final int MAX_BULK = 10;

	/** The wait timeout of callers. */
	static final int WAIT_MILLIS = 2_000;

	private final Kind kind;

	private final LongUnaryOperator rank;

	private final LongUnaryOperator position;

	private final LongUnaryOperator slot;

	private final List<String> properties;

	/**
	 * Create a generator that counts ordinals.
	 * @param slot computes the number of the series from an id
	 */
	LabGenerator(Kind kind, LongUnaryOperator ordinal, LongUnaryOperator slot, String... properties) {
		this.kind = kind;
		this.rank = ordinal;
		this.position = ordinal;
		this.slot = slot;
		this.properties = List.of(properties);
	}

	/**
	 * Create a time-based generator. Its ids are ordered by time, and ids of the same
	 * time by their tail unless the tail is random.
	 */
	LabGenerator(TimeScheme scheme, String... properties) {
		this.kind = (scheme.tail() == Tail.RANDOM) ? Kind.ROUGH_TIME : Kind.TIME;
		this.position = (id) -> scheme.layout().time(scheme.describe(id).time());
		this.slot = (id) -> scheme.describe(id).node();
		this.rank = (this.kind == Kind.TIME)
				? (id) -> this.position.applyAsLong(id) * scheme.layout().tails() + scheme.describe(id).tail()
				: this.position;
		this.properties = List.of(properties);
	}

	private static KeySpace codeSpace() {
		return new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0).resolve(null);
	}

	String generatorName() {
		return name().toLowerCase(Locale.ROOT);
	}

	Kind kind() {
		return this.kind;
	}

	/**
	 * Return the rank of an id in the order of its generator. For counting generators
	 * this is the ordinal, from 0.
	 */
	long rank(long id) {
		return this.rank.applyAsLong(id);
	}

	/**
	 * Return the position of an id: its ordinal or its time. The lab verifies that the
	 * store has reserved this position.
	 */
	long position(long id) {
		return this.position.applyAsLong(id);
	}

	/**
	 * Return the series or node of an id, 0 if the generator has neither.
	 */
	long slot(long id) {
		return this.slot.applyAsLong(id);
	}

	/**
	 * Return the properties of an application with all of these generators.
	 */
	static Stream<String> allProperties() {
		return Stream.concat(
				Stream.of("ids.block.size=" + BLOCK, "ids.block.max-size=" + BLOCK,
						"ids.block.wait-timeout=" + WAIT_MILLIS + "ms", "ids.lease=2s", "ids.store=jdbc",
						"ids.jdbc.initialize-schema=never"),
				Arrays.stream(values())
					.flatMap((generator) -> generator.properties.stream()
						.map((property) -> "ids.generators." + generator.generatorName() + "." + property)));
	}

	/**
	 * The order that a generator guarantees.
	 */
	enum Kind {

		/**
		 * Blocks of a counter that all instances share. Ids increase within an instance.
		 */
		COUNTER,

		/**
		 * Ids increase within a series. A series belongs to one instance until the
		 * instance gives it up. An instance may use several series at once.
		 */
		SERIES,

		/** Numbers that are consecutive once they are committed. */
		GAPLESS,

		/** Ids strictly increase within an instance. */
		TIME,

		/**
		 * Ids never decrease within an instance, but the order within a millisecond is
		 * random.
		 */
		ROUGH_TIME

	}

	/**
	 * A separate class, because the constants of an enum cannot refer to its static
	 * fields.
	 */
	static final class Constants {

		static final int SERIES_PER_INSTANCE = 2;

		static final int SERIES_SIZE = 2_000;

		static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

	}

}
