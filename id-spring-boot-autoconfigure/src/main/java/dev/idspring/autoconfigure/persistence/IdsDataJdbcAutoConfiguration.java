package dev.idspring.autoconfigure.persistence;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.dialect.JdbcMySqlDialect;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.dialect.Dialect;

/**
 * Auto-configuration for the ids of entities that Spring Data JDBC saves. At startup, it
 * rejects a {@code @GeneratedId} that names an unknown generator, or whose property
 * cannot hold the ids. With lazy initialization, an entity type is checked when its first
 * entity is saved.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class,
		beforeName = "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration")
@ConditionalOnClass(JdbcMappingContext.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsDataJdbcAutoConfiguration {

	/**
	 * Replace the bean that Spring Boot would define, in order to add converters for
	 * typed ids. The bean is lazy because no dialect exists until a template is created.
	 */
	@Bean
	@Lazy
	@ConditionalOnMissingBean
	JdbcCustomConversions idsJdbcCustomConversions(ApplicationContext context, Dialect dialect)
			throws ClassNotFoundException {
		List<Class<?>> types = TypedIdScanner.scan(context);
		// without binary UUIDs, the MySQL driver would write a serialized Java object
		return SpringDataJdbc.conversions(dialect, (dialect instanceof JdbcMySqlDialect)
				? IdConverters.withBinaryUuids(types) : IdConverters.of(types, UUID.class));
	}

	/**
	 * Create the callback with providers instead of beans. Templates request the callback
	 * when they are created, and the database may not be available at that time.
	 */
	@Bean
	GeneratedIdCallback idsGeneratedIdCallback(ObjectProvider<IdGenerators> generators,
			ObjectProvider<JdbcMappingContext> contexts, ObjectProvider<GeneratedIds.Check> checks,
			ObjectProvider<Dialect> dialects, ObjectProvider<DataSource> dataSources) {
		return new GeneratedIdCallback(generators::getObject, () -> contexts.stream(ObjectProvider.UNFILTERED).toList(),
				AutoConfigurationSupport.combine(checks), (name) -> {
					if (dataSources.getIfUnique() == null && dataSources.stream().findAny().isPresent()) {
						// the table may belong to any of the data sources
						return null;
					}
					Dialect dialect = dialects.getIfUnique();
					return (dialect != null) ? name.toSql(dialect.getIdentifierProcessing()) : name.getReference();
				}, dataSources::getIfUnique);
	}

	@Bean
	static JdbcTemplatesPostProcessor idsJdbcTemplates(ObjectProvider<GeneratedIdCallback> callback) {
		return new JdbcTemplatesPostProcessor(callback);
	}

	@Bean
	SmartInitializingSingleton idsGeneratedIdCheck(GeneratedIdCallback callback,
			ConfigurableListableBeanFactory beans) {
		return AutoConfigurationSupport.check(callback::check, beans, IdGenerators.class, JdbcMappingContext.class);
	}

}
