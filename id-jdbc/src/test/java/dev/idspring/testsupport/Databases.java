package dev.idspring.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Runs a parameterized test on the given databases. Of these, {@code mvn verify} uses
 * only H2, PostgreSQL and MariaDB, and MySQL if the environment provides a server.
 * {@code -Pwide} uses all of them.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Tag("longer")
@ArgumentsSource(Databases.Provider.class)
public @interface Databases {

	/**
	 * Return the given databases. The default is all databases.
	 */
	Kind[] value() default {};

	/**
	 * Return databases on which the test does not run.
	 */
	Kind[] except() default {};

	/**
	 * Provides the databases.
	 */
	final class Provider extends AnnotationBasedArgumentsProvider<Databases> {

		private static final Set<Kind> DEFAULT_KINDS = EnumSet.of(Kind.H2, Kind.POSTGRESQL, Kind.MARIADB);

		@Override
		protected Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context,
				Databases databases) {
			return databasesOfThisRun((databases.value().length > 0) ? databases.value() : Kind.values())
				.filter((kind) -> !List.of(databases.except()).contains(kind))
				.map(Arguments::of);
		}

		/**
		 * Return those of the given databases that this Maven run uses.
		 */
		public static Stream<Kind> databasesOfThisRun(Kind... kinds) {
			boolean allDatabases = Boolean.getBoolean("test.ids.all-databases");
			return Stream.of(kinds)
				.filter((kind) -> allDatabases || DEFAULT_KINDS.contains(kind)
						|| (kind == Kind.MYSQL_DRIVER && GivenServer.MYSQL.isGiven()));
		}

	}

}
