package dev.idspring.autoconfigure.persistence;

import java.util.Set;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.GeneratedIds;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration that rejects {@link GeneratedId @GeneratedId} properties to which no
 * generator would assign ids. Without this check, the first symptom would be an error
 * from the database. The check covers the entities of Spring Data modules for which this
 * library assigns no ids. If there are no generators, as with {@code ids.enabled=false}
 * and in test slices, the check covers the entities of all modules.
 * <p>
 * The check never covers entities that Hibernate manages, because
 * {@code EntityIdGenerator} performs the same check for them.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { IdsDataJdbcAutoConfiguration.class, IdsDataR2dbcAutoConfiguration.class,
		IdsHibernateAutoConfiguration.class })
@ConditionalOnClass(MappingContext.class)
public final class UnmanagedIdsAutoConfiguration {

	private static final Set<String> MANAGED = Set.of("org.springframework.data.jdbc.core.mapping.JdbcMappingContext",
			"org.springframework.data.r2dbc.mapping.R2dbcMappingContext");

	private static final String JPA = "org.springframework.data.jpa.mapping.JpaMetamodelMappingContext";

	private static final String HIBERNATE = "org.hibernate.generator.BeforeExecutionGenerator";

	@Bean
	static SmartInitializingSingleton idsUnmanagedCheck(ConfigurableListableBeanFactory beans) {
		return () -> {
			for (String name : beans.getBeanNamesForType(MappingContext.class, true, false)) {
				if (beans.containsSingleton(name)) {
					check((MappingContext<?, ?>) beans.getBean(name), beans);
				}
			}
		};
	}

	private static void check(MappingContext<?, ?> context, ListableBeanFactory beans) {
		boolean hasGenerators = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, IdGenerators.class, true,
				false).length > 0;
		String type = ClassUtils.getUserClass(context).getName();
		if (type.equals(JPA) ? ClassUtils.isPresent(HIBERNATE, null) : hasGenerators && isManaged(context)) {
			return;
		}
		String reason = hasGenerators ? type + " manages the entity" : GeneratedIds.NO_GENERATORS;
		for (PersistentEntity<?, ?> entity : context.getPersistentEntities()) {
			for (PersistentProperty<?> property : entity) {
				if (property.isAnnotationPresent(GeneratedId.class)) {
					throw GeneratedIds.unmanaged(entity.getName() + "." + property.getName(), reason);
				}
			}
		}
	}

	/**
	 * Return whether a callback of this package assigns ids to the entities of a mapping
	 * context. This method compares names of classes, because the modules that contain
	 * these classes are optional.
	 */
	private static boolean isManaged(MappingContext<?, ?> context) {
		for (Class<?> type = context.getClass(); type != null; type = type.getSuperclass()) {
			if (MANAGED.contains(type.getName())) {
				return true;
			}
		}
		return false;
	}

}
