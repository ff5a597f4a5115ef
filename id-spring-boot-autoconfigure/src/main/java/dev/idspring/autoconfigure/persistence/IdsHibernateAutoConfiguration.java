package dev.idspring.autoconfigure.persistence;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.metamodel.Metamodel;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Auto-configuration for the ids of entities that Hibernate saves. At startup, it rejects
 * a {@code @GeneratedId} that names an unknown generator, or whose property cannot hold
 * the ids. With lazy initialization, an entity type is checked when its first entity is
 * saved.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass(BeforeExecutionGenerator.class)
@ConditionalOnBean(IdGenerators.class)
@Import(BuiltSessionFactories.class)
public final class IdsHibernateAutoConfiguration {

	/**
	 * This method must not request the generators, because that could cause a cycle: the
	 * generators may wait for database scripts, the scripts may wait for the
	 * {@code EntityManagerFactory}, and the factory needs this bean.
	 */
	@Bean
	@ConditionalOnMissingBean
	GeneratedIds idsHibernateGeneratedIds(ObjectProvider<IdGenerators> generators,
			ObjectProvider<GeneratedIds.Check> checks) {
		return new GeneratedIds(generators::getObject, AutoConfigurationSupport.combine(checks));
	}

	@Bean
	SmartInitializingSingleton idsHibernateGeneratedIdsCheck(GeneratedIds ids, ConfigurableListableBeanFactory beans) {
		return AutoConfigurationSupport.check(ids::resolve, beans, IdGenerators.class);
	}

	/**
	 * Pass {@link GeneratedIds} to Hibernate in the settings of each session factory that
	 * a Spring factory bean builds. Hibernate's bean container is unsuitable: earlier
	 * versions of Hibernate do not obtain generators from the container, and a session
	 * factory need not have one. The return type is the concrete class, so that Spring
	 * detects that the post-processor is {@code PriorityOrdered}.
	 */
	@Bean
	static SessionFactorySettings idsHibernateSettings(ObjectProvider<GeneratedIds> ids) {
		return new SessionFactorySettings(ids);
	}

	/**
	 * Rejects {@code @GeneratedId} annotations that Hibernate does not read, because
	 * Hibernate would generate no ids for their properties. The check skips session
	 * factories that are built in the background, because it would wait for them.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AbstractEntityManagerFactoryBean.class)
	static class AnnotationsConfiguration {

		@Bean
		SmartInitializingSingleton idsHibernateAnnotationsCheck(GeneratedIds ids,
				ConfigurableListableBeanFactory beans) {
			return () -> {
				for (String name : beans.getBeanNamesForType(EntityManagerFactory.class, true, false)) {
					if (beans.containsSingleton(name) && !isBuiltInBackground(name, beans)) {
						verify(beans.getBean(name, EntityManagerFactory.class).getMetamodel(), ids);
					}
				}
			};
		}

		private static void verify(@Nullable Metamodel metamodel, GeneratedIds ids) {
			// a mocked factory has no metamodel
			if (metamodel != null) {
				metamodel.getEntities().forEach((type) -> ids.verifyAdded(type.getJavaType()));
				metamodel.getEmbeddables().forEach((type) -> ids.verifyAdded(type.getJavaType()));
			}
		}

		private static boolean isBuiltInBackground(String name, ConfigurableListableBeanFactory beans) {
			return beans.isFactoryBean(name)
					&& beans.getBean(
							BeanFactory.FACTORY_BEAN_PREFIX + name) instanceof AbstractEntityManagerFactoryBean factory
					&& factory.getBootstrapExecutor() != null;
		}

	}

}
