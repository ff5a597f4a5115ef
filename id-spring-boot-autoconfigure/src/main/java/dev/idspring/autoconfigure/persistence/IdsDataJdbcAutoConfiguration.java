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
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;

/**
 * Auto-configuration for the ids of entities that Spring Data JDBC saves.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(JdbcMappingContext.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsDataJdbcAutoConfiguration {

	/**
	 * Templates request this when they are created, possibly before there is a database:
	 * hence the providers.
	 */
	@Bean
	GeneratedIdCallback idsGeneratedIdCallback(ObjectProvider<IdGenerators> generators,
			ObjectProvider<JdbcMappingContext> contexts) {
		return new GeneratedIdCallback(generators::getObject,
				() -> contexts.stream(ObjectProvider.UNFILTERED).toList());
	}

	/**
	 * Finds wrong annotations at start. With lazy initialization entities are checked
	 * when they are saved.
	 */
	@Bean
	SmartInitializingSingleton idsGeneratedIdCheck(GeneratedIdCallback callback,
			ConfigurableListableBeanFactory beans) {
		return () -> {
			if (SingletonChecks.include(beans, IdGenerators.class, JdbcMappingContext.class)) {
				callback.check();
			}
		};
	}

}
