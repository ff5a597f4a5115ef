package dev.idspring.autoconfigure;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.idspring.CompositePrefix;
import dev.idspring.IdScopeResolver;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.KeySpaceMismatchException;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.util.function.SingletonSupplier;

/**
 * Creates generators from their properties. Applies the customizers of each generator
 * after its properties. Rejects a generator whose key space or UUID identity another
 * generator already uses. Also provides the verification of the columns of entities.
 * <p>
 * Code that only some strategies need is in separate classes, because Spring loads all
 * types that occur in the method signatures of a bean.
 */
final class IdGeneratorFactory {

	static final String BEAN_NAME = "dev.idspring.autoconfigure.idGeneratorFactory";

	private final GeneratorPropertiesBinder binder;

	private final @Nullable KeySpaceStore store;

	private final ObjectProvider<SlotStore> slots;

	private final ObjectProvider<GaplessStore> gapless;

	private final TimeSource timeSource;

	private final List<IdGeneratorBuilderCustomizer<?>> customizers;

	private final ObjectProvider<IdScopeResolver> scopeResolvers;

	private final List<IdGeneratorListener> listeners;

	private final @Nullable JdbcDatabase database;

	/** Verifies the columns of entities. Created on first use. */
	private final Supplier<GeneratedIds.Check> entityColumns;

	private final ConcurrentMap<String, GeneratorKeys> keys = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, KeySpaceUser> usersByKeySpace = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, KeySpaceUser> usersByUuidIdentity = new ConcurrentHashMap<>();

	private final Supplier<TimeGenerators> timeGenerators;

	IdGeneratorFactory(GeneratorPropertiesBinder binder, @Nullable KeySpaceStore store, ObjectProvider<SlotStore> slots,
			ObjectProvider<GaplessStore> gapless, TimeSource timeSource,
			List<IdGeneratorBuilderCustomizer<?>> customizers, ObjectProvider<CompositePrefix> prefixes,
			ObjectProvider<IdScopeResolver> scopeResolvers, List<IdGeneratorListener> listeners,
			ObjectProvider<Tail.Keys> tailKeys, @Nullable JdbcDatabase database, @Nullable DataSource dataSource) {
		this.binder = binder;
		this.store = store;
		this.slots = slots;
		this.gapless = gapless;
		this.timeSource = timeSource;
		this.customizers = customizers;
		this.scopeResolvers = scopeResolvers;
		this.listeners = listeners;
		this.timeGenerators = SingletonSupplier.of(() -> new TimeGenerators(this, prefixes, tailKeys));
		this.database = database;
		this.entityColumns = SingletonSupplier.of(() -> new EntityColumns(this, dataSource));
	}

	/**
	 * Return the factory of a context, or {@code null} if it has not been created yet.
	 */
	static @Nullable IdGeneratorFactory findCreated(ConfigurableListableBeanFactory beans) {
		return beans.containsSingleton(BEAN_NAME) ? beans.getBean(BEAN_NAME, IdGeneratorFactory.class) : null;
	}

	/**
	 * Create the generator with the given name. The bean definitions of named generators
	 * without scopes refer to this factory method.
	 */
	ManagedIdGenerator create(String name) {
		GeneratorProperties properties = this.binder.bind(name);
		if (name.equals(GeneratorPropertiesBinder.DEFAULT_NAME)) {
			rejectScopesOfDefault();
		}
		else if (properties.strategy() == Strategy.GAPLESS) {
			// for other strategies, ConfigurationCheck rejects the properties of scopes
			Strategy.SCOPE_PROPERTIES.stream()
				.filter((property) -> !property.equals("scoped"))
				.forEach((property) -> rejectOwn(name, property,
						"the numbers of id generator '" + name + "' have no scopes",
						"Remove it, or set " + GeneratorPropertiesBinder.ownProperty(name, "scoped") + " to true."));
		}
		try {
			return switch (properties.strategy()) {
				case COPRIME -> new CounterGenerators(this).openCoprime(name, properties);
				case SEQUENTIAL -> new CounterGenerators(this).openSequential(name, properties);
				case RECYCLED -> new CounterGenerators(this).openRecycled(name, properties);
				case GAPLESS -> new GaplessGenerators(this).open(name, properties);
				case SNOWFLAKE, DECIMAL_UID, COMPOSITE -> this.timeGenerators.get().open(name, properties);
			};
		}
		catch (InvalidSettingException ex) {
			throw this.binder.explain(name, properties.strategy(), ex);
		}
		catch (KeySpaceMismatchException ex) {
			throw this.binder.explain(name, properties.strategy(), ex);
		}
	}

