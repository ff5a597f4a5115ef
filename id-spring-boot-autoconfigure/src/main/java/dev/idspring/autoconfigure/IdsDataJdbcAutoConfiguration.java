package dev.idspring.autoconfigure;

import dev.idspring.data.GeneratedIdCallback;
import dev.idspring.entity.EntityIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;

/**
 * Auto-configuration for the ids of entities that Spring Data JDBC saves.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(JdbcMappingContext.class)
@ConditionalOnBean(EntityIds.class)
public final class IdsDataJdbcAutoConfiguration {

	/**
	 * Templates ask for this when they are made, which may be before there is a database:
	 * hence the providers.
	 */
	@Bean
	@ConditionalOnMissingBean
	GeneratedIdCallback idsGeneratedIdCallback(ObjectProvider<EntityIds> ids,
			ObjectProvider<JdbcMappingContext> contexts) {
		return new GeneratedIdCallback(ids::getObject, () -> contexts.stream(ObjectProvider.UNFILTERED).toList());
	}

	/**
	 * Finds wrong annotations at start. Where beans are initialized lazily, entities are
	 * looked at when they are saved.
	 */
	@Bean
	SmartInitializingSingleton idsGeneratedIdCheck(GeneratedIdCallback callback,
			ConfigurableListableBeanFactory beans) {
		return () -> {
			if (SingletonChecks.include(beans, EntityIds.class, JdbcMappingContext.class)) {
				callback.check();
			}
		};
	}

}
