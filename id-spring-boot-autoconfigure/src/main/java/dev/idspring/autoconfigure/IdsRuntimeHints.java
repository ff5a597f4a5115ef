package dev.idspring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * Registers the resources and members that a native image needs but its build cannot
 * detect.
 * <ul>
 * <li>The schema scripts, whose location is known only from a property.</li>
 * <li>The scripts of the store on Redis.</li>
 * <li>The fields of HikariCP's configuration. They are copied by reflection to create the
 * pool for reservations.</li>
 * <li>The components of the records that properties are bound to. The starter reads the
 * valid property names from them.</li>
 * <li>The generator class that Hibernate instantiates, and the annotation that Hibernate
 * reads.</li>
 * <li>The methods of Hibernate's {@code PreInsertEvent}. The starter calls one of them by
 * reflection.</li>
 * <li>The fields of Spring Data JDBC classes. The starter reads templates and their
 * {@code DataSource} from them.</li>
 * <li>The binding of {@link GeneratorProperties} and of the groups of
 * {@link IdsProperties}, which are not beans.</li>
 * </ul>
 * Spring itself handles the binding of all other properties, the responses of the
 * endpoint, and the failure analyzers.
 */
final class IdsRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("dev/idspring/jdbc/schema-*.sql").registerPattern("dev/idspring/redis/*.lua");
		hints.reflection().registerTypeIfPresent(classLoader, "com.zaxxer.hikari.HikariConfig", fieldAccess());
		hints.reflection()
			.registerTypeIfPresent(classLoader, "dev.idspring.annotation.EntityIdGenerator",
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
			.registerTypeIfPresent(classLoader, "dev.idspring.annotation.GeneratedId",
					MemberCategory.INVOKE_DECLARED_METHODS)
			.registerTypeIfPresent(classLoader, "org.hibernate.event.spi.PreInsertEvent",
					MemberCategory.INVOKE_PUBLIC_METHODS);
		for (String type : List.of("org.springframework.data.jdbc.core.JdbcAggregateTemplate",
				"org.springframework.data.jdbc.repository.support.SimpleJdbcRepository",
				"org.springframework.data.jdbc.core.convert.DefaultDataAccessStrategy",
				"org.springframework.data.jdbc.core.convert.DelegatingDataAccessStrategy")) {
			hints.reflection().registerTypeIfPresent(classLoader, type, fieldAccess());
		}
		BindableRuntimeHintsRegistrar.forTypes(GeneratorProperties.class, IdsProperties.class).registerHints(hints);
		for (Class<?> properties : List.of(IdsProperties.class, GeneratorProperties.class, IdsJdbcProperties.class,
				IdsRedisProperties.class)) {
			hints.reflection().registerType(properties, MemberCategory.INVOKE_PUBLIC_METHODS);
			for (Class<?> group : properties.getDeclaredClasses()) {
				hints.reflection().registerType(group, MemberCategory.INVOKE_PUBLIC_METHODS);
			}
		}
	}

	/**
	 * Return the category for access to fields. The name of the category depends on the
	 * version of Spring Framework.
	 */
	private static MemberCategory fieldAccess() {
		return Stream.of("ACCESS_DECLARED_FIELDS", "DECLARED_FIELDS")
			.flatMap((name) -> Stream.of(MemberCategory.values()).filter((category) -> category.name().equals(name)))
			.findFirst()
			.orElseThrow();
	}

}
