package dev.idspring.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme;
import org.jspecify.annotations.Nullable;

/**
 * Creates layouts of time-based ids from properties, and determines the node of a
 * generator.
 *
 * @param binder binds the properties
 * @param name the name of the generator
 */
record TimeSettings(GeneratorPropertiesBinder binder, String name) {

	private static final int JAVASCRIPT_BITS = 53;

	/** The properties that determine how many bits or digits are left for the time. */
	private static final Map<Strategy, List<String>> WIDTHS = Map.of(Strategy.SNOWFLAKE,
			List.of("snowflake.time-bits", "snowflake.node-bits", "snowflake.tail-bits"), Strategy.DECIMAL_UID,
			List.of("decimal-uid.random-digits", "decimal-uid.node-digits"), Strategy.COMPOSITE,
			List.of("composite.prefix-digits", "composite.sequence-digits"));

	private static final String SOURCE = "node.source";

	private static final String ID = "node.id";

	/** Matches the host name of a StatefulSet's pod, with or without the domain. */
	private static final Pattern ORDINAL = Pattern.compile("[^.]*-(0|[1-9]\\d{0,8})(\\..*)?");

	/** The characters that Kubernetes uses in the random parts of names. */
	private static final String RANDOM_CHARACTER = "[bcdfghjklmnpqrstvwxz2456789]";

	/**
	 * Matches host names whose last number is not an ordinal: names of a Deployment's
	 * pods, and names that contain an IP address.
	 */
	private static final Pattern WITHOUT_ORDINAL = Pattern
		.compile("[^.]*-" + RANDOM_CHARACTER + "{6,10}-\\w{5}(\\..*)?|ip-\\d+-\\d+-\\d+-\\d+(\\..*)?");

	TimeScheme scheme(Instant now, boolean prefixGiven) {
		GeneratorProperties properties = this.binder.bind(this.name);
		GeneratorProperties.DecimalUid decimal = properties.decimalUid();
		TimeScheme scheme = switch (properties.strategy()) {
			case DECIMAL_UID ->
				new DecimalUidSettings(decimal.epoch(), decimal.randomDigits(), decimal.nodeDigits(), decimal.signed())
					.scheme();
			case COMPOSITE -> composite(properties.composite(), prefixGiven).scheme();
			default -> snowflake(properties.snowflake()).scheme();
		};
		scheme.verifyEpochNotInFuture(now);
		verifyNotExpired(properties.strategy(), scheme, now);
		return scheme;
	}

	/**
	 * Reject a layout whose last instant has already passed. Call this method before the
	 * key space is created, because the layout of a key space cannot be changed
	 * afterwards.
	 */
	private void verifyNotExpired(Strategy strategy, TimeScheme scheme, Instant now) {
		Instant last = scheme.layout().lastInstant();
		if (now.isAfter(last)) {
			String epoch = property(strategy.id() + ".epoch");
			List<String> widths = WIDTHS.getOrDefault(strategy, List.of()).stream().map(this::property).toList();
			throw new IdSetupException(
					"Id generator '" + this.name + "' cannot create ids with " + epoch + "=" + scheme.layout().epoch()
							+ " and " + String.join(", ", widths) + ": the last instant that ids can contain was "
							+ last + ", but the clock of this machine shows " + now + ".",
					"If no ids exist yet, set a later epoch, or reserve more digits or bits for the time. If ids exist,"
							+ " set " + ownProperty("key-space")
							+ " to the name of a new key space, and set a later epoch.",
					Stream.concat(widths.stream(), Stream.of(epoch)).toList(), null);
		}
	}

	private SnowflakeSettings snowflake(GeneratorProperties.Snowflake snowflake) {
		SnowflakeSettings preset = snowflake.preset().settings();
		SnowflakeSettings settings = new SnowflakeSettings(
				Optional.ofNullable(snowflake.epoch()).orElse(preset.epoch()),
				Optional.ofNullable(snowflake.timeBits()).orElse(preset.timeBits()),
				Optional.ofNullable(snowflake.nodeBits()).orElse(preset.nodeBits()),
				Optional.ofNullable(snowflake.tailBits()).orElse(preset.tailBits()),
				Optional.ofNullable(snowflake.tail()).orElse(preset.tail()));
		int bits = settings.timeBits() + settings.nodeBits() + settings.tailBits();
		if (snowflake.preset() == SnowflakeSettings.Preset.JAVASCRIPT && bits > JAVASCRIPT_BITS) {
			String changedWidth = WIDTHS.getOrDefault(Strategy.SNOWFLAKE, List.of())
				.stream()
				.filter((width) -> this.binder.isOwn(this.name, width))
				.findFirst()
				.orElse("snowflake.preset");
			String property = property(changedWidth);
			throw new IdSetupException(
					property + " brings the total to " + bits
							+ " bits, but numbers of the javascript preset must have at most " + JAVASCRIPT_BITS + ".",
					"Use " + (bits - JAVASCRIPT_BITS) + " fewer bits for time, node and tail together.",
					List.of(property), null);
		}
		return settings;
	}

