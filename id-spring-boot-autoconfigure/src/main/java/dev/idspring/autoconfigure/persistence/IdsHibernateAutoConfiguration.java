package dev.idspring.autoconfigure.persistence;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for the ids of JPA entities with Hibernate.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(BeforeExecutionGenerator.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsHibernateAutoConfiguration {

	/**
	 * The generators must not be requested here: they may wait for scripts that wait for
	 * the {@code EntityManagerFactory}, which waits for this bean.
	 */
	@Bean
	@ConditionalOnMissingBean
	GeneratedIds idsHibernateGeneratedIds(ObjectProvider<IdGenerators> generators) {
		return new GeneratedIds(generators::getObject);
	}

	/**
	 * Finds wrong names at start. With lazy initialization names are checked when ids are
	 * drawn.
	 */
	@Bean
	SmartInitializingSingleton idsHibernateGeneratedIdsCheck(GeneratedIds ids, ConfigurableListableBeanFactory beans) {
		return () -> {
			if (SingletonChecks.include(beans, IdGenerators.class)) {
				ids.resolve();
			}
		};
	}

	/**
	 * For session factories without a container of beans.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HibernatePropertiesCustomizer.class)
	static class SettingsConfiguration {

		@Bean
		HibernatePropertiesCustomizer idsHibernatePropertiesCustomizer(GeneratedIds ids) {
			return (properties) -> properties.put(GeneratedIds.SETTING, ids);
		}

	}

}
