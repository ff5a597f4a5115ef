package dev.idspring.autoconfigure.persistence;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/**
 * Auto-configuration for the ids of entities that Spring Data R2DBC saves.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(R2dbcMappingContext.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsDataR2dbcAutoConfiguration {

	/**
	 * Templates request this when they are created, possibly before there is a database:
	 * hence the providers.
	 */
	@Bean
	ReactiveGeneratedIdCallback idsReactiveGeneratedIdCallback(ObjectProvider<IdGenerators> generators,
			ObjectProvider<R2dbcMappingContext> contexts) {
		return new ReactiveGeneratedIdCallback(generators::getObject,
				() -> contexts.stream(ObjectProvider.UNFILTERED).toList());
	}

	/**
	 * Finds wrong annotations at start. With lazy initialization entities are checked
	 * when they are saved.
	 */
	@Bean
	SmartInitializingSingleton idsReactiveGeneratedIdCheck(ReactiveGeneratedIdCallback callback,
			ConfigurableListableBeanFactory beans) {
		return () -> {
			if (SingletonChecks.include(beans, IdGenerators.class, R2dbcMappingContext.class)) {
				callback.check();
			}
		};
	}

}
