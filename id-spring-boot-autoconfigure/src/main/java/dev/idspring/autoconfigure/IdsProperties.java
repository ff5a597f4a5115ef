package dev.idspring.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the starter: where reservations are kept, and its commands.
 *
 * @param enabled Whether generators are created at all. Otherwise no bean is left behind.
 * @param store What remembers how far key spaces are reserved. Memory forgets everything
 * at shutdown, none is for time strategies with a node that is given.
 * @param command Task to run instead of the application, which then exits with 0 (done),
 * 1 (found problems) or 2 (could not run). For the command line; not read from
 * configuration files.
 * @param output Form of a command's report.
 * @param skipAhead Options of the command skip-ahead.
 * @param ddl Options of the command ddl.
 * @param schema Options of the command schema.
 * @param adopt Options of the command adopt.
 * @param backfill Options of the command backfill.
 * @param leave Options of the command leave.
 * @param columns What is done about the keys of tables that others number.
 * @since 0.1.0
 */
@ConfigurationProperties("ids")
public record IdsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("jdbc") StoreType store,
		@Nullable String command, @DefaultValue("text") Output output, @Nullable SkipAhead skipAhead, @Nullable Ddl ddl,
		@Nullable Schema schema, @Nullable Adopt adopt, @Nullable Backfill backfill, @Nullable Leave leave,
		@Nullable Columns columns) {

	/**
	 * Form of a command's report.
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
	 * @param by Number of keys to skip, in every series if there are any.
	 * @param series Number of series to skip before the next one is begun. Defaults to
	 * the number of keys, each of which may have begun a series.
	 * @param confirm Whether to do it. Otherwise the command says what it would do.
	 */
	public record SkipAhead(@Nullable String keySpace, @Nullable Long by, @Nullable Long series,
			@DefaultValue("false") boolean confirm) {

	}

	/**
	 * Options of the command {@code schema}, which creates the tables of the id store.
	 *
	 * @param confirm Whether to create the tables. Otherwise the command prints the
	 * script.
	 */
	public record Schema(@DefaultValue("false") boolean confirm) {

	}

	/**
	 * Options of the command {@code adopt}, which lets a key space go on where the keys
	 * of a table stand.
	 *
	 * @param table Names of the tables.
	 * @param generator Name of the generator that is to make its keys, one for each
	 * table.
	 * @param source Sequence, or table with a counter, that numbers the rows so far, one
	 * for all tables or one for each. Defaults to what the column's default or identity
	 * names, else to what is named like the table. none if all instances of the
	 * application are stopped.
	 * @param row Value that tells the counter's row from others in a source table, one
	 * for all tables or one for each.
	 * @param allocationSize Most numbers that an old instance takes for a value of the
	 * source. Defaults to the increment of a sequence, and to 50 for a table.
	 * @param end Whether to end the bridge, when no old instance is left.
	 * @param keepSource Whether to leave the source as it is when the bridge ends, as
	 * other tables draw from it.
	 * @param file File to write the remaining DDL to, which must not exist yet. Unset
	 * means the report.
	 * @param confirm Whether to do it. Otherwise the command prints the plan.
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
	 * @param table Name of the table, which must have a primary key of one column.
	 * @param column Column to fill where it is null.
	 * @param generator Name of the generator whose ids are filled in.
	 * @param form Form of the ids. Defaults to uuid in columns of the types UUID and
	 * BINARY(16), to text in other columns of texts, else to number.
	 * @param batch Number of rows in a transaction.
	 * @param rate Number of rows a second at most, 0 for no limit.
	 * @param confirm Whether to do it. Otherwise the command says what it would do.
	 */
	public record Backfill(@Nullable String table, @Nullable String column, @Nullable String generator,
			@Nullable Form form, @DefaultValue("500") int batch, @DefaultValue("5000") int rate,
			@DefaultValue("false") boolean confirm) {

		/**
		 * Form of an id.
		 */
		public enum Form {

			/**
			 * What {@code nextString} returns.
			 */
			TEXT,

			/**
			 * What {@code nextUuid} returns.
			 */
			UUID,

			/**
			 * What {@code nextLong} returns.
			 */
			NUMBER

		}

	}

	/**
	 * Options of the command {@code leave}, which prints the script that gives a table
	 * back to an identity column or a sequence.
	 *
	 * @param table Name of the table.
	 * @param generator Name of the generator that makes its keys.
	 * @param sequence Sequence that is to number the rows. Defaults to none: the column
	 * itself numbers them (identity).
	 * @param allocationSize Increment of the sequence, which is Hibernate's
	 * allocationSize.
	 * @param file File to write the script to, which must not exist yet. Unset means
	 * standard output.
	 */
	public record Leave(@Nullable String table, @Nullable String generator, @Nullable String sequence,
			@DefaultValue("1") int allocationSize, @Nullable String file) {

	}

	/**
	 * What is done about the keys of tables that others number.
	 *
	 * @param watch Whether to watch all tables of the application's schema: in the
	 * endpoint ids/columns, in health and by meters.
	 */
	public record Columns(@DefaultValue("false") boolean watch) {

	}

	/**
	 * Options of the command {@code ddl}, which prints SQL that lets the database make
	 * ids itself.
	 *
	 * @param generator Name of the generator whose ids the database is to make.
	 * @param platform Database to print for. Told by ids.jdbc.platform or
	 * spring.datasource.url if unset.
	 * @param node Number of the node that the database is to be, with time strategies. No
	 * instance may have it.
	 * @param schema Schema of the functions. Defaults to public on PostgreSQL, and to the
	 * current database on the others.
	 * @param function Name of the function that makes ids. The names of all else that is
	 * created begin with it.
	 * @param file File to write to, which must not exist yet. Unset means standard
	 * output.
	 */
	public record Ddl(@Nullable String generator, @Nullable Platform platform, @Nullable Long node,
			@Nullable String schema, @DefaultValue("next_id") String function, @Nullable String file) {

		/**
		 * Database that can be told to make ids.
		 */
		public enum Platform {

			/**
			 * PostgreSQL, from version 12 on.
			 */
			POSTGRESQL,

			/**
			 * MariaDB, from version 10.6 on.
			 */
			MARIADB,

			/**
			 * MySQL, from version 8 on.
			 */
			MYSQL

		}

	}

}
