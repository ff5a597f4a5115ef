package dev.idspring.tools.ddl;

import dev.idspring.InvalidSettingException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kind of database, the schema and the name of a function that creates ids.
 *
 * @param platform the kind of database
 * @param schema the schema, or {@code null} for {@code public} on PostgreSQL and the
 * current database on MariaDB and MySQL
 * @param function the name of the function; the names of all other objects that the
 * script creates, except the schema, begin with this name
 * @since 0.1.0
 */
public record DdlTarget(DdlPlatform platform, @Nullable String schema, String function) {

	/**
	 * Matches names that need no quotes, unless they are reserved words. Upper-case
	 * letters do not match, because on MariaDB and MySQL the file system can determine
	 * whether the names of tables are case-sensitive.
	 */
	private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,39}");

	/**
	 * Create a target.
	 * @throws IllegalArgumentException if the platform is missing, or a name is not
	 * allowed; the message contains the name and the rule
	 */
	public DdlTarget {
		InvalidSettingException.requireGiven(DdlTarget.class, "platform", platform);
		if (schema != null) {
			verify("schema", schema);
		}
		verify("function", function);
	}

	private static void verify(String parameter, String name) {
		InvalidSettingException.require(name != null && NAME.matcher(name).matches(), DdlTarget.class, parameter, name,
				"must consist of up to 40 lower-case letters, digits and underscores, and not begin with a digit");
	}

	/**
	 * Return the name of the function, qualified with the schema if there is one.
	 */
	String name() {
		String schema = schemaName();
		return (schema != null) ? schema + "." + this.function : this.function;
	}

	@Nullable String schemaName() {
		return (this.schema == null && this.platform == DdlPlatform.POSTGRESQL) ? "public" : this.schema;
	}

	/**
	 * The databases for which a function can be generated.
	 *
	 * @since 0.1.0
	 */
	public enum DdlPlatform {

		/**
		 * PostgreSQL, version 12 or later.
		 */
		POSTGRESQL("PostgreSQL"),

		/**
		 * MariaDB, version 10.6 or later.
		 */
		MARIADB("MariaDB"),

		/**
		 * MySQL, version 8 or later. The generated SQL differs from the SQL for MariaDB
		 * only in how it replaces an existing function. The project tests this SQL on
		 * MariaDB, and also on MySQL if a server is available.
		 */
		MYSQL("MySQL");

		private final String product;

		DdlPlatform(String product) {
			this.product = product;
		}

		/**
		 * Return the name of the product.
		 * @return the display name
		 */
		public String product() {
			return this.product;
		}

	}

}
