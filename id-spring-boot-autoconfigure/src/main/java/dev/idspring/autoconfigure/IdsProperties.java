package dev.idspring.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties that apply to the whole application, such as those of the store of
 * reservations and of the commands. This record declares them for the metadata and for
 * the check of property names. Startup does not bind the whole record, because that would
 * take longer. Instead, each property is read where it is needed.
 *
 * @param enabled Whether to enable id generators. If false, the starter registers no
 * beans.
 * @param store Store that records which ids have been reserved. With the value memory,
 * this record is lost at shutdown. The value none is only for time-based strategies whose
 * node number is not leased.
 * @param command Command to run instead of the application. The application then exits
 * with 0 (done), 1 (found problems) or 2 (could not run). Read only from the command
 * line, not from configuration files.
 * @param output Format of a command's report.
 * @param skipAhead Options of the command skip-ahead.
 * @param ddl Options of the command ddl.
 * @param schema Options of the command schema.
 * @param adopt Options of the command adopt.
 * @param backfill Options of the command backfill.
 * @param leave Options of the command leave.
 * @param columns Monitoring of key columns that are not filled by generators.
 * @since 0.1.0
 */
@ConfigurationProperties("ids")
public record IdsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("jdbc") StoreType store,
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
	 * Options of the command {@code skip-ahead}, which moves a key space ahead after its
	 * store went backwards.
	 *
	 * @param keySpace Name of the key space.
	 * @param by Number of keys to skip. With the recycled strategy, this number is
	 * skipped in every series.
	 * @param series Number of series that may have been started since the backup, and are
	 * skipped. Only for the recycled strategy. Defaults to the number of keys to skip, as
	 * if each of those keys had started a series.
	 * @param confirm Whether to move the key space. Otherwise the command only reports
	 * what it would do.
	 */
	public record SkipAhead(@Nullable String keySpace, @Nullable Long by, @Nullable Long series,
			@DefaultValue("false") boolean confirm) {

	}

	/**
	 * Options of the command {@code schema}, which creates the tables of the id store.
	 *
	 * @param confirm Whether to create the tables. Otherwise the command only prints the
	 * script.
	 */
	public record Schema(@DefaultValue("false") boolean confirm) {

	}

	/**
	 * Options of the command {@code adopt}, which lets a key space continue after the
	 * existing keys of a table.
	 *
	 * @param table Names of the tables.
	 * @param generator Names of the generators that are to generate the keys, one for
	 * each table.
	 * @param source Sequence, or table with a counter, that has generated the keys so
	 * far. One for all tables, or one for each. If not set, the command uses the sequence
	 * in the column's default or identity. If the column has neither, the command uses a
	 * sequence or table that is named after the table. The value none is for an
	 * application whose instances are all stopped.
	 * @param row Value that identifies the row of the counter in a source table. One for
	 * all tables, or one for each.
	 * @param allocationSize Maximum number of ids that an instance of the old release
	 * derives from one value of the source. Defaults to the increment of a sequence, or
	 * to 50 for a table.
	 * @param end Whether to end the bridge between old and new instances: the new ones
	 * stop drawing from the source. Set it only when no old instance is running any more.
	 * @param keepSource Whether to leave the source unchanged when the bridge ends,
	 * because other tables still draw from it.
	 * @param file File for the remaining DDL, which must not exist yet. If not set, the
	 * DDL is part of the report.
	 * @param confirm Whether to carry out the plan. Otherwise the command only prints it.
	 */
	public record Adopt(@DefaultValue List<String> table, @DefaultValue List<String> generator,
			@DefaultValue List<String> source, @DefaultValue List<String> row, @Nullable Long allocationSize,
			@DefaultValue("false") boolean end, @DefaultValue("false") boolean keepSource, @Nullable String file,
			@DefaultValue("false") boolean confirm) {

	}

	/**
	 * Options of the command {@code backfill}, which fills a column of existing rows with
	 * ids.
	 *
	 * @param table Name of the table. Its primary key must have a single column.
	 * @param column Column to fill. Only rows in which it is null are changed.
	 * @param generator Name of the generator whose ids fill the column.
	 * @param form Form of the ids. Defaults to uuid for columns of the types UUID and
	 * BINARY(16), to text for text columns, and to number for all others.
	 * @param batch Number of rows per transaction. At most 10000.
	 * @param rate Maximum number of rows per second, or 0 for no limit.
	 * @param confirm Whether to fill the column. Otherwise the command only reports what
	 * it would do.
	 */
	public record Backfill(@Nullable String table, @Nullable String column, @Nullable String generator,
			@Nullable Form form, @DefaultValue("500") int batch, @DefaultValue("5000") int rate,
			@DefaultValue("false") boolean confirm) {

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
	 * Options of the command {@code leave}, which prints a script that hands the
	 * numbering of a table's new rows back to an identity column or a sequence.
	 *
	 * @param table Name of the table.
	 * @param generator Name of the generator that generates the keys of the table.
	 * @param sequence Sequence that is to generate the keys of new rows. If not set, the
	 * column becomes an identity column.
	 * @param allocationSize Increment of the sequence, which must equal Hibernate's
	 * allocationSize.
	 * @param file File for the script, which must not exist yet. Defaults to standard
	 * output.
	 */
	public record Leave(@Nullable String table, @Nullable String generator, @Nullable String sequence,
			@DefaultValue("1") int allocationSize, @Nullable String file) {

	}

	/**
	 * Monitoring of key columns that are not filled by generators.
	 *
	 * @param watch Whether to monitor the key columns of all tables in the application's
	 * schema. The results are in the endpoint ids/columns, in the health contributor and
	 * in meters.
	 */
	public record Columns(@DefaultValue("false") boolean watch) {

	}

	/**
	 * Options of the command {@code ddl}, which prints SQL that lets the database
	 * generate ids itself.
	 *
	 * @param generator Name of the generator whose ids the database is to generate. Its
	 * strategy must be snowflake or decimal-uid.
	 * @param platform Database for which to print the SQL. Defaults to the database of
	 * ids.jdbc.platform or spring.datasource.url.
	 * @param node Node number of the database. Always required. No instance and no other
	 * database may use the same number.
	 * @param schema Schema of the functions. Defaults to public on PostgreSQL, and to the
	 * current database on MariaDB and MySQL.
	 * @param function Name of the function that generates ids. The names of all other
	 * created objects begin with it.
	 * @param file File for the SQL, which must not exist yet. Defaults to standard
	 * output.
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
