package dev.idspring.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * The resources and members that a native image must include but cannot detect: the
 * schema scripts, which only a property names; the scripts of the store on Redis; the
 * fields of a connection pool's settings, which are copied by reflection for the pool of
 * reservations; the components of the records that properties are bound to, which define
 * the valid names; the classes that Hibernate instantiates or reads because of our
 * annotations; and the fields that distinguish templates of Spring Data JDBC. Spring
 * handles binding, the responses of the endpoint, and the failure analyzer.
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
