package dev.idspring.autoconfigure.persistence;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import jakarta.persistence.metamodel.EntityType;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.persistence.autoconfigure.EntityScanner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.core.dialect.JdbcMySqlDialect;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.r2dbc.convert.R2dbcCustomConversions;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Auto-configuration for the ids of entities that Hibernate, Spring Data JDBC and Spring
 * Data R2DBC save. Wrong annotations are found at start; with lazy initialization they
 * are found when entities are saved.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class,
		beforeName = { "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration",
				"org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration" })
@ConditionalOnBean(IdGenerators.class)
public final class IdsPersistenceAutoConfiguration {

	/**
	 * Return a check that is made unless beans of one of some types do not exist yet.
	 */
	private static SmartInitializingSingleton check(Runnable check, ConfigurableListableBeanFactory beans,
			Class<?>... types) {
		return () -> {
			Stream<String> names = Stream.of(types)
				.flatMap((type) -> Stream.of(beans.getBeanNamesForType(type, true, false)));
			if (names.allMatch(beans::containsSingleton)) {
				check.run();
			}
		};
	}

	/**
	 * Return the checks, which are looked up late, as they need the generators.
	 */
	private static GeneratedIds.Check check(ObjectProvider<GeneratedIds.Check> checks) {
		return (generator, property) -> checks.forEach((check) -> check.verify(generator, property));
	}

	/**
	 * Return the typed ids in the packages of entities.
	 */
	private static List<Class<?>> typedIds(ApplicationContext context) throws ClassNotFoundException {
		return new EntityScanner(context).scan(IdAsString.class).stream().filter(Class::isRecord).toList();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcMappingContext.class)
	static class DataJdbcConfiguration {

		/**
		 * Like that of Spring Boot. Created where a template needs it, and only then is
		 * there a dialect.
		 */
		@Bean
		@Lazy
		@ConditionalOnMissingBean
		JdbcCustomConversions idsJdbcCustomConversions(ApplicationContext context, JdbcDialect dialect)
				throws ClassNotFoundException {
			List<Class<?>> types = typedIds(context);
			// its driver would write the serialized object
			return JdbcCustomConversions.of(dialect, (dialect instanceof JdbcMySqlDialect)
					? IdConverters.withBinaryUuids(types) : IdConverters.of(types, UUID.class));
		}

		/**
		 * Templates request this when they are created, possibly before there is a
		 * database: hence the providers.
		 */
		@Bean
		GeneratedIdCallback idsGeneratedIdCallback(ObjectProvider<IdGenerators> generators,
				ObjectProvider<JdbcMappingContext> contexts, ObjectProvider<GeneratedIds.Check> checks,
				ObjectProvider<JdbcDialect> dialects) {
			return new GeneratedIdCallback(generators::getObject,
					() -> contexts.stream(ObjectProvider.UNFILTERED).toList(), check(checks), (name) -> {
						JdbcDialect dialect = dialects.getIfUnique();
						return (dialect != null) ? name.toSql(dialect.getIdentifierProcessing()) : name.getReference();
					});
		}

		@Bean
		SmartInitializingSingleton idsGeneratedIdCheck(GeneratedIdCallback callback,
				ConfigurableListableBeanFactory beans) {
			return check(callback::check, beans, IdGenerators.class, JdbcMappingContext.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(R2dbcMappingContext.class)
	static class DataR2dbcConfiguration {

		/**
		 * Like that of Spring Boot. Created where a template needs it, and only then is
		 * there a client.
		 */
		@Bean
		@Lazy
		@ConditionalOnMissingBean
		R2dbcCustomConversions idsR2dbcCustomConversions(ApplicationContext context, DatabaseClient client)
				throws ClassNotFoundException {
			return R2dbcCustomConversions.of(DialectResolver.getDialect(client.getConnectionFactory()),
					IdConverters.of(typedIds(context), UUID.class));
		}

		@Bean
		ReactiveGeneratedIdCallback idsReactiveGeneratedIdCallback(ObjectProvider<IdGenerators> generators,
				ObjectProvider<R2dbcMappingContext> contexts, ObjectProvider<GeneratedIds.Check> checks,
				ObjectProvider<R2dbcEntityTemplate> templates) {
			return new ReactiveGeneratedIdCallback(generators::getObject,
					() -> contexts.stream(ObjectProvider.UNFILTERED).toList(), check(checks), (name) -> {
						R2dbcEntityTemplate template = templates.getIfUnique();
						return (template != null) ? template.getDataAccessStrategy().toSql(name) : null;
					}, ReactiveGeneratedIdCallback::thread);
		}

		@Bean
		SmartInitializingSingleton idsReactiveGeneratedIdCheck(ReactiveGeneratedIdCallback callback,
				ConfigurableListableBeanFactory beans) {
			return check(callback::check, beans, IdGenerators.class, R2dbcMappingContext.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(BeforeExecutionGenerator.class)
	static class HibernateConfiguration {

		/**
		 * The generators must not be requested here: they may wait for scripts that wait
		 * for the {@code EntityManagerFactory}, which waits for this bean.
		 */
		@Bean
		@ConditionalOnMissingBean
		GeneratedIds idsHibernateGeneratedIds(ObjectProvider<IdGenerators> generators,
				ObjectProvider<GeneratedIds.Check> checks) {
			return new GeneratedIds(generators::getObject, check(checks));
		}

		@Bean
		SmartInitializingSingleton idsHibernateGeneratedIdsCheck(GeneratedIds ids,
				ConfigurableListableBeanFactory beans) {
			return check(ids::resolve, beans, IdGenerators.class);
		}

		/**
		 * Hibernate does not ask for the ids of properties that it does not read.
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
					// one that is still being built is not waited for
					.filter((factory) -> factory.getBootstrapExecutor() == null)
					.flatMap((factory) -> factory.getNativeEntityManagerFactory().getMetamodel().getEntities().stream())
					.map(EntityType::getJavaType)
					.forEach(ids::verifyAdded);
			}

		}

	}

}
