package dev.idspring.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.idspring.entity.EntityTables;
import dev.idspring.entity.IdFormats;
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
@ConditionalOnBean(IdFormats.class)
public final class IdsEntitiesAutoConfiguration {

	/**
	 * Spring Data JDBC and R2DBC.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RelationalMappingContext.class)
	static class RelationalConfiguration {

		@Bean
		RelationalEntityTables idsRelationalEntityTables(ObjectProvider<RelationalMappingContext> contexts) {
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
		HibernateEntityTables idsHibernateEntityTables(ObjectProvider<EntityManagerFactory> factories) {
			return new HibernateEntityTables(factories);
		}

	}

	/**
	 * Several mappings of a class may have different tables, and which of them is meant
	 * cannot be told.
	 */
	private static @Nullable String only(Stream<String> tables) {
		List<String> different = tables.distinct().limit(2).toList();
		return (different.size() == 1) ? different.get(0) : null;
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
			return knowing(entity).anyMatch((context) -> isEmbedded(entity, context)) ? null : tableOfId(entity);
		}

		@Override
		public @Nullable String tableOfId(Class<?> entity) {
			return only(knowing(entity).map((context) -> nameOf(entity, context)));
		}

		/**
		 * Asked for a class it does not know, a context would make that an entity.
		 */
		private Stream<RelationalMappingContext> knowing(Class<?> entity) {
			return this.contexts.stream(ObjectProvider.UNFILTERED)
				.filter((context) -> context.hasPersistentEntityFor(entity));
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
			return hasSecondaryTables(entity) ? null
					: only(find(entity).map((type) -> nameOf(type.getMappedTableDetails())));
		}

		@Override
		public @Nullable String tableOfId(Class<?> entity) {
			return only(find(entity).map((type) -> nameOf(type.getIdentifierTableDetails())));
		}

		private Stream<EntityMappingType> find(Class<?> entity) {
			return this.factories.stream(ObjectProvider.UNFILTERED)
				.map((factory) -> find(entity, factory))
				.filter(Objects::nonNull);
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
