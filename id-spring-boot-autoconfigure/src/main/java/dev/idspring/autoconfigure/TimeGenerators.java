package dev.idspring.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.CompositePrefix;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.NodeSettings;
import dev.idspring.time.Tail;
import dev.idspring.time.ClockTicker;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.TimeSource;
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

	private final Environment environment;

	private final GeneratorPropertiesBinder binder;

	private final SettingProperties names;

	private final TimeSchemes schemes;

	private final GeneratorBuilders builders;

	private final @Nullable KeySpaceStore store;

	private final ObjectProvider<SlotStore> slots;

	private final TimeSource timeSource;

	private final ObjectProvider<CompositePrefix> prefixes;

	private final List<IdGeneratorListener> listeners;

	private final Tail.Keys tailKeys;

	private final ColumnVerification columnVerification;

	/** One for all generators of the context. */
	private final ClockTicker ticker = new ClockTicker();

	TimeGenerators(Environment environment, GeneratorPropertiesBinder binder, SettingProperties names,
			GeneratorBuilders builders, @Nullable KeySpaceStore store, ObjectProvider<SlotStore> slots,
			TimeSource timeSource, ObjectProvider<CompositePrefix> prefixes, List<IdGeneratorListener> listeners,
			Tail.Keys tailKeys, ColumnVerification columnVerification) {
		this.environment = environment;
		this.binder = binder;
		this.names = names;
		this.schemes = new TimeSchemes(binder, names, timeSource);
		this.builders = builders;
		this.store = store;
		this.slots = slots;
		this.timeSource = timeSource;
		this.prefixes = prefixes;
		this.listeners = listeners;
		this.tailKeys = tailKeys;
		this.columnVerification = columnVerification;
	}

	TimeIdGenerator open(String name, GeneratorProperties properties) {
		LongSupplier prefix = (properties.strategy() == Strategy.COMPOSITE) ? prefix(name, properties.composite())
				: null;
		TimeScheme scheme = this.schemes.scheme(name, properties, prefix != null);
		TimeIdGenerator.Builder builder = TimeIdGenerator.builder(name, scheme)
			.keySpaceName(properties.keySpaceOf(name))
			.node(node(name, properties, scheme.layout().nodes()))
			.clock(new ClockSettings(properties.clock().maxAhead(), properties.clock().maxSkew()))
			.waitTimeout(properties.block().waitTimeout())
			.lowThreshold(this.names.lowThreshold(name, properties.health()))
			.timeSource(this.timeSource)
			.ticker(this.ticker)
			.tailKeys(this.tailKeys)
			.listener(new GeneratorLogger((this.store != null) ? this.store.describe() : null, "node",
					this.names.property(name, properties.strategy().id() + ".epoch")));
		this.listeners.forEach(builder::listener);
		if (prefix != null) {
			builder.prefix(prefix);
		}
		SlotStore slots = (this.store != null) ? slots(name, properties) : null;
		if (this.store != null && slots != null) {
			builder.store(this.store, slots);
		}
		this.builders.finish(builder);
		if (slots != null) {
			this.columnVerification.verify(builder, properties, scheme, slots);
		}
		return StartupExecutor.call(builder.longestOpen(), builder::open);
	}

	private SlotStore slots(String name, GeneratorProperties properties) {
		SlotStore slots = this.slots.getIfUnique();
		if (slots == null) {
			String strategy = this.names.property(name, "strategy");
			throw new IdSetupException(
					strategy + " is " + properties.strategy().id()
							+ ", but beside the KeySpaceStore bean there is no SlotStore bean.",
					"Declare a SlotStore bean as well, or use another strategy.", List.of(strategy), null);
		}
		return slots;
	}

	/**
	 * Return what gives the prefix, or {@code null} if ids begin with the node.
	 */
	private @Nullable LongSupplier prefix(String name, GeneratorProperties.Composite composite) {
		Long fixed = composite.prefix();
		if (fixed != null) {
			long prefixes = TimeSchemes.composite(composite, true).scheme().layout().prefixes();
			InvalidSettingException.requireRange(CompositeSettings.class, "prefix", fixed, 0L, prefixes - 1);
			return () -> fixed;
		}
		CompositePrefix prefix = this.prefixes.getIfAvailable();
		return (prefix != null) ? () -> prefix.prefix(name) : null;
	}

	private NodeSettings node(String name, GeneratorProperties properties, long nodes) {
		GeneratorProperties.Node node = properties.node();
		Long number = switch (node.source()) {
			case LEASE -> leased(name, node);
			case FIXED -> fixed(name, node, nodes);
			case HOSTNAME -> ordinal(name, nodes);
		};
		return new NodeSettings(node.source().id(), number, properties.lease());
	}

	private @Nullable Long leased(String name, GeneratorProperties.Node node) {
		if (node.id() != null && this.binder.isOwn(name, "node.id")) {
			throw failure(name, this.names.property(name, "node.id") + " is " + node.id() + ", but "
					+ this.names.property(name, "node.source") + " is lease, which takes a number that is free.",
					"Remove the number, or set " + SettingProperties.own(name, "node.source") + "=fixed beside it.");
		}
		if (this.store == null) {
			throw failure(name,
					this.names.property(name, "node.source")
							+ " is lease, but ids.store is none: nothing remembers who has which number.",
					"Leave ids.store at jdbc, or set " + SettingProperties.own(name, "node.source") + "=fixed and "
							+ SettingProperties.own(name, "node.id") + ", or "
							+ SettingProperties.own(name, "node.source") + "=hostname.");
		}
		return null;
	}

	private long fixed(String name, GeneratorProperties.Node node, long nodes) {
		Long id = node.id();
		if (id == null) {
			throw failure(name,
					this.names.property(name, "node.source") + " is fixed, but " + this.names.property(name, "node.id")
							+ " is not set.",
					"Set " + this.names.property(name, "node.id") + " to a number from 0 to " + (nodes - 1)
							+ " that no other instance has. There is no default: numbers that are made up repeat.");
		}
		return verifyRange(name, this.names.property(name, "node.id") + " is " + id, id, nodes);
	}

	private long ordinal(String name, long nodes) {
		String host = hostname(name);
		String source = this.names.property(name, "node.source") + " is hostname, and the name of this host is '" + host
				+ "'";
		Matcher matcher = ORDINAL.matcher(host);
		if (!matcher.matches() || NO_ORDINAL.matcher(host).matches()) {
			throw failure(name, source + ", which does not end in the ordinal of a StatefulSet's pod.",
					"It is meant for the pods of a StatefulSet, whose names are like orders-3. Use "
							+ SettingProperties.own(name, "node.source") + "=lease anywhere else.");
		}
		return verifyRange(name, source, Long.parseLong(matcher.group(1)), nodes);
	}

	private long verifyRange(String name, String source, long number, long nodes) {
		if (number < 0 || number >= nodes) {
			throw failure(name, source + ", but the layout has " + nodes + " nodes.",
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
			throw failure(generator,
					this.names.property(generator, "node.source")
							+ " is hostname, but the name of this host is not known.",
					"Set the environment variable HOSTNAME, or use " + SettingProperties.own(generator, "node.source")
							+ "=lease.");
		}
	}

	private IdSetupException failure(String name, String problem, String remedy) {
		return new IdSetupException(problem, remedy,
				List.of(this.names.property(name, "node.source"), this.names.property(name, "node.id")), null);
	}

}