	private void rejectScopesOfDefault() {
		if (this.binder.isScoped(GeneratorPropertiesBinder.DEFAULT_NAME)) {
			throw new IdSetupException("ids.scoped has no effect: the default generator cannot have scopes.",
					"Configure a generator under ids.generators, and set scoped there.", List.of("ids.scoped"), null);
		}
	}

	/**
	 * Create the scoped generator with the given name. The bean definitions of scoped
	 * generators refer to this factory method.
	 */
	ManagedScopedIdGenerator createScoped(String name) {
		GeneratorProperties properties = this.binder.bind(name);
		rejectOwn(name, "verify-column", "each scope of id generator '" + name + "' has its own numbers", "Remove it.");
		try {
			return new GaplessGenerators(this).openScoped(name, properties);
		}
		catch (InvalidSettingException ex) {
			throw this.binder.explain(name, properties.strategy(), ex);
		}
		catch (KeySpaceMismatchException ex) {
			throw this.binder.explain(name, properties.strategy(), ex);
		}
	}

	private void rejectOwn(String name, String property, String reason, String remedy) {
		if (this.binder.isOwn(name, property)) {
			String own = GeneratorPropertiesBinder.ownProperty(name, property);
			throw new IdSetupException(own + " has no effect: " + reason + ".", remedy, List.of(own), null);
		}
	}

	/**
	 * Apply the settings that are common to all strategies, and the customizers. Then
	 * verify that no other generator uses the key space or the UUID identity.
	 * @param builder the builder, with the settings of its strategy
	 */
	@SuppressWarnings("unchecked")
	<B extends IdGeneratorBuilder<B>> void applySharedSettings(B builder, GeneratorProperties properties) {
		String name = builder.name();
		builder.keySpaceName(properties.keySpaceOf(name))
			.text(new TextProperties(this.binder, name).settings())
			.lowThreshold(this.binder.lowThreshold(name, properties.health()))
			.timeSource(this.timeSource)
			.listener(new GeneratorLogger((this.store != null) ? this.store.describe() : null,
					properties.strategy().isTimeBased() ? "node" : "series", endSetting(name, properties),
					this.binder.property(name, "lease")));
		if (properties.uuid().identity() != null) {
			builder.uuidIdentity(properties.uuid().identity());
		}
		for (IdGeneratorListener listener : this.listeners) {
			builder.listener(listener);
		}
		LambdaSafe.callbacks(IdGeneratorBuilderCustomizer.class, this.customizers, builder)
			.withLogger(IdGeneratorFactory.class)
			.invoke((customizer) -> customize(customizer, builder));
		verifyNotShared(builder);
	}

	/**
	 * Return the setting that raises the end of the key space.
	 * @return the name of the property, with the new value if only one value raises the
	 * end, or {@code null} if no property raises the end
	 */
	private @Nullable String endSetting(String name, GeneratorProperties properties) {
		if (properties.strategy() == Strategy.DECIMAL_UID && properties.decimalUid().signed()) {
			return this.binder.property(name, "decimal-uid.signed") + "=false";
		}
		String property = properties.strategy().boundProperty();
		boolean hasPreset = properties.strategy() == Strategy.COPRIME && properties.coprime().preset() != null;
		return (property != null && !hasPreset) ? this.binder.property(name, property) : null;
	}

	private static <B extends IdGeneratorBuilder<?>> void customize(IdGeneratorBuilderCustomizer<B> customizer,
			B builder) {
		try {
			customizer.customize(builder);
		}
		catch (InvalidSettingException ex) {
			throw new IdSetupException("An IdGeneratorBuilderCustomizer of id generator '" + builder.name()
					+ "' uses an invalid setting: " + ex.getMessage() + ".", "Correct the customizer.", ex);
		}
	}

	/**
	 * Register the default generator as the user of its key space and its UUID identity.
	 * The default generator itself is created later.
	 */
	void registerDefault() {
		rejectScopesOfDefault();
		String name = GeneratorPropertiesBinder.DEFAULT_NAME;
		GeneratorProperties properties = this.binder.bind(name);
		String keySpace = properties.keySpaceOf(name);
		String identity = properties.uuid().identity();
		KeySpaceUser user = new KeySpaceUser(name, properties.strategy().id(), keySpace);
		this.usersByKeySpace.put(keySpace, user);
		this.usersByUuidIdentity.put((identity != null) ? identity : keySpace, user);
	}

