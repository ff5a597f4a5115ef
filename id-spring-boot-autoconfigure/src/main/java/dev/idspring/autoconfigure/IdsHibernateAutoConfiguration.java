package dev.idspring.autoconfigure;

import dev.idspring.entity.EntityIds;
import dev.idspring.hibernate.GeneratedIds;
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
@ConditionalOnBean(EntityIds.class)
public final class IdsHibernateAutoConfiguration {

	/**
	 * The generators must not be asked for here: they may wait for scripts that wait for
	 * the {@code EntityManagerFactory}, which waits for this bean.
	 */
	@Bean
	@ConditionalOnMissingBean
	GeneratedIds idsHibernateGeneratedIds(ObjectProvider<EntityIds> ids) {
		return new GeneratedIds(ids::getObject);
	}

	/**
	 * Finds wrong names at start. Where beans are initialized lazily, their names are
	 * looked at when they are used.
	 */
	@Bean
	SmartInitializingSingleton idsHibernateGeneratedIdsCheck(GeneratedIds ids, ConfigurableListableBeanFactory beans) {
		return () -> {
			if (SingletonChecks.include(beans, EntityIds.class)) {
				ids.resolve();
			}
		};
	}

	/**
	 * For session factories that are given no container of beans.
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