	static CompositeSettings composite(GeneratorProperties.Composite composite, boolean prefixGiven) {
		return new CompositeSettings(composite.epoch(), prefixGiven, composite.prefixDigits(),
				composite.sequenceDigits());
	}

	/**
	 * Determine the node of the generator.
	 * @param nodes the number of nodes in the layout
	 * @param hasStore whether a store records which instance has which node number
	 */
	NodeSettings node(long nodes, boolean hasStore) {
		GeneratorProperties properties = this.binder.bind(this.name);
		Long id = properties.node().id();
		Long number = switch (properties.node().source()) {
			case LEASE -> leasedNumber(id, hasStore);
			case FIXED -> fixedNumber(id, nodes);
			case HOSTNAME -> ordinalOfHost(id, nodes);
		};
		return new NodeSettings(Strategy.nameOf(properties.node().source()), number, properties.lease());
	}

	private @Nullable Long leasedNumber(@Nullable Long id, boolean hasStore) {
		String fixed = ownProperty(SOURCE) + "=fixed";
		rejectOwnNumber(id, "=lease selects a free number.");
		if (!hasStore) {
			throw failure(property(SOURCE)
					+ " is lease, but ids.store is none: no store records which instance has which node number.",
					"Set ids.store to jdbc or redis, or set " + fixed + " and " + ownProperty(ID) + ", or "
							+ ownProperty(SOURCE) + "=hostname.");
		}
		return null;
	}

	private void rejectOwnNumber(@Nullable Long id, String source) {
		if (id != null && this.binder.isOwn(this.name, ID)) {
			throw failure(property(ID) + " is " + id + ", but " + property(SOURCE) + source,
					"Remove the number, or set " + ownProperty(SOURCE) + "=fixed as well.");
		}
	}

	private long fixedNumber(@Nullable Long id, long nodes) {
		if (id == null) {
			throw failure(property(SOURCE) + " is fixed, but " + property(ID) + " is not set.", "Set " + property(ID)
					+ " to a number from 0 to " + (nodes - 1)
					+ " that no other instance has. There is no default, because all instances would have the same"
					+ " number.");
		}
		return verifyRange(property(ID) + " is " + id, id, nodes);
	}

	private long ordinalOfHost(@Nullable Long id, long nodes) {
		rejectOwnNumber(id, "=hostname derives the number from the name of the host.");
		String host = hostname();
		String source = property(SOURCE) + " is hostname, and the name of this host is '" + host + "'";
		Matcher matcher = ORDINAL.matcher(host);
		if (!matcher.matches() || WITHOUT_ORDINAL.matcher(host).matches()) {
			throw failure(source + ", which does not end in the ordinal of a StatefulSet's pod.",
					"This source is only for the pods of a StatefulSet, which have names such as orders-3. Anywhere"
							+ " else, use " + ownProperty(SOURCE) + "=lease.");
		}
		return verifyRange(source, Long.parseLong(matcher.group(1)), nodes);
	}

	private long verifyRange(String source, long number, long nodes) {
		if (number < 0 || number >= nodes) {
			throw failure(source + ", but the last node of the layout is " + (nodes - 1) + ".",
					"Use a number from 0 to " + (nodes - 1) + ", or a layout with more nodes in a new key space.");
		}
		return number;
	}

	private String hostname() {
		try {
			String name = this.binder.environment().getProperty("HOSTNAME");
			return (name != null) ? name : InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			throw failure(property(SOURCE) + " is hostname, but the name of this host cannot be determined.",
					"Set the environment variable HOSTNAME, or use " + ownProperty(SOURCE) + "=lease.");
		}
	}

	private String property(String property) {
		return this.binder.property(this.name, property);
	}

	private String ownProperty(String property) {
		return GeneratorPropertiesBinder.ownProperty(this.name, property);
	}

	private IdSetupException failure(String problem, String remedy) {
		return new IdSetupException(problem, remedy, List.of(property(SOURCE), property(ID), "ids.store"), null);
	}

}