	/**
	 * Verify that no other generator has the same key space or the same UUID identity. A
	 * property or a customizer may have set them.
	 */
	private void verifyNotShared(IdGeneratorBuilder<?> builder) {
		KeySpaceUser user = new KeySpaceUser(builder.name(), builder.strategy(), builder.keySpaceName());
		KeySpaceUser other = this.usersByKeySpace.putIfAbsent(user.keySpace(), user);
		// the generator may already be registered: by registerDefault, or by an earlier,
		// failed attempt to create it
		if (other != null && !other.name().equals(user.name())) {
			throw new IdSetupException(
					"Two id generators use the key space '" + user.keySpace() + "': " + describe(other) + ", and "
							+ describe(user) + ".",
					"Set " + keySpaceProperty(user.name()) + " to another name, or inject generator '" + other.name()
							+ "' instead of '" + user.name() + "'.",
					List.of(keySpaceProperty(other.name()), keySpaceProperty(user.name())), null);
		}
		KeySpaceUser sameIdentity = this.usersByUuidIdentity.putIfAbsent(builder.uuidIdentity(), user);
		if (sameIdentity != null && !sameIdentity.name().equals(user.name())) {
			String property = GeneratorPropertiesBinder.ownProperty(user.name(), "uuid.identity");
			throw new IdSetupException("The id generators '" + sameIdentity.name() + "' and '" + user.name()
					+ "' would create the same UUIDs, because both have the identity '" + builder.uuidIdentity() + "'.",
					"Set " + property + " to another value, or remove it.", List.of(property), null);
		}
	}

	private String describe(KeySpaceUser user) {
		String origin = user.keySpace().equals(user.name()) ? "its name" : "a customizer";
		if (this.binder.value(keySpaceProperty(user.name())).filter(user.keySpace()::equals).isPresent()) {
			origin = keySpaceProperty(user.name());
		}
		return "'" + user.name() + "' (" + user.strategy() + ") because of " + origin;
	}

	private static String keySpaceProperty(String name) {
		return GeneratorPropertiesBinder.ownProperty(name, "key-space");
	}

	KeySpaceStore store(String name, GeneratorProperties properties) {
		if (this.store == null) {
			throw unsupportedStrategy(name, properties, "which needs a store, but ids.store is none.",
					"Set ids.store to jdbc or redis, or use snowflake, decimal-uid or composite with a node number that"
							+ " is not leased (ids.node.source).");
		}
		return this.store;
	}

	SlotStore slots(String name, GeneratorProperties properties) {
		SlotStore slots = this.slots.getIfUnique();
		if (slots == null) {
			throw unsupportedStrategy(name, properties, "but there is not exactly one SlotStore bean.",
					"Declare exactly one SlotStore bean, or use another strategy.");
		}
		return slots;
	}

	IdSetupException unsupportedStrategy(String name, GeneratorProperties properties, String problem, String remedy) {
		String property = this.binder.property(name, "strategy");
		return new IdSetupException(property + " is " + properties.strategy().id() + ", " + problem, remedy,
				List.of(property, "ids.store"), null);
	}

	/**
	 * Return whether a store is configured.
	 */
	boolean hasStore() {
		return this.store != null;
	}

	@Nullable GaplessStore gaplessStore() {
		return this.gapless.getIfAvailable();
	}

	@Nullable IdScopeResolver scopeResolver() {
		return this.scopeResolvers.getIfUnique();
	}

	TimeSource timeSource() {
		return this.timeSource;
	}

	GeneratorPropertiesBinder binder() {
		return this.binder;
	}

	/**
	 * Return the database of the store, or {@code null} if the store is not in a
	 * database.
	 */
	@Nullable JdbcDatabase database() {
		return this.database;
	}

	/**
	 * Add the keys of a generator, for the verification of columns.
	 */
	void addKeys(String name, GeneratorKeys keys) {
		this.keys.put(name, keys);
	}

	/**
	 * Return the keys of a generator, or {@code null} if this factory has not created the
	 * generator.
	 */
	@Nullable GeneratorKeys keys(String name) {
		return this.keys.get(name);
	}

	/**
	 * Return the verification of the columns of entities.
	 */
	GeneratedIds.Check entityColumns() {
		return this.entityColumns.get();
	}

	/**
	 * A generator and the key space that it uses.
	 */
	private record KeySpaceUser(String name, String strategy, String keySpace) {

	}

}
