package dev.idspring.autoconfigure;

import dev.idspring.autoconfigure.GeneratorKeys.Unissued;
import dev.idspring.gapless.GaplessIdGenerator;
import dev.idspring.gapless.scope.ScopedGaplessIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.GaplessSettings;
import dev.idspring.keyspace.KeySpaceSettings.ScopedSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.ScopedGaplessStore;
import dev.idspring.text.ScopePattern;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Creates the generators of the strategy {@code gapless}, with or without scopes.
 *
 * @param factory provides the stores, and the settings that all generators share
 */
record GaplessGenerators(IdGeneratorFactory factory) {

	private static final Log logger = LogFactory.getLog(GaplessGenerators.class);

	ManagedIdGenerator open(String name, GeneratorProperties properties) {
		GeneratorProperties.Numbers numbers = properties.gapless();
		GaplessSettings settings = new GaplessSettings(numbers.start(), numbers.end());
		GaplessStore gapless = gaplessStore(name, properties);
		KeySpaceStore store = this.factory.store(name, properties);
		GaplessIdGenerator.Builder builder = GaplessIdGenerator.builder(name, settings, store, gapless)
			.waitTimeout(properties.block().waitTimeout());
		this.factory.applySharedSettings(builder, properties);
		Unissued unissued = Unissued.inGapless(gapless);
		if (properties.namesColumn()) {
			new ColumnVerification(this.factory).verify(builder, properties, settings, store, unissued);
		}
		GaplessIdGenerator generator = StartupExecutor.call(builder.waitTimeout(), builder::open);
		this.factory.addKeys(name, GeneratorKeys.of(properties, builder.keySpaceName(), generator.keySpace(),
				(deadline) -> unissued.read(builder.keySpaceName(), generator.keySpace(), store, deadline)));
		return generator;
	}

	ScopedGaplessIdGenerator openScoped(String name, GeneratorProperties properties) {
		GaplessStore gapless = gaplessStore(name, properties);
		if (!(gapless instanceof ScopedGaplessStore scoped)) {
			throw this.factory.unsupportedStrategy(name, properties,
					"and the generator is scoped, but the GaplessStore bean, a " + gapless.getClass().getName()
							+ ", does not support scopes.",
					"Implement ScopedGaplessStore, or do not declare a GaplessStore.");
		}
		GeneratorProperties.Numbers numbers = properties.gapless();
		ScopePattern pattern = new TextProperties(this.factory.binder(), name).pattern();
		ScopedGaplessIdGenerator.Builder builder = ScopedGaplessIdGenerator
			.builder(name, new ScopedSettings(numbers.start(), numbers.end(), properties.period(), pattern),
					this.factory.store(name, properties), scoped)
			.zone(properties.zone())
			.maxScopes(properties.maxScopes())
			.scopeResolver(this.factory.scopeResolver())
			.waitTimeout(properties.block().waitTimeout());
		this.factory.applySharedSettings(builder, properties);
		ScopedGaplessIdGenerator generator = StartupExecutor.call(builder.waitTimeout(), builder::open);
		logger.info("Id generator '" + name + "' (gapless) formats the numbers of scopes as " + pattern
				+ (pattern.isUnique() ? ""
						: ", so a string is unique only within its scope: "
								+ GeneratorPropertiesBinder.ownProperty(name, "text.pattern")
								+ " leaves out the scope, or a part of it"));
		return generator;
	}

	private GaplessStore gaplessStore(String name, GeneratorProperties properties) {
		GaplessStore gapless = this.factory.gaplessStore();
		if (gapless == null) {
			throw this.factory.unsupportedStrategy(name, properties,
					"but there is no database whose transactions could draw numbers: a number is given back when the"
							+ " transaction that drew it rolls back, which requires a table in the database of that"
							+ " transaction.",
					"Use ids.store=jdbc with a DataSource, declare a GaplessStore bean in addition to the KeySpaceStore,"
							+ " or use another strategy.");
		}
		return gapless;
	}

}
