package dev.idspring.autoconfigure;

import dev.idspring.CompositePrefix;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.block.InMemoryKeySpaceStore;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.clock.TimeSource;
import dev.idspring.entity.EntityIds;
import dev.idspring.gapless.GaplessStore;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.monitor.ReservationObserver;
import dev.idspring.slot.InMemorySlotStore;
import dev.idspring.slot.SlotStore;
import dev.idspring.time.TailKeys;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for id generators.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdsProperties.class)
@Import(IdGeneratorRegistrar.Named.class)
public final class IdsAutoConfiguration {

	private static final Log logger = LogFactory.getLog(IdsAutoConfiguration.class);

	@Bean
	static DdlPrinter idsDdlPrinter(Environment environment) {
		return new DdlPrinter(environment, System.out);
	}

	@Bean
	@ConditionalOnMissingBean
	IdGenerators idGenerators(ObjectProvider<IdGenerator> generators) {
		return new DefaultIdGenerators(generators.stream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	EntityIds entityIds(IdGenerators generators) {
		return new EntityIds(generators);
	}

	@Bean(IdGeneratorFactory.BEAN_NAME)
	IdGeneratorFactory idGeneratorFactory(Environment environment, IdsProperties properties,
			ObjectProvider<KeySpaceStore> stores, ObjectProvider<JdbcDatabase> databases,
			ObjectProvider<SlotStore> slots, ObjectProvider<GaplessStore> gapless,
			ObjectProvider<TimeSource> timeSource, ObjectProvider<IdGeneratorBuilderCustomizer<?>> customizers,
			ObjectProvider<CompositePrefix> prefixes, ObjectProvider<ReservationObserver> observers,
			ObjectProvider<TailKeys> tailKeys) {
		new ConfigurationCheck(environment, new GeneratorPropertiesBinder(environment)).run();
		KeySpaceStore store = (properties.store() != StoreType.NONE) ? stores.getIfUnique() : null;
		if (store != null) {
			store.describe().warnings().forEach(logger::warn);
		}
		else if (properties.store() != StoreType.NONE) {
			throw missingStore(properties.store());
		}
		TimeSource time = timeSource.getIfAvailable(TimeSource::system);
		new SkipAheadRunner(properties.skipAhead(), store, slots, time)
			.run(CheckedProperties.storeTimeout(environment, properties));
		JdbcDatabase database = (store instanceof JdbcKeySpaceStore) ? databases.getIfUnique() : null;
		return new IdGeneratorFactory(environment, store, database, slots, gapless, time,
				customizers.orderedStream().toList(), prefixes,
				ReservationObserver.all(observers.orderedStream().toList()), tailKeys.getIfAvailable(TailKeys::secure));
	}

	private static IdSetupException missingStore(StoreType wanted) {
		return new IdSetupException(
				"Id generators need a store to remember what has been reserved, but ids.store is " + wanted.id()
						+ " and there is no single DataSource or KeySpaceStore bean.",
				"Add spring-boot-starter-jdbc and a database driver and set spring.datasource.url, or set"
						+ " ids.store=memory where ids may repeat after a restart, or set ids.enabled=false.");
	}

	/**
	 * The generator that the properties right under {@code ids} describe.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(IdGenerator.class)
	@Import(IdGeneratorRegistrar.Default.class)
	static class DefaultGeneratorConfiguration {

	}

	/**
	 * The stores that are only ever used when asked for by name.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnStore(StoreType.MEMORY)
	static class MemoryStoreConfiguration {

		MemoryStoreConfiguration(IdsProperties properties) {
			StoreType.MEMORY.checkConfigured(properties.store());
		}

		@Bean
		@ConditionalOnMissingBean(KeySpaceStore.class)
		InMemoryKeySpaceStore keySpaceStore(ObjectProvider<TimeSource> timeSource) {
			return new InMemoryKeySpaceStore(timeSource.getIfAvailable(TimeSource::system));
		}

		@Bean
		@ConditionalOnMissingBean(SlotStore.class)
		InMemorySlotStore slotStore(ObjectProvider<TimeSource> timeSource) {
			return new InMemorySlotStore(timeSource.getIfAvailable(TimeSource::system));
		}

	}

}
