package dev.idspring.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.idspring.CompositePrefix;
import dev.idspring.IdSetupException;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.clock.TimeSource;
import dev.idspring.monitor.ReservationObserver;
import dev.idspring.slot.SlotStore;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.DecimalUidSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TailKeys;
import dev.idspring.time.Ticker;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeScheme;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/**
 * Makes generators of the time strategies from properties.
 */
final class TimeGenerators {

	/** The name of a pod of a StatefulSet, perhaps with the domain. */
	private static final Pattern ORDINAL = Pattern.compile("[^.]*-(0|[1-9]\\d{0,8})(\\..*)?");

	/** What Kubernetes makes random parts of names of. */
	private static final String RANDOM = "[bcdfghjklmnpqrstvwxz2456789]";

	/** Names that end in a number which is no ordinal: pods of Deployments, addresses. */
	private static final Pattern NO_ORDINAL = Pattern
		.compile("[^.]*-" + RANDOM + "{6,10}-\\w{5}(\\..*)?|ip-\\d+-\\d+-\\d+-\\d+(\\..*)?");

	private static final int JAVASCRIPT_BITS = 53;

	/** What decides how much room there is for the time, by strategy. */
	private static final Map<String, List<String>> WIDTHS = Map.of(Strategy.SNOWFLAKE.id(),
			List.of("time-bits", "node-bits", "tail-bits"), Strategy.DECIMAL_UID.id(),
			List.of("random-digits", "node-digits"), Strategy.COMPOSITE.id(),
			List.of("prefix-digits", "sequence-digits"));

	private final Environment environment;

	private final GeneratorPropertiesBinder binder;

	private final CheckedProperties checks;

	private final GeneratorBuilders builders;

	private final @Nullable KeySpaceStore store;

	private final ObjectProvider<SlotStore> slots;

	private final TimeSource timeSource;

	private final ObjectProvider<CompositePrefix> prefixes;

	private final ReservationObserver observer;

	private final TailKeys tailKeys;

	private final WitnessCheck witnessCheck;

	/** One for all generators of the context. */
	private final Ticker ticker = new Ticker();

	TimeGenerators(Environment environment, GeneratorPropertiesBinder binder, CheckedProperties checks,
			GeneratorBuilders builders, @Nullable KeySpaceStore store, ObjectProvider<SlotStore> slots,
			TimeSource timeSource, ObjectProvider<CompositePrefix> prefixes, ReservationObserver observer,
			TailKeys tailKeys, WitnessCheck witnessCheck) {
		this.environment = environment;
		this.binder = binder;
		this.checks = checks;
		this.builders = builders;
		this.store = store;
		this.slots = slots;
		this.timeSource = timeSource;
		this.prefixes = prefixes;
		this.observer = observer;
		this.tailKeys = tailKeys;
		this.witnessCheck = witnessCheck;
	}

	TimeIdGenerator open(String name, GeneratorProperties properties) {
		LongSupplier prefix = (properties.strategy() == Strategy.COMPOSITE) ? prefix(name, properties.composite())
				: null;
		TimeScheme scheme = scheme(name, properties, prefix != null);
		NodeLogger logger = new NodeLogger((this.store != null) ? this.store.describe() : null);
		TimeIdGenerator.Builder builder = TimeIdGenerator.builder(name, scheme)
			.keySpaceName(properties.keySpaceOf(name))
			.node(node(name, properties, scheme.layout().nodes()))
			.clock(clock(name, properties.clock()))
			.waitTimeout(this.checks.waitTimeout(name, properties))
			.lowMark(this.checks.lowMark(name, properties))
			.timeSource(this.timeSource)
			.ticker(this.ticker)
			.observer(this.observer)
			.tailKeys(this.tailKeys)
			.listener(logger);
		if (prefix != null) {
			builder.prefix(prefix);
		}
		SlotStore slots = (this.store != null) ? slots(name, properties) : null;
		if (this.store != null && slots != null) {
			builder.store(this.store, slots);
		}
		this.builders.finish(builder);
		if (slots != null) {
			this.witnessCheck.verify(builder, properties, scheme, slots);
		}
		TimeIdGenerator generator = StartThread.call(builder.longestOpen(), builder::open);
		logger.opened(generator, builder.keySpaceName(), scheme);
		return generator;
	}

