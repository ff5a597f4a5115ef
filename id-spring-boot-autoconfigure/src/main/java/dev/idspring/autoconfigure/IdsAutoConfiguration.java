package dev.idspring.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.idspring.CompositePrefix;
import dev.idspring.IdGenerators;
import dev.idspring.IdScopeResolver;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.memory.InMemorySlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.time.TimeScheme.Tail;
import dev.idspring.worker.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration for id generators.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
@Import({ GeneratorPropertiesBinder.class, IdGeneratorRegistrar.class })
public final class IdsAutoConfiguration {

	private static final Log logger = LogFactory.getLog(IdsAutoConfiguration.class);

	private static final String REDIS_MODULE = "dev.idspring.redis.RedisDatabase";

	private static final String ENTITY_COLUMNS_BEAN = "idsEntityColumns";

	private static final String CONNECTION_FACTORY = "io.r2dbc.spi.ConnectionFactory";

	@Bean(GeneratorCloser.BEAN_NAME)
	static GeneratorCloser idsGeneratorCloser(DefaultListableBeanFactory beans) {
		return new GeneratorCloser(beans);
	}

	@Bean
	static BeanFactoryPostProcessor idsGeneratorBeansCheck(Environment environment) {
		return (beans) -> {
			Set<String> names = GeneratorNames.of(environment);
			if (beans.containsLocalBean(GeneratorInjection.DEFAULT_BEAN_MARKER)) {
				IdGeneratorRegistrar.verify(beans, GeneratorInjection.DEFAULT_BEAN,
						GeneratorPropertiesBinder.DEFAULT_NAME, false);
				if (!names.isEmpty()) {
					beans.getBeanDefinition(GeneratorInjection.DEFAULT_BEAN).setLazyInit(true);
				}
			}
			IdGeneratorRegistrar.verify(beans, environment, names);
			// also true in a child context, which uses the default generator of its
			// parent
			if (!names.isEmpty() && beans.containsBean(GeneratorInjection.DEFAULT_BEAN_MARKER)) {
				GeneratorInjection.install((DefaultListableBeanFactory) beans, names);
			}
		};
	}

