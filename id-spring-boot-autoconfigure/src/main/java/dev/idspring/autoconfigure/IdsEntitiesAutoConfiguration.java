package dev.idspring.autoconfigure;

import dev.idspring.entity.EntityTables;
import dev.idspring.entity.IdTexts;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.mapping.TableDetails;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;

/**
 * Auto-configuration for what is to be known of entities where their ids are shown: which
 * tables they are kept in, as tables may decide upon generators.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnBean(IdTexts.class)
public final class IdsEntitiesAutoConfiguration {

	/**
	 * Spring Data JDBC and R2DBC.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RelationalMappingContext.class)
	static class RelationalConfiguration {

		@Bean
		RelationalEntityTables relationalEntityTables(ObjectProvider<RelationalMappingContext> contexts) {
			return new RelationalEntityTables(contexts);
		}

	}

	/**
	 * Hibernate.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ EntityManagerFactory.class, SessionFactoryImplementor.class })
	static class HibernateConfiguration {

		@Bean
		HibernateEntityTables hibernateEntityTables(ObjectProvider<EntityManagerFactory> factories) {
			return new HibernateEntityTables(factories);
		}

	}

	/**
	 * Asks the mapping contexts.
	 *
	 * @param contexts the contexts, which are looked at when a table is asked for
	 */
	record RelationalEntityTables(ObjectProvider<RelationalMappingContext> contexts) implements EntityTables {

		@Override
		public @Nullable String tableOf(Class<?> entity) {
			// asked for any other class, a context would make it an entity
			return this.contexts.stream()
				.filter((context) -> context.hasPersistentEntityFor(entity))
				.findFirst()
				.map((context) -> context.getRequiredPersistentEntity(entity).getTableName().getReference())
				.orElse(null);
		}

	}

	/**
	 * Asks the metamodel.
	 *
	 * @param factories their metamodels, which are looked at when a table is asked for
	 */
	record HibernateEntityTables(ObjectProvider<EntityManagerFactory> factories) implements EntityTables {

		@Override
		public @Nullable String tableOf(Class<?> entity) {
			EntityMappingType type = find(entity);
			return (type != null) ? nameOf(type.getMappedTableDetails()) : null;
		}

		@Override
		public @Nullable String tableOfId(Class<?> entity) {
			EntityMappingType type = find(entity);
			return (type != null) ? nameOf(type.getIdentifierTableDetails()) : null;
		}

		private @Nullable EntityMappingType find(Class<?> entity) {
			for (EntityManagerFactory factory : this.factories) {
				EntityMappingType type = factory.unwrap(SessionFactoryImplementor.class)
					.getMappingMetamodel()
					.findEntityDescriptor(entity);
				if (type != null) {
					return type;
				}
			}
			return null;
		}

		/**
		 * Leave out schema and quotes.
		 */
		private static String nameOf(TableDetails table) {
			String name = table.getTableName();
			return name.substring(name.lastIndexOf('.') + 1).replaceAll("[\"`\\[\\]]", "");
		}

	}

}
