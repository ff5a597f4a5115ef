package dev.idspring.autoconfigure.persistence;

import dev.idspring.annotation.GeneratedIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Passes the generators to session factories that {@link SessionFactorySettings} does not
 * process: those that Spring Boot's {@code EntityManagerFactoryBuilder} builds but that
 * are not declared as factory beans, and those of a child context.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HibernatePropertiesCustomizer.class)
class BuiltSessionFactories {

	@Bean
	HibernatePropertiesCustomizer idsHibernatePropertiesCustomizer(ObjectProvider<GeneratedIds> ids) {
		return (properties) -> properties.putIfAbsent(GeneratedIds.HIBERNATE_SETTING, ids.getObject());
	}

}