	@Bean
	ProcessCopyGuard idsProcessCopyGuard(ConfigurableApplicationContext context,
			ObjectProvider<TimeSource> timeSource) {
		return new ProcessCopyGuard(context, timeSource.getIfAvailable(TimeSource::system));
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	IdGenerators idGenerators(ConfigurableApplicationContext context) {
		return DefaultIdGenerators.of(context);
	}

	/**
	 * Return the check of the entity columns that generators of the starter fill. The
	 * check does not create the factory of these generators: if the factory does not
	 * exist, the given generator is not one of them. The factory depends on this bean, so
	 * that no background thread creates the bean while the main thread creates other
	 * beans.
	 */
	@Bean(ENTITY_COLUMNS_BEAN)
	static GeneratedIds.Check idsEntityColumns(ConfigurableListableBeanFactory beans) {
		return (generator, property) -> {
			IdGeneratorFactory factory = IdGeneratorFactory.findCreated(beans);
			if (factory != null) {
				factory.entityColumns().verify(generator, property);
			}
		};
	}

	@Bean(IdGeneratorFactory.BEAN_NAME)
	@DependsOn(ENTITY_COLUMNS_BEAN)
	IdGeneratorFactory idGeneratorFactory(GeneratorPropertiesBinder binder, ObjectProvider<KeySpaceStore> stores,
			ObjectProvider<JdbcDatabase> databases, ObjectProvider<SlotStore> slots,
			ObjectProvider<GaplessStore> gapless, ObjectProvider<TimeSource> timeSource,
			ObjectProvider<IdGeneratorBuilderCustomizer<?>> customizers, ObjectProvider<CompositePrefix> prefixes,
			ObjectProvider<IdScopeResolver> scopeResolvers, ObjectProvider<IdGeneratorListener> listeners,
			ObjectProvider<Tail.Keys> tailKeys, ObjectProvider<JdbcStoreConnector> connectors,
			ConfigurableApplicationContext context) {
		new ConfigurationCheck(binder).run();
		StoreType type = StoreType.configured(binder.environment());
		KeySpaceStore store = (type != StoreType.NONE) ? stores.getIfUnique() : null;
		if (store != null) {
			store.describe().warnings().forEach(logger::warn);
		}
		else if (type != StoreType.NONE) {
			throw missingStore(type, context.getBeanFactory());
		}
		JdbcStoreConnector connector = connectors.getIfAvailable();
		IdGeneratorFactory factory = new IdGeneratorFactory(binder, store, slots, gapless,
				timeSource.getIfAvailable(TimeSource::system), customizers.orderedStream().toList(), prefixes,
				scopeResolvers, listeners.orderedStream().toList(), tailKeys, databases.getIfUnique(),
				(connector != null) ? connector.dataSource() : null);
		if (DefaultIdGenerators.OnDemand.inContextOnly(context) != null) {
			factory.registerDefault();
		}
		return factory;
	}

	private static IdSetupException missingStore(StoreType configured, ConfigurableListableBeanFactory beans) {
		if (configured == StoreType.REDIS) {
			boolean modulePresent = ClassUtils.isPresent(REDIS_MODULE, beans.getBeanClassLoader());
			return new IdSetupException(modulePresent
					? "ids.store is redis, but there is not exactly one KeySpaceStore bean, or Lettuce or Spring Data"
							+ " Redis is missing from the class path."
					: "ids.store is redis, but the module id-redis is not on the class path.",
					(modulePresent ? "Do not exclude io.lettuce:lettuce-core and spring-data-redis from" : "Add")
							+ " the dependency dev.idspring:id-redis, or set ids.store to jdbc.",
					List.of("ids.store"), null);
		}
		String problem = "Id generators need a store that records reservations, but ids.store is " + configured.id()
				+ " and there is neither a single DataSource bean nor a single KeySpaceStore bean.";
		String remedy = "Add spring-boot-starter-jdbc and a database driver and set spring.datasource.url";
		if (configured == StoreType.JDBC && hasConnectionFactory(beans)) {
			problem = "Id generators need a store that records reservations. The store needs JDBC, but there is"
					+ " no DataSource bean: Spring Boot creates none if there is an R2DBC ConnectionFactory.";
			remedy = "Add spring-boot-starter-jdbc and the JDBC driver of the database, and declare a DataSource for ids:"
					+ " @Bean(defaultCandidate = false) @IdsDataSource DataSource idsDataSource()";
		}
		return new IdSetupException(problem,
				remedy + ", or set ids.store=memory if ids may repeat after a restart, or set ids.enabled=false."
						+ MissingGeneratorFailureAnalyzer.testRemedy(),
				List.of("ids.store"), null);
	}

	private static boolean hasConnectionFactory(ListableBeanFactory beans) {
		ClassLoader loader = IdsAutoConfiguration.class.getClassLoader();
		return ClassUtils.isPresent(CONNECTION_FACTORY, loader) && beans
			.getBeanNamesForType(ClassUtils.resolveClassName(CONNECTION_FACTORY, loader), true, false).length > 0;
	}

	/**
	 * Registers the default generator, which is configured directly below {@code ids}. It
	 * is injected wherever no other generator is specified. If there are other
	 * generators, the default generator is created only when it is first injected or
	 * requested.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnNoReplacementOfDefault.class)
	static class DefaultGeneratorConfiguration {

		@Bean(GeneratorInjection.DEFAULT_BEAN)
		@ConditionalOnMissingBean(name = GeneratorInjection.DEFAULT_BEAN, search = SearchStrategy.CURRENT)
		@Primary
		@Qualifier(GeneratorPropertiesBinder.DEFAULT_NAME)
		ManagedIdGenerator idGenerator(IdGeneratorFactory factory) {
			return factory.create(GeneratorPropertiesBinder.DEFAULT_NAME);
		}

		@Bean(GeneratorInjection.DEFAULT_BEAN_MARKER)
		static SmartInitializingSingleton idsInjectionPointNames(ConfigurableListableBeanFactory beans,
				Environment environment) {
			return () -> {
				if (GeneratorNames.of(environment).isEmpty()) {
					IdGeneratorRegistrar.logMissing(beans);
				}
			};
		}

	}

	/**
	 * Matches unless the application defines a generator that replaces the default one.
	 */
	static final class OnNoReplacementOfDefault extends SpringBootCondition implements ConfigurationCondition {

		@Override
		public ConfigurationPhase getConfigurationPhase() {
			return ConfigurationPhase.REGISTER_BEAN;
		}

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			List<String> replacements = IdGeneratorRegistrar
				.replacementsOfDefault(Objects.requireNonNull(context.getBeanFactory()), context.getEnvironment());
			return new ConditionOutcome(replacements.isEmpty(), "id generators of the application: " + replacements);
		}

	}

	/**
	 * Registers the in-memory stores, which are used only if {@code ids.store} is
	 * {@code memory}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnStore(StoreType.MEMORY)
	static class MemoryStoreConfiguration {

		MemoryStoreConfiguration(Environment environment) {
			StoreType.MEMORY.checkConfigured(environment);
		}

		@Bean
		MemoryStores idsMemoryStores(ObjectProvider<TimeSource> timeSource) {
			return MemoryStores.open(timeSource.getIfAvailable(TimeSource::system));
		}

		@Bean
		@ConditionalOnMissingBean(KeySpaceStore.class)
		InMemoryKeySpaceStore keySpaceStore(MemoryStores stores) {
			return stores.keySpaces();
		}

		@Bean
		@ConditionalOnMissingBean(SlotStore.class)
		InMemorySlotStore slotStore(MemoryStores stores) {
			return stores.slots();
		}

	}

}
