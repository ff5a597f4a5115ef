package dev.idspring.autoconfigure.persistence;

import java.util.UUID;

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
import org.springframework.data.r2dbc.convert.R2dbcCustomConversions;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Auto-configuration for the ids of entities that Spring Data R2DBC saves. At startup, it
 * rejects a {@code @GeneratedId} that names an unknown generator, or whose property
 * cannot hold the ids. With lazy initialization, an entity type is checked when its first
 * entity is saved.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class,
		beforeName = "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration")
@ConditionalOnClass(R2dbcMappingContext.class)
@ConditionalOnBean(IdGenerators.class)
public final class IdsDataR2dbcAutoConfiguration {

	/**
	 * Replace the bean that Spring Boot would define, in order to add converters for
	 * typed ids. The bean is lazy because no {@link DatabaseClient} exists until a
	 * template is created.
	 */
	@Bean
	@Lazy
	@ConditionalOnMissingBean
	R2dbcCustomConversions idsR2dbcCustomConversions(ApplicationContext context, DatabaseClient client)
			throws ClassNotFoundException {
		return R2dbcCustomConversions.of(DialectResolver.getDialect(client.getConnectionFactory()),
				IdConverters.of(TypedIdScanner.scan(context), UUID.class));
	}

	@Bean
	ReactiveGeneratedIdCallback idsReactiveGeneratedIdCallback(ObjectProvider<IdGenerators> generators,
			ObjectProvider<R2dbcMappingContext> contexts, ObjectProvider<GeneratedIds.Check> checks,
			ObjectProvider<R2dbcEntityTemplate> templates) {
		return new ReactiveGeneratedIdCallback(generators::getObject,
				() -> contexts.stream(ObjectProvider.UNFILTERED).toList(), AutoConfigurationSupport.combine(checks),
				(name) -> {
					R2dbcEntityTemplate template = templates.getIfUnique();
					return (template != null) ? template.getDataAccessStrategy().toSql(name) : null;
				}, ReactiveGeneratedIdCallback::createThread);
	}

	@Bean
	SmartInitializingSingleton idsReactiveGeneratedIdCheck(ReactiveGeneratedIdCallback callback,
			ConfigurableListableBeanFactory beans) {
		return AutoConfigurationSupport.check(callback::check, beans, IdGenerators.class, R2dbcMappingContext.class);
	}

}
