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
@EnableConfigurationProperties({ IdsProperties.class, IdsRedisProperties.class })
@Import(GeneratorPropertiesBinder.class)
public final class IdsRedisAutoConfiguration {

	private static final String LISTED = "spring.data.redis.masterreplica.nodes";

	@Bean
	RedisStoreConnector idsRedisConnector(IdsProperties ids, IdsRedisProperties properties,
			ObjectProvider<RedisConnectionFactory> factories,
			@IdsRedisConnectionFactory ObjectProvider<RedisConnectionFactory> marked,
			ObjectProvider<TimeSource> timeSource, GeneratorPropertiesBinder binder) {
		StoreType.REDIS.checkConfigured(ids.store());
		RedisConnectionFactory own = single(marked, "are marked with @IdsRedisConnectionFactory",
				"Mark only the one that leads to the server of the id store.");
		RedisConnectionFactory found = (own != null) ? own : single(factories, "are there and none of them is primary",
				"Mark the one that leads to the server of the id store with @IdsRedisConnectionFactory, or one of"
						+ " them with @Primary.");
		if (own == null) {
			refuseListedReplicas(binder.environment());
		}
		return new RedisStoreConnector(lettuce(found), properties, own != null, binder.storeTimeout(),
				timeSource.getIfAvailable(TimeSource::system));
	}

	/**
	 * Open the connection to the server. The connector closes it, after the generators
	 * have been closed.
	 */
	@Bean(destroyMethod = "")
	@ConditionalOnMissingBean
	RedisDatabase idsRedisDatabase(RedisStoreConnector connector) {
		return connector.connect();
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
	 * Reject a property that lists replicas explicitly. The connection factory does not
	 * expose this list, so a copy of the factory would connect to another server.
	 */
	private static void refuseListedReplicas(Environment environment) {
		if (Binder.get(environment).bind(LISTED, Bindable.listOf(String.class)).isBound()) {
			throw new IdSetupException(LISTED + " is set, but ids are reserved on the server that is in charge.",
					"Set spring.data.redis.sentinel.* or spring.data.redis.cluster.nodes, or declare a"
							+ " LettuceConnectionFactory for that server: @Bean(defaultCandidate = false)"
							+ " @IdsRedisConnectionFactory.",
					List.of(LISTED), null);
		}
	}

	private static LettuceConnectionFactory lettuce(@Nullable RedisConnectionFactory found) {
		if (found == null) {
			throw new IdSetupException("ids.store is redis, but there is no RedisConnectionFactory bean.",
					"Add spring-boot-starter-data-redis and set spring.data.redis.host, or declare a"
							+ " LettuceConnectionFactory bean.",
					List.of("ids.store"), null);
		}
		if (!(found instanceof LettuceConnectionFactory lettuce)) {
			throw new IdSetupException(
					"ids.store is redis, but the RedisConnectionFactory bean is a " + found.getClass().getName()
							+ ": ids are reserved over Lettuce.",
					"Set spring.data.redis.client-type to lettuce, or declare a LettuceConnectionFactory for ids:"
							+ " @Bean(defaultCandidate = false) @IdsRedisConnectionFactory.",
					List.of("ids.store", "spring.data.redis.client-type"), null);
		}
		return lettuce;
	}

	private static @Nullable RedisConnectionFactory single(ObjectProvider<RedisConnectionFactory> factories,
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
