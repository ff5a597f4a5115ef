package dev.idspring.autoconfigure;

import dev.idspring.data.ReactiveGeneratedIdCallback;
import dev.idspring.entity.EntityIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/**
 * Auto-configuration for the ids of entities that Spring Data R2DBC saves.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(R2dbcMappingContext.class)
@ConditionalOnBean(EntityIds.class)
public final class IdsDataR2dbcAutoConfiguration {

	/**
	 * Templates ask for this when they are made, which may be before there is a database:
	 * hence the providers.
	 */
	@Bean
	@ConditionalOnMissingBean
	ReactiveGeneratedIdCallback idsReactiveGeneratedIdCallback(ObjectProvider<EntityIds> ids,
			ObjectProvider<R2dbcMappingContext> contexts) {
		return new ReactiveGeneratedIdCallback(ids::getObject,
				() -> contexts.stream(ObjectProvider.UNFILTERED).toList());
	}

	/**
	 * Finds wrong annotations at start. Where beans are initialized lazily, entities are
	 * looked at when they are saved.
	 */
	@Bean
	SmartInitializingSingleton idsReactiveGeneratedIdCheck(ReactiveGeneratedIdCallback callback,
			ConfigurableListableBeanFactory beans) {
		return () -> {
			if (SingletonChecks.include(beans, EntityIds.class, R2dbcMappingContext.class)) {
				callback.check();
			}
		};
	}

}
