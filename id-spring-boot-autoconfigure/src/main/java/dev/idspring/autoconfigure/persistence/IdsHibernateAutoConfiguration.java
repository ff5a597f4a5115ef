package dev.idspring.autoconfigure.persistence;

import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import jakarta.persistence.metamodel.EntityType;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Auto-configuration for the ids of entities that Hibernate saves. It detects wrong
 * annotations at start-up; with lazy initialization, when entities are saved.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(BeforeExecutionGenerator.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsHibernateAutoConfiguration {

	/**
	 * This method must not request the generators: they may wait for scripts that wait
	 * for the {@code EntityManagerFactory}, which waits for this bean.
	 */
	@Bean
	@ConditionalOnMissingBean
	GeneratedIds idsHibernateGeneratedIds(ObjectProvider<IdGenerators> generators,
			ObjectProvider<GeneratedIds.Check> checks) {
		return new GeneratedIds(generators::getObject, AutoConfigurationSupport.all(checks));
	}

	@Bean
	SmartInitializingSingleton idsHibernateGeneratedIdsCheck(GeneratedIds ids, ConfigurableListableBeanFactory beans) {
		return AutoConfigurationSupport.check(ids::resolve, beans, IdGenerators.class);
	}

	/**
	 * Hibernate does not request ids for properties that it does not read.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AbstractEntityManagerFactoryBean.class)
	static class AnnotationsConfiguration {

		@Bean
		SmartInitializingSingleton idsHibernateAnnotationsCheck(GeneratedIds ids,
				ConfigurableListableBeanFactory beans) {
			return () -> Stream.of(beans.getBeanNamesForType(AbstractEntityManagerFactoryBean.class, true, false))
				.filter((name) -> beans.containsSingleton(BeanFactoryUtils.transformedBeanName(name)))
				.map((name) -> beans.getBean(name, AbstractEntityManagerFactoryBean.class))
				// do not wait for a factory that is still being built
				.filter((factory) -> factory.getBootstrapExecutor() == null)
				.flatMap((factory) -> factory.getNativeEntityManagerFactory().getMetamodel().getEntities().stream())
				.map(EntityType::getJavaType)
				.forEach(ids::verifyAdded);
		}

	}

}
