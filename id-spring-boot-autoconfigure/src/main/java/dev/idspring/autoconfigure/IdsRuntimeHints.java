package dev.idspring.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * What a native image must keep and cannot find out by itself: the schema scripts, which
 * are only named by a property, those of the store on Redis, and the fields of a
 * connection pool's settings, which are copied by reflection for the pool of
 * reservations, the components of the records that properties are bound to, whose names
 * are all the names there are, and what Hibernate instantiates or reads because an
 * annotation of ours is there, and the fields by which templates of Spring Data JDBC are
 * told apart. Spring sees to binding, to what the endpoint answers with, and to the
 * failure analyzer.
 */
final class IdsRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("dev/idspring/jdbc/schema-*.sql").registerPattern("dev/idspring/redis/*.lua");
		hints.reflection()
			.registerTypeIfPresent(classLoader, "com.zaxxer.hikari.HikariConfig",
					MemberCategory.ACCESS_DECLARED_FIELDS);
		hints.reflection()
			.registerTypeIfPresent(classLoader, "dev.idspring.annotation.EntityIdGenerator",
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
			.registerTypeIfPresent(classLoader, "dev.idspring.annotation.GeneratedId",
					MemberCategory.INVOKE_DECLARED_METHODS)
			.registerTypeIfPresent(classLoader, "org.hibernate.event.spi.PreInsertEvent",
					MemberCategory.INVOKE_PUBLIC_METHODS);
		for (String type : List.of("org.springframework.data.jdbc.core.JdbcAggregateTemplate",
				"org.springframework.data.jdbc.repository.support.SimpleJdbcRepository")) {
			hints.reflection().registerTypeIfPresent(classLoader, type, MemberCategory.ACCESS_DECLARED_FIELDS);
		}
		BindableRuntimeHintsRegistrar.forTypes(GeneratorProperties.class).registerHints(hints);
		for (Class<?> properties : List.of(IdsProperties.class, GeneratorProperties.class, IdsJdbcProperties.class,
				IdsRedisProperties.class)) {
			hints.reflection().registerType(properties, MemberCategory.INVOKE_PUBLIC_METHODS);
			for (Class<?> group : properties.getDeclaredClasses()) {
				hints.reflection().registerType(group, MemberCategory.INVOKE_PUBLIC_METHODS);
			}
		}
	}

}
