package dev.idspring.autoconfigure;

import java.util.function.LongSupplier;

import dev.idspring.CompositePrefix;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.time.ClockSettings;
import dev.idspring.time.ClockTicker;
import dev.idspring.time.CompositeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.time.TimeScheme;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Creates the generators of time-based strategies.
 */
final class TimeGenerators {

	private final IdGeneratorFactory factory;

	private final ObjectProvider<CompositePrefix> prefixes;

	private final Tail.Keys tailKeys;

	/** Shared by all generators of the context. */
	private final ClockTicker ticker = new ClockTicker();

	TimeGenerators(IdGeneratorFactory factory, ObjectProvider<CompositePrefix> prefixes,
			ObjectProvider<Tail.Keys> tailKeys) {
		this.factory = factory;
		this.prefixes = prefixes;
		this.tailKeys = tailKeys.getIfAvailable(Tail.Keys::secure);
	}

	ManagedIdGenerator open(String name, GeneratorProperties properties) {
		LongSupplier prefix = (properties.strategy() == Strategy.COMPOSITE) ? prefix(name, properties.composite())
				: null;
		TimeSettings settings = new TimeSettings(this.factory.binder(), name);
		TimeScheme scheme = settings.scheme(this.factory.timeSource().instant(), prefix != null);
		TimeIdGenerator.Builder builder = TimeIdGenerator.builder(name, scheme)
			.node(settings.node(scheme.layout().nodes(), this.factory.hasStore()))
			.clock(new ClockSettings(properties.clock().maxAhead(), properties.clock().maxSkew()))
			.waitTimeout(properties.block().waitTimeout())
			.ticker(this.ticker)
			.tailKeys(this.tailKeys);
		if (prefix != null) {
			builder.prefix(prefix);
		}
		KeySpaceStore keySpaces = this.factory.hasStore() ? this.factory.store(name, properties) : null;
		SlotStore slots = (keySpaces != null) ? this.factory.slots(name, properties) : null;
		if (keySpaces != null && slots != null) {
			builder.store(keySpaces, slots);
		}
		this.factory.applySharedSettings(builder, properties);
		TimeScheme textScheme = scheme.withText(builder.text(), builder.keySpaceName());
		if (keySpaces != null && slots != null && properties.namesColumn()) {
			new ColumnVerification(this.factory).verify(builder, properties, textScheme, keySpaces, slots);
		}
		TimeIdGenerator generator = StartupExecutor.call(builder.maxOpenDuration(), builder::open);
		this.factory.addKeys(name, GeneratorKeys.ofTime(properties, builder.keySpaceName(), textScheme));
		return generator;
	}

	/**
	 * Return a supplier of the prefix, or {@code null} if ids begin with the node.
	 */
	private @Nullable LongSupplier prefix(String name, GeneratorProperties.Composite composite) {
		Long fixed = composite.prefix();
		if (fixed != null) {
			long prefixes = TimeSettings.composite(composite, true).scheme().layout().prefixes();
			InvalidSettingException.requireRange(CompositeSettings.class, "prefix", fixed, 0L, prefixes - 1);
			return () -> fixed;
		}
		CompositePrefix prefix;
		try {
			prefix = this.prefixes.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IdSetupException(
					"There are several CompositePrefix beans and none of them is primary: " + ex.getBeanNamesFound()
							+ ".",
					"Mark one of them with @Primary. That bean can return a different prefix for each generator,"
							+ " because it receives the name of the generator.",
					ex);
		}
		return (prefix != null) ? () -> prefix.prefix(name) : null;
	}

}