	private SlotStore slots(String name, GeneratorProperties properties) {
		SlotStore slots = this.slots.getIfUnique();
		if (slots == null) {
			throw new IdSetupException(
					this.checks.property(name, "strategy") + " is " + properties.strategy().id()
							+ ", but beside the KeySpaceStore bean there is no SlotStore bean.",
					"Declare a SlotStore bean as well, or use another strategy.");
		}
		return slots;
	}

	private TimeScheme scheme(String name, GeneratorProperties properties, boolean prefixGiven) {
		TimeScheme scheme = this.checks.checked(name, () -> switch (properties.strategy()) {
			case DECIMAL_UID -> decimalUid(properties.decimalUid()).scheme();
			case COMPOSITE -> composite(properties.composite(), prefixGiven).scheme();
			default -> snowflake(name, properties.snowflake()).scheme();
		});
		this.checks.checked(name, () -> verifyNotInFuture(scheme));
		verifyNotOver(name, scheme);
		return scheme;
	}

	/**
	 * Refuse a layout that has ended before a key space is created with it, whose
	 * definition could not be corrected any more.
	 */
	private void verifyNotOver(String name, TimeScheme scheme) {
		Instant now = this.timeSource.instant();
		Instant last = scheme.layout().lastInstant();
		if (now.isAfter(last)) {
			String epoch = this.checks.property(name, scheme.strategy() + ".epoch");
			String widths = WIDTHS.getOrDefault(scheme.strategy(), List.of())
				.stream()
				.map((width) -> this.checks.property(name, scheme.strategy() + "." + width))
				.collect(Collectors.joining(", "));
			throw new IdSetupException(
					"Id generator '" + name + "' can make no ids: by " + epoch + ", which is " + scheme.layout().epoch()
							+ ", and " + widths + " the last instant that ids can carry was " + last + ", and it is "
							+ now + " by the clock of this machine.",
					"If no ids exist yet, correct them: a later epoch, or more room for the time. If ids exist, set "
							+ CheckedProperties.own(name, "key-space")
							+ " to the name of a new key space, and a later epoch.");
		}
	}

	private TimeScheme verifyNotInFuture(TimeScheme scheme) {
		Instant now = this.timeSource.instant();
		Instant epoch = scheme.layout().epoch();
		if (epoch.isAfter(now)) {
			throw new IllegalArgumentException(scheme.strategy() + ".epoch is " + epoch
					+ " but must not be in the future: it is " + now + " by the clock of this machine");
		}
		return scheme;
	}

	private SnowflakeSettings snowflake(String name, GeneratorProperties.Snowflake snowflake) {
		SnowflakeSettings preset = snowflake.preset().settings();
		SnowflakeSettings settings = new SnowflakeSettings(or(snowflake.epoch(), preset.epoch()),
				or(snowflake.timeBits(), preset.timeBits()), or(snowflake.nodeBits(), preset.nodeBits()),
				or(snowflake.tailBits(), preset.tailBits()), or(snowflake.tail(), preset.tail()), snowflake.format());
		int bits = settings.timeBits() + settings.nodeBits() + settings.tailBits();
		if (snowflake.preset() == SnowflakeSettings.Preset.JAVASCRIPT && bits > JAVASCRIPT_BITS) {
			String wider = WIDTHS.getOrDefault(Strategy.SNOWFLAKE.id(), List.of())
				.stream()
				.filter((width) -> this.binder.isOwn(name, "snowflake." + width))
				.findFirst()
				.orElse("preset");
			throw new IllegalArgumentException("snowflake." + wider + " makes " + bits
					+ " bits in all, but numbers of the javascript preset must have at most " + JAVASCRIPT_BITS + ": "
					+ (bits - JAVASCRIPT_BITS) + " fewer");
		}
		return settings;
	}

	private static <T> T or(@Nullable T value, T other) {
		return (value != null) ? value : other;
	}

	private static DecimalUidSettings decimalUid(GeneratorProperties.DecimalUid decimalUid) {
		return new DecimalUidSettings(decimalUid.epoch(), decimalUid.randomDigits(), decimalUid.nodeDigits(),
				decimalUid.signed());
	}

	private static CompositeSettings composite(GeneratorProperties.Composite composite, boolean prefixGiven) {
		return new CompositeSettings(composite.epoch(), prefixGiven, composite.prefixDigits(),
				composite.sequenceDigits());
	}

