package dev.idspring.autoconfigure;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;

import dev.idspring.entity.EntityTables;
import dev.idspring.entity.IdTexts;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.SecondaryTable;
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
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
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

		/**
		 * What is embedded is in the tables of its owners, of which there may be several.
		 */
		@Override
		public @Nullable String tableOf(Class<?> entity) {
			return find(entity).filter((context) -> !isEmbedded(entity, context))
				.map((context) -> nameOf(entity, context))
				.orElse(null);
		}

		@Override
		public @Nullable String tableOfId(Class<?> entity) {
			return find(entity).map((context) -> nameOf(entity, context)).orElse(null);
		}

		/**
		 * Asked for a class it does not know, a context would make that an entity.
		 */
		private Optional<RelationalMappingContext> find(Class<?> entity) {
			return this.contexts.stream(ObjectProvider.UNFILTERED)
				.filter((context) -> context.hasPersistentEntityFor(entity))
				.findFirst();
		}

		private static boolean isEmbedded(Class<?> entity, RelationalMappingContext context) {
			return context.getPersistentEntities()
				.stream()
				.flatMap((owner) -> StreamSupport.stream(owner.spliterator(), false))
				.anyMatch((property) -> property.isEmbedded() && property.getActualType() == entity);
		}

		private static String nameOf(Class<?> entity, RelationalMappingContext context) {
			return context.getRequiredPersistentEntity(entity).getTableName().getReference();
		}

	}

	/**
	 * Asks the metamodel.
	 *
	 * @param factories their metamodels, which are looked at when a table is asked for
	 */
	record HibernateEntityTables(ObjectProvider<EntityManagerFactory> factories) implements EntityTables {

		/**
		 * Properties may be in any of an entity's tables, of which the metamodel knows
		 * columns and not classes.
		 */
		@Override
		public @Nullable String tableOf(Class<?> entity) {
			EntityMappingType type = hasSecondaryTables(entity) ? null : find(entity);
			return (type != null) ? nameOf(type.getMappedTableDetails()) : null;
		}

		@Override
		public @Nullable String tableOfId(Class<?> entity) {
			EntityMappingType type = find(entity);
			return (type != null) ? nameOf(type.getIdentifierTableDetails()) : null;
		}

		private @Nullable EntityMappingType find(Class<?> entity) {
			return this.factories.stream(ObjectProvider.UNFILTERED)
				.map((factory) -> find(entity, factory))
				.filter(Objects::nonNull)
				.findFirst()
				.orElse(null);
		}

		private static @Nullable EntityMappingType find(Class<?> entity, EntityManagerFactory factory) {
			SessionFactoryImplementor sessions;
			try {
				sessions = factory.unwrap(SessionFactoryImplementor.class);
			}
			catch (PersistenceException ex) {
				// another provider's, which has none
				return null;
			}
			return sessions.getMappingMetamodel().findEntityDescriptor(entity);
		}

		private static boolean hasSecondaryTables(Class<?> entity) {
			return MergedAnnotations.from(entity, SearchStrategy.SUPERCLASS).isPresent(SecondaryTable.class);
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
