package dev.idspring.autoconfigure;

import java.util.List;

import dev.idspring.IdSetupException;
import dev.idspring.redis.RedisDatabase;
import dev.idspring.redis.RedisKeySpaceStore;
import dev.idspring.redis.RedisSlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Auto-configuration for the id store on a Valkey or Redis server. There is no condition
 * on a connection factory, because a missing factory is an error if this store is
 * configured.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = IdsAutoConfiguration.class)
@ConditionalOnClass({ RedisDatabase.class, LettuceConnectionFactory.class })
@ConditionalOnMissingBean(KeySpaceStore.class)
@ConditionalOnBooleanProperty(name = "ids.enabled", matchIfMissing = true)
@ConditionalOnStore(StoreType.REDIS)
@EnableConfigurationProperties(IdsRedisProperties.class)
@Import(GeneratorPropertiesBinder.class)
public final class IdsRedisAutoConfiguration {

	private static final String LISTED_NODES_PROPERTY = "spring.data.redis.masterreplica.nodes";

	@Bean
	RedisStoreConnector idsRedisConnector(IdsRedisProperties properties,
			ObjectProvider<RedisConnectionFactory> factories,
			@IdsRedisConnectionFactory ObjectProvider<RedisConnectionFactory> marked,
			ObjectProvider<TimeSource> timeSource, GeneratorPropertiesBinder binder) {
		StoreType.REDIS.checkConfigured(binder.environment());
		RedisConnectionFactory markedFactory = uniqueIfAvailable(marked, "are marked with @IdsRedisConnectionFactory",
				"Mark only the one that connects to the id store's server.");
		RedisConnectionFactory factory = (markedFactory != null) ? markedFactory : uniqueIfAvailable(factories,
				"exist, and none of them is primary",
				"Add @IdsRedisConnectionFactory to the one that connects to the id store's server, or add @Primary"
						+ " to one of them.");
		if (markedFactory == null) {
			rejectListedReplicas(binder.environment());
		}
		return new RedisStoreConnector(requireLettuce(factory), properties, markedFactory != null,
				binder.storeTimeout(), timeSource.getIfAvailable(TimeSource::system));
	}

	/**
	 * Connect to the server. The connector closes the connections after the generators
	 * have been closed.
	 */
	@Bean(destroyMethod = "")
	@ConditionalOnMissingBean
	RedisDatabase idsRedisDatabase(RedisStoreConnector connector, GeneratorPropertiesBinder binder) {
		return connector.connect(() -> binder.bind(GeneratorPropertiesBinder.DEFAULT_NAME));
	}

	@Bean
	RedisKeySpaceStore redisKeySpaceStore(RedisDatabase database) {
		return new RedisKeySpaceStore(database);
	}

	@Bean
	@ConditionalOnMissingBean(SlotStore.class)
	RedisSlotStore redisSlotStore(RedisDatabase database) {
		return new RedisSlotStore(database);
	}

	/**
	 * Reject the property that lists the nodes of a static primary-replica setup. The
	 * store opens its own connections with a copy of the application's connection
	 * factory. The factory does not expose this list, so the copy would connect to the
	 * wrong server.
	 */
	private static void rejectListedReplicas(Environment environment) {
		if (Binder.get(environment).bind(LISTED_NODES_PROPERTY, Bindable.listOf(String.class)).isBound()) {
			throw new IdSetupException(
					LISTED_NODES_PROPERTY
							+ " is set, but the id store cannot use this list: ids must be reserved on the primary.",
					"Set spring.data.redis.sentinel.* or spring.data.redis.cluster.nodes, or declare a"
							+ " LettuceConnectionFactory bean for the primary, annotated with"
							+ " @Bean(defaultCandidate = false) and @IdsRedisConnectionFactory.",
					List.of(LISTED_NODES_PROPERTY), null);
		}
	}

	private static LettuceConnectionFactory requireLettuce(@Nullable RedisConnectionFactory factory) {
		if (factory == null) {
			throw new IdSetupException("ids.store is redis, but there is no RedisConnectionFactory bean.",
					"Add spring-boot-starter-data-redis and set spring.data.redis.host, or declare a"
							+ " LettuceConnectionFactory bean.",
					List.of("ids.store"), null);
		}
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			throw new IdSetupException(
					"ids.store is redis and the RedisConnectionFactory bean is a " + factory.getClass().getName()
							+ ", but the id store supports only Lettuce.",
					"Set spring.data.redis.client-type to lettuce, or declare a LettuceConnectionFactory bean for the"
							+ " id store's server, annotated with @Bean(defaultCandidate = false) and @IdsRedisConnectionFactory.",
					List.of("ids.store", "spring.data.redis.client-type"), null);
		}
		return lettuce;
	}

	private static @Nullable RedisConnectionFactory uniqueIfAvailable(ObjectProvider<RedisConnectionFactory> factories,
			String problem, String remedy) {
		try {
			return factories.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IdSetupException(
					"Several RedisConnectionFactory beans " + problem + ": " + ex.getBeanNamesFound() + ".", remedy,
					ex);
		}
	}

}