	/**
	 * Return what gives the prefix, or {@code null} if ids begin with the node.
	 */
	private @Nullable LongSupplier prefix(String name, GeneratorProperties.Composite composite) {
		Long fixed = composite.prefix();
		if (fixed != null) {
			long end = this.checks.checked(name, () -> composite(composite, true).scheme().layout().prefixes());
			this.checks.checked(name, () -> verifyPrefix(fixed, end));
			return () -> fixed;
		}
		CompositePrefix prefix = this.prefixes.getIfAvailable();
		return (prefix != null) ? () -> prefix.prefix(name) : null;
	}

	private static long verifyPrefix(long prefix, long end) {
		if (prefix < 0 || prefix >= end) {
			throw new IllegalArgumentException("composite.prefix is " + prefix + " but must be from 0 to " + (end - 1));
		}
		return prefix;
	}

	private NodeSettings node(String name, GeneratorProperties properties, long nodes) {
		GeneratorProperties.Node node = properties.node();
		Long number = switch (node.source()) {
			case LEASE -> leased(name, node);
			case FIXED -> fixed(name, node, nodes);
			case HOSTNAME -> ordinal(name, nodes);
		};
		return this.checks.checked(name, () -> new NodeSettings(node.source().id(), number, properties.lease()));
	}

	private @Nullable Long leased(String name, GeneratorProperties.Node node) {
		if (node.id() != null && this.binder.isOwn(name, "node.id")) {
			throw new IdSetupException(this.checks.property(name, "node.id") + " is " + node.id() + ", but "
					+ this.checks.property(name, "node.source") + " is lease, which takes a number that is free.",
					"Remove the number, or set " + CheckedProperties.own(name, "node.source") + "=fixed beside it.");
		}
		if (this.store == null) {
			throw new IdSetupException(
					this.checks.property(name, "node.source")
							+ " is lease, but ids.store is none: nothing remembers who" + " has which number.",
					"Leave ids.store at jdbc, or set " + CheckedProperties.own(name, "node.source") + "=fixed and "
							+ CheckedProperties.own(name, "node.id") + ", or "
							+ CheckedProperties.own(name, "node.source") + "=hostname.");
		}
		return null;
	}

	private long fixed(String name, GeneratorProperties.Node node, long nodes) {
		Long id = node.id();
		if (id == null) {
			throw new IdSetupException(
					this.checks.property(name, "node.source") + " is fixed, but "
							+ this.checks.property(name, "node.id") + " is not set.",
					"Set " + this.checks.property(name, "node.id") + " to a number from 0 to " + (nodes - 1)
							+ " that no other instance has. There is no default: numbers that are made up repeat.");
		}
		return verifyRange(this.checks.property(name, "node.id") + " is " + id, id, nodes);
	}

	private long ordinal(String name, long nodes) {
		String host = hostname(name);
		String source = this.checks.property(name, "node.source") + " is hostname, and the name of this host is '"
				+ host + "'";
		Matcher matcher = ORDINAL.matcher(host);
		if (!matcher.matches() || NO_ORDINAL.matcher(host).matches()) {
			throw new IdSetupException(source + ", which does not end in the ordinal of a StatefulSet's pod.",
					"It is meant for the pods of a StatefulSet, whose names are like orders-3. Use "
							+ CheckedProperties.own(name, "node.source") + "=lease anywhere else.");
		}
		return verifyRange(source, Long.parseLong(matcher.group(1)), nodes);
	}

	private static long verifyRange(String source, long number, long nodes) {
		if (number < 0 || number >= nodes) {
			throw new IdSetupException(source + ", but the layout has " + nodes + " nodes.",
					"Use a number from 0 to " + (nodes - 1) + ", or a layout with more nodes in a new key space.");
		}
		return number;
	}

	private String hostname(String generator) {
		String name = this.environment.getProperty("HOSTNAME");
		if (name != null) {
			return name;
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			throw new IdSetupException(
					this.checks.property(generator, "node.source")
							+ " is hostname, but the name of this host is not known.",
					"Set the environment variable HOSTNAME, or use " + CheckedProperties.own(generator, "node.source")
							+ "=lease.",
					ex);
		}
	}

	private ClockSettings clock(String name, GeneratorProperties.Clock clock) {
		return this.checks.checked(name, () -> new ClockSettings(clock.maxAhead(), clock.maxSkew()));
	}

}
