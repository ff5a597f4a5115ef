package dev.idspring.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the whole application. This record declares them for the configuration
 * metadata and for the check of property names. The starter binds single properties or
 * groups where it needs them, because binding the whole record would take longer.
 *
 * @param enabled Whether to enable id generators. If false, the starter creates no
 * generators and no store.
 * @param store Store that records which ids are reserved. With the value memory,
 * reservations are lost at shutdown. The value none is only for time-based strategies
 * whose ids.node.source is not lease.
 * @param command Command to run instead of the application. Its exit code is 0 (done), 1
 * (found problems) or 2 (could not run). Read from arguments, system properties and
 * environment variables, not from configuration files.
 * @param output Format of a command's report.
 * @param skipAhead Options of the command skip-ahead.
 * @param ddl Options of the command ddl.
 * @param schema Options of the command schema.
 * @param adopt Options of the command adopt.
 * @param backfill Options of the command backfill.
 * @param leave Options of the command leave.
 * @param columns Monitoring of the application's key columns.
 * @since 0.1.0
 */
@ConfigurationProperties("ids")
public record IdsProperties(@DefaultValue("true") Boolean enabled, @DefaultValue("jdbc") StoreType store,
		@Nullable String command, @DefaultValue("text") Output output, @Nullable SkipAhead skipAhead, @Nullable Ddl ddl,
		@Nullable Schema schema, @Nullable Adopt adopt, @Nullable Backfill backfill, @Nullable Leave leave,
		@Nullable Columns columns) {

	/**
	 * Format of a command's report.
	 */
	public enum Output {

		/**
		 * Plain text.
		 */
		TEXT,

		/**
		 * A JSON object on one line.
		 */
		JSON

	}

	/**
	 * Options of the command {@code skip-ahead}, which skips keys of a key space, because
	 * a restored backup of its store does not record them as issued.
	 *
	 * @param keySpace Name of the key space in which to skip keys.
	 * @param by Number of keys to skip. With the recycled strategy, every series skips
	 * this number.
	 * @param series Number of series to skip, because instances may have started them
	 * since the backup. Only for the recycled strategy. Defaults to the number of keys to
	 * skip, because in the worst case each of those keys started a series.
	 * @param confirm Whether to skip the keys. Otherwise the command only reports what it
	 * would do.
	 */
	public record SkipAhead(@Nullable String keySpace, @Nullable Long by, @Nullable Long series,
			@DefaultValue("false") Boolean confirm) {

	}

	/**
	 * Options of the command {@code schema}, which creates the tables of the id store.
	 *
	 * @param confirm Whether to create the tables. Otherwise the command only prints the
	 * script.
	 */
	public record Schema(@DefaultValue("false") Boolean confirm) {

	}

	/**
	 * Options of the command {@code adopt}, which lets a key space continue after the
	 * existing keys of a table.
	 *
	 * @param table Names of the tables whose keys a generator is to continue.
	 * @param generator Names of the generators that are to continue the keys, one for
	 * each table.
	 * @param source Sequence, or table with a counter, that has generated the keys so
	 * far. One for all tables, or one for each. Defaults to the sequence or identity of
	 * the key column, or else to a sequence or table that is named after the key's table.
	 * Set this to none only if all instances are stopped.
	 * @param row Value that identifies the row of the counter in a table of counters. One
	 * for all tables, or one for each.
	 * @param allocationSize Maximum number of ids that an instance of the old release
	 * derives from one value of the source. Defaults to the increment of a sequence, or
	 * to 50 for a table.
	 * @param end Whether new instances are to stop drawing from the source. Set this only
	 * if no instance of the old release is running.
	 * @param keepSource Whether ids.adopt.end leaves the source unchanged. Set this if
	 * other tables still draw from the source.
	 * @param file New file for the DDL that the operator must run. Must not exist yet. If
	 * not set, the report contains the DDL.
	 * @param confirm Whether to carry out the plan. Otherwise the command only prints it.
	 */
	public record Adopt(@DefaultValue List<String> table, @DefaultValue List<String> generator,
			@DefaultValue List<String> source, @DefaultValue List<String> row, @Nullable Long allocationSize,
			@DefaultValue("false") Boolean end, @DefaultValue("false") Boolean keepSource, @Nullable String file,
			@DefaultValue("false") Boolean confirm) {

	}

	/**
	 * Options of the command {@code backfill}, which fills a column of existing rows with
	 * ids.
	 *
	 * @param table Name of the table. Its primary key must have a single column.
	 * @param column Column to fill. Rows with a value in this column do not change.
	 * @param generator Name of the generator whose ids fill the column.
	 * @param form Form of the ids. Defaults to uuid for columns of the types UUID and
	 * BINARY(16), to text for text columns, and to number for all others.
	 * @param batch Number of rows per transaction. At most 10000.
	 * @param rate Maximum number of rows per second, or 0 for no limit.
	 * @param confirm Whether to fill the column. Otherwise the command only reports what
	 * it would do.
	 */
	public record Backfill(@Nullable String table, @Nullable String column, @Nullable String generator,
			@Nullable Form form, @DefaultValue("500") Integer batch, @DefaultValue("5000") Integer rate,
			@DefaultValue("false") Boolean confirm) {

		/**
		 * Form of an id.
		 */
		public enum Form {

			/**
			 * The string that {@code nextString} returns.
			 */
			TEXT,

			/**
			 * The UUID that {@code nextUuid} returns.
			 */
			UUID,

			/**
			 * The number that {@code nextLong} returns.
			 */
			NUMBER

		}

	}

	/**
	 * Options of the command {@code leave}, which prints a script that lets an identity
	 * column or a sequence generate the keys of new rows.
	 *
	 * @param table Name of the table.
	 * @param generator Name of the generator that generates the keys of the table.
	 * @param sequence Sequence that is to generate the keys of new rows. If not set, the
	 * column becomes an identity column.
	 * @param allocationSize Increment of the sequence. Must equal the allocationSize of
	 * Hibernate's generator.
	 * @param file File for the script. Must not exist yet. Defaults to standard output.
	 */
	public record Leave(@Nullable String table, @Nullable String generator, @Nullable String sequence,
			@DefaultValue("1") Integer allocationSize, @Nullable String file) {

	}

	/**
	 * Monitoring of the application's key columns.
	 *
	 * @param watch Whether to monitor the key columns of all tables in the application's
	 * schema. The endpoint ids/columns, the health contributor and meters show the
	 * results.
	 */
	public record Columns(@DefaultValue("false") Boolean watch) {

	}

	/**
	 * Options of the command {@code ddl}, which prints SQL that lets the database
	 * generate ids itself.
	 *
	 * @param generator Name of the generator whose ids the database is to generate. Its
	 * strategy must be snowflake or decimal-uid.
	 * @param platform Database for which to print the SQL. Defaults to the database of
	 * ids.jdbc.platform or spring.datasource.url.
	 * @param node Node number of the database. Required. No instance and no other
	 * database may use this number.
	 * @param schema Schema of the functions. Defaults to public on PostgreSQL, and to the
	 * current database on MariaDB and MySQL.
	 * @param function Name of the function that generates ids. The names of all other
	 * objects of the script begin with this name.
	 * @param file File for the SQL. Must not exist yet. Defaults to standard output.
	 */
	public record Ddl(@Nullable String generator, @Nullable Platform platform, @Nullable Long node,
			@Nullable String schema, @DefaultValue("next_id") String function, @Nullable String file) {

		/**
		 * A database that can generate ids itself.
		 */
		public enum Platform {

			/**
			 * PostgreSQL 12 or later.
			 */
			POSTGRESQL,

			/**
			 * MariaDB 10.6 or later.
			 */
			MARIADB,

			/**
			 * MySQL 8 or later.
			 */
			MYSQL

		}

	}

}
