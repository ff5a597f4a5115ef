package dev.idspring.tools.command;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.GeneratorDefinition;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.jdbc.LetterCase;
import dev.idspring.jdbc.QualifiedName;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SqlTypeValue;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.rowset.SqlRowSetMetaData;
import org.springframework.util.Assert;

/**
 * The column that the command {@code backfill} fills with ids.
 *
 * @param database the product name of the database
 * @param place the table and the column, for messages
 * @param table the quoted name of the table
 * @param key the quoted name of the primary key column
 * @param name the quoted name of the column
 * @param type the type of the column
 * @param jdbcType the type as a constant of {@link Types}; {@code OTHER} for a column of
 * type UUID
 * @param caseInsensitive whether the database ignores case when it compares the ids
 * @param form the form of the ids
 */
record BackfilledColumn(String database, String place, String table, String key, String name, ColumnType type,
		int jdbcType, boolean caseInsensitive, IdsProperties.Backfill.Form form) {

	private static final Log logger = LogFactory.getLog(BackfilledColumn.class);

	private static final int UUID_CHARACTERS = 36;

	private static final int UUID_BYTES = 16;

	/**
	 * The maximum number of bytes for the names of the table and the column in the name
	 * of a constraint. PostgreSQL allows 63 bytes for the whole name.
	 */
	private static final int MAX_NAME_BYTES = 55;

	private static final int HASH_CHARACTERS = 8;

	/**
	 * The databases that need {@code limit}, because MySQL, SQLite and old versions of
	 * MariaDB do not support {@code fetch first}.
	 */
	private static final Set<String> WITH_LIMIT = Set.of("MySQL", "MariaDB", "SQLite");

	static BackfilledColumn of(JdbcTemplate jdbc, String database, String quote, KeyColumn key, String name,
			IdsProperties.Backfill.@Nullable Form form) {
		String table = key.place().quoted(quote);
		SqlRowSetMetaData columns = jdbc.queryForRowSet("select * from " + table + " where 1 = 0").getMetaData();
		List<String> found = QualifiedName.matching(List.of(columns.getColumnNames()), Function.identity(), name);
		String columnName = CommandContext.only(found, "ids.backfill.column", name).orElse(null);
		for (int i = 1; i <= columns.getColumnCount(); i++) {
			if (columns.getColumnName(i).equals(columnName)) {
				int jdbcType = columns.getColumnType(i);
				ColumnType type = new ColumnType(jdbcType, columns.getColumnTypeName(i), columns.getPrecision(i),
						columns.isSigned(i));
				String quoted = new QualifiedName(null, columns.getColumnName(i)).quoted(quote);
				boolean uuid = holdsUuids(type);
				boolean text = holdsText(type);
				return new BackfilledColumn(database, key.place() + "." + columns.getColumnName(i), table,
						new QualifiedName(null, key.column()).quoted(quote), quoted, type,
						uuid && !isBinary(jdbcType) ? Types.OTHER : jdbcType, text && ignoresCase(jdbc, table, quoted),
						(form != null) ? form : uuid ? IdsProperties.Backfill.Form.UUID
								: text ? IdsProperties.Backfill.Form.TEXT : IdsProperties.Backfill.Form.NUMBER);
			}
		}
		throw BackfillCommand.failure("column is '" + name + "', which table " + key.table() + " does not have.",
				"Add the column first, and make it nullable.");
	}

	private static boolean ignoresCase(JdbcTemplate jdbc, String table, String column) {
		Boolean ignores = jdbc.execute((ConnectionCallback<Boolean>) (connection) -> LetterCase.ignoresCase(connection,
				(int) CommandContext.TIMEOUT.toSeconds(), table, column));
		return Boolean.TRUE.equals(ignores);
	}

	private static boolean holdsText(ColumnType type) {
		return type.isText() || type.type() == Types.CLOB || type.type() == Types.NCLOB;
	}

	private static boolean holdsUuids(ColumnType type) {
		return type.name().equalsIgnoreCase("uuid") || isBinary(type.type());
	}

	private static boolean isBinary(int type) {
		return type == Types.BINARY || type == Types.VARBINARY;
	}

	List<Object> nextKeys(JdbcTemplate jdbc, @Nullable Object after, int count) {
		String sql = "select " + this.key + " from " + this.table + " where " + this.name + " is null"
				+ ((after != null) ? " and " + this.key + " > ?" : "") + " order by " + this.key
				+ (WITH_LIMIT.contains(this.database) ? " limit " + count : " fetch first " + count + " rows only");
		RowMapper<Object> keys = (row, index) -> readKey(row);
		return (after != null) ? jdbc.query(sql, keys, after) : jdbc.query(sql, keys);
	}

	/**
	 * Read a key from the first column of a result. For a {@code tinyint(1)}, the drivers
	 * of MariaDB and MySQL return a boolean. This method reads such a key as a number.
	 */
	private Object readKey(ResultSet row) throws SQLException {
		Object key = JdbcUtils.getResultSetValue(row, 1);
		Assert.state(key != null, "The key of a row is null");
		return (key instanceof Boolean && (this.database.equals("MariaDB") || this.database.equals("MySQL")))
				? row.getLong(1) : key;
	}

	/**
	 * Return a printable form of a key. Equal keys have equal forms, even if the keys are
	 * byte arrays.
	 */
	static Object printableForm(Object key) {
		return (key instanceof byte[] bytes) ? HexFormat.of().formatHex(bytes) : key;
	}

	Object[] values(IdGenerator generator, int count) {
		return switch (this.form) {
			case TEXT -> texts(generator.nextStrings(count));
			case NUMBER -> Arrays.stream(generator.nextLongs(count)).boxed().toArray();
			case UUID -> {
				Object[] uuids = new Object[count];
				Arrays.setAll(uuids, (i) -> uuid(generator.nextUuid()));
				yield uuids;
			}
		};
	}

	private Object[] texts(List<String> texts) {
		for (String text : texts) {
			if (this.caseInsensitive && !text.equals(text.toLowerCase(Locale.ROOT))
					&& !text.equals(text.toUpperCase(Locale.ROOT))) {
				throw BackfillCommand.failure(
						"column is " + this.place
								+ ", which compares strings regardless of upper and lower case, but ids such as '"
								+ text + "' contain both.",
						"Give the column a binary collation (such as ascii_bin), or give the generator an alphabet"
								+ " with only one case.");
			}
		}
		return texts.toArray();
	}

	private Object uuid(UUID uuid) {
		if (this.jdbcType == Types.OTHER) {
			return uuid;
		}
		return isBinary(this.jdbcType) ? ByteBuffer.allocate(16)
			.putLong(uuid.getMostSignificantBits())
			.putLong(uuid.getLeastSignificantBits())
			.array() : uuid.toString();
	}

	/**
	 * Fill the column in the rows where it is still null. The application may have filled
	 * some of the rows since their keys were read.
	 * @return the number of rows that this call filled
	 */
	int fill(JdbcTemplate jdbc, List<Object> keys, Object[] values) {
		List<Object[]> rows = new ArrayList<>();
		for (int i = 0; i < values.length; i++) {
			rows.add(new Object[] { values[i], keys.get(i) });
		}
		int[] counts = jdbc.batchUpdate("update " + this.table + " set " + this.name + " = ? where " + this.key
				+ " = ? and " + this.name + " is null", rows,
				new int[] { SqlTypeValue.TYPE_UNKNOWN, SqlTypeValue.TYPE_UNKNOWN });
		int[] filled = IntStream.range(0, counts.length)
			.filter((i) -> counts[i] == Statement.SUCCESS_NO_INFO || counts[i] > 0)
			.toArray();
		verifyStored(jdbc, IntStream.of(filled).mapToObj(keys::get).toList(),
				IntStream.of(filled).mapToObj((i) -> values[i]).toArray());
		return filled.length;
	}

	/**
	 * Reject a column whose type does not fit the form of the ids. If ids are stored as
	 * UUIDs, also reject a column that is too narrow for them. The width check needs no
	 * generator, because all UUIDs have the same length.
	 */
	void verifyType() {
		boolean fitsForm = switch (this.form) {
			case TEXT -> holdsText(this.type);
			case NUMBER -> this.type.isExactNumber();
			case UUID -> holdsUuids(this.type) || holdsText(this.type);
		};
		if (!fitsForm) {
			throw BackfillCommand.failure(
					"column is " + this.place + ", whose type " + this.type.name() + " does not fit ids.backfill.form="
							+ this.form.name().toLowerCase(Locale.ROOT) + ".",
					"Set ids.backfill.form to text for a text column, to uuid for a column of type UUID, BINARY(16) or"
							+ " text, and to number for a column of whole numbers. Other columns cannot be filled.");
		}
		boolean fits = this.type.isText() ? this.type.size() >= UUID_CHARACTERS
				: !isBinary(this.jdbcType) || this.type.size() >= UUID_BYTES;
		if (storesUuids() && !fits) {
			throw BackfillCommand.failure(
					"column is " + this.place + ", whose type " + this.type.name() + "(" + this.type.size()
							+ ") is too short for UUIDs.",
					"Change it to UUID if the database has that type, otherwise to BINARY(16) or CHAR(36).");
		}
	}

	boolean storesUuids() {
		return this.form == IdsProperties.Backfill.Form.UUID;
	}

	/**
	 * Reject a column that is too narrow for the widest id of a generator. If the widest
	 * id is not known, log a warning. For UUIDs, {@link #verifyType} checks the width
	 * instead. The generator must already be open.
	 */
	void verifyWidth(GeneratorDefinition generator, ConfigurableListableBeanFactory beans) {
		boolean asText = this.form == IdsProperties.Backfill.Form.TEXT;
		if (!storesUuids() && !generator.verifyWidth(beans, this.place, this.type, asText)) {
			logger.warn("Generator '" + generator.name() + "' is defined by the application, so it is unknown whether "
					+ this.place + " is wide enough for all ids of the generator. Each batch is read back and"
					+ " compared with its ids.");
		}
	}

	/**
	 * Count the rows to fill.
	 * @param rows the number of all rows according to statistics of the database, which
	 * this method returns if the query fails, for example because it takes too long
	 */
	@Nullable Long countMissing(JdbcTemplate jdbc, @Nullable Long rows) {
		try {
			return jdbc.queryForObject("select count(*) from " + this.table + " where " + this.name + " is null",
					Long.class);
		}
		catch (DataAccessException ex) {
			logger.info("Could not count the rows to fill: " + ex.getMostSpecificCause().getMessage());
			return rows;
		}
	}

	String describeMissing(JdbcTemplate jdbc, @Nullable Long rows) {
		Long missing = countMissing(jdbc, null);
		return (missing != null) ? ", in " + CommandContext.count(missing, "row")
				: (rows != null) ? ", in a table of about " + CommandContext.count(rows, "row")
						+ " according to statistics (counting the rows to fill failed)" : "";
	}

	/**
	 * Verify that the database has stored the values unchanged. Without a strict
	 * {@code sql_mode}, MariaDB and MySQL truncate values without an error.
	 */
	void verifyStored(JdbcTemplate jdbc, List<Object> keys, Object[] values) {
		if (keys.isEmpty()) {
			return;
		}
		Map<Object, Object> stored = new HashMap<>();
		jdbc.query(
				"select " + this.key + ", " + this.name + " from " + this.table + " where " + this.key + " in ("
						+ String.join(", ", Collections.nCopies(keys.size(), "?")) + ")",
				(RowCallbackHandler) (row) -> stored.put(printableForm(readKey(row)),
						canonicalForm(JdbcUtils.getResultSetValue(row, 2))),
				keys.toArray());
		for (int i = 0; i < values.length; i++) {
			Object found = stored.get(printableForm(keys.get(i)));
			if (!canonicalForm(values[i]).equals(found)) {
				throw BackfillCommand.failure(
						"column is " + this.place + ", which contains " + found + " instead of "
								+ canonicalForm(values[i]) + " in the row with the key " + printableForm(keys.get(i))
								+ ": the database has changed the value. This batch was rolled back.",
						"Make the column wide enough, look for triggers that change the value, and on MariaDB and"
								+ " MySQL make sql_mode strict (STRICT_TRANS_TABLES).");
			}
		}
	}

	/**
	 * Return a value in a form that does not depend on the driver: equal values have
	 * equal forms.
	 */
	private Object canonicalForm(@Nullable Object value) {
		if (value instanceof byte[] bytes) {
			return HexFormat.of().formatHex(bytes);
		}
		if (this.form == IdsProperties.Backfill.Form.UUID) {
			return String.valueOf(value).replace("-", "").toLowerCase(Locale.ROOT).strip();
		}
		return (value instanceof Number) ? new BigDecimal(value.toString()).toBigInteger().toString()
				: String.valueOf(value).stripTrailing();
	}

	/**
	 * Return the DDL that makes the column unique and, except on SQLite, not null. On
	 * PostgreSQL, the statements that read the whole table do not block writers. A column
	 * of a partitioned table on PostgreSQL does not become unique, because a unique index
	 * of such a table must contain the partition key.
	 */
	List<String> constraintDdl(JdbcTemplate jdbc) {
		String alter = "alter table " + this.table;
		return switch (this.database) {
			case "PostgreSQL" ->
				Stream
					.concat(isPartitioned(jdbc)
							? Stream.of("-- " + this.name + " cannot be unique in " + this.table
									+ ", because a unique index of a partitioned table must contain the partition key")
							: Stream.of(
									"create unique index concurrently " + constraintName("key") + " on " + this.table
											+ " (" + this.name + "); -- not in a transaction",
									alter + " add constraint " + constraintName("key") + " unique using index "
											+ constraintName("key") + ";"),
							Stream.of(
									alter + " add constraint " + constraintName("set") + " check (" + this.name
											+ " is not null) not valid;",
									alter + " validate constraint " + constraintName("set") + ";",
									alter + " alter column " + this.name + " set not null;",
									alter + " drop constraint " + constraintName("set") + ";"))
					.toList();
			case "MySQL", "MariaDB" -> List.of(alter + " modify column " + this.name + " " + definition(jdbc)
					+ ", add unique " + constraintName("key") + " (" + this.name + ");");
			case "SQLite" ->
				List.of("create unique index " + constraintName("key") + " on " + this.table + " (" + this.name + ");");
			default -> List.of(alter + " alter column " + this.name + " set not null;",
					alter + " add constraint " + constraintName("key") + " unique (" + this.name + ");");
		};
	}

	private boolean isPartitioned(JdbcTemplate jdbc) {
		return Boolean.TRUE.equals(jdbc.queryForObject(
				"select relkind = 'p' from pg_catalog.pg_class where oid = ?::regclass", Boolean.class, this.table));
	}

	private String constraintName(String suffix) {
		String quote = this.name.substring(0, 1);
		String plain = (this.table + "_" + this.name).replace(quote, "");
		byte[] bytes = plain.getBytes(StandardCharsets.UTF_8);
		if (bytes.length > MAX_NAME_BYTES) {
			// the hash distinguishes columns whose names have the same beginning
			String start = new String(bytes, 0, MAX_NAME_BYTES - HASH_CHARACTERS - 1, StandardCharsets.UTF_8);
			// the cut may split a character, which is then decoded as U+FFFD
			plain = start.replace("\uFFFD", "") + "_" + Integer.toHexString(plain.hashCode());
		}
		return quote + plain + "_" + suffix + quote;
	}

	/**
	 * Return the definition of the column as the server writes it, including the
	 * character set, but with {@code not null} instead of {@code default null}. On
	 * MariaDB, {@code not null} must precede a check.
	 */
	private String definition(JdbcTemplate jdbc) {
		return CommandContext.columnDefinition(jdbc, this.table, this.name)
			.replaceFirst("(?i) default null|( check \\(.*)?$", " not null$1");
	}

}
