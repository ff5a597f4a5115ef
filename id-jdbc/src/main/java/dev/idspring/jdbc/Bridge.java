package dev.idspring.jdbc;

import java.math.BigInteger;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.CounterUpdate.Sql;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import org.jspecify.annotations.Nullable;

/**
 * Lets old instances, which do not use this library, and new instances generate the keys
 * of a table at the same time. Old instances draw numbers from a source: a sequence, or a
 * counter in a table row. Until the bridge ends, new instances reserve their ordinals
 * (the positions in a key space) from the same source.
 * <p>
 * When the bridge ends, the counter can be set to a final value to stop the old
 * instances. Their next draw fails if a constraint of the table rejects higher values.
 * The row is not deleted, because Hibernate would create a new row that begins at 1.
 *
 * @param source the sequence or table, in the current schema unless the name has a schema
 * @param counter the counter in the table, or {@code null} for a sequence
 * @param increment the amount by which an old instance advances the source with each
 * draw, for example Hibernate's {@code allocationSize}. The amount is exact for a
 * sequence, and a maximum for a counter
 * @param start the first key of the key space
 * @since 0.1.0
 */
public record Bridge(QualifiedName source, @Nullable Counter counter, long increment, long start) {

	/*
	 * Why old and new instances never use the same number:
	 *
	 * 1. All instances draw values from one source, which issues each value once.
	 *
	 * 2. An old instance that draws the value v uses one of three ranges: v - increment +
	 * 1 to v (Hibernate's pooled optimizer), v to v + increment - 1 (pooled-lo), or only
	 * v.
	 *
	 * 3. A new instance draws consecutive values from v to w, and uses all numbers from v
	 * to w. No other instance draws a value in between, and the values of a sequence
	 * differ by at least the increment. So, by 2, no old instance uses any of these
	 * numbers.
	 *
	 * 4. A counter in a row contains either the next value (Hibernate, Leaf) or the last
	 * value (Spring, CosId). An advance from v to w issues the values from v to w -
	 * increment in the first case, and those from v + 1 to w in the second case. A new
	 * instance uses only the numbers that are in both ranges.
	 */

	/**
	 * The maximum increment.
	 */
	public static final long MAX_INCREMENT = 1_000_000_000;

	/** The maximum number of values that one draw reads into memory. */
	private static final long MAX_VALUES = 100_000;

	/**
	 * The maximum number of draws in one call. If the source is still behind the key
	 * space after these draws, the numbers of the key space probably did not come from
	 * this source.
	 */
	private static final int MAX_DRAWS = 100;

	/**
	 * The final value of a 64-bit counter. The sum of this value and
	 * {@link #MAX_INCREMENT} does not overflow.
	 */
	private static final BigInteger FINAL_VALUE = BigInteger.valueOf(9_000_000_000_000_000_000L);

	/**
	 * MySQL's code for a failed check constraint. MySQL has no specific SQLState for it.
	 */
	private static final int MYSQL_CHECK_FAILED = 3819;

	private static final String ENGINE_QUERY = """
			select t.engine, e.transactions from information_schema.tables t
			left join information_schema.engines e on e.engine = t.engine
			where t.table_schema = coalesce(?, database()) and t.table_name = ?""";

	/**
	 * Create a bridge.
	 * @throws IllegalArgumentException if a value is invalid. The message names the value
	 */
	public Bridge {
		InvalidSettingException.requireGiven(Bridge.class, "source", source);
		InvalidSettingException.requireRange(Bridge.class, "increment", increment, 1L, MAX_INCREMENT);
		InvalidSettingException.requireRange(Bridge.class, "start", start, 0L, Long.MAX_VALUE);
	}

	/**
	 * Parse the output of {@link #text()}.
	 */
	static Bridge parse(String text) {
		Map<String, String> fields = new LinkedHashMap<>();
		for (String field : text.split("&")) {
			String[] parts = field.split("=", 2);
			fields.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
		}
		String column = fields.get("column");
		return new Bridge(new QualifiedName(fields.get("schema"), Objects.requireNonNull(fields.get("source"))),
				(column != null) ? new Counter(column, fields.get("key"), fields.get("row")) : null,
				Long.parseLong(fields.get("grain")), Long.parseLong(fields.get("start")));
	}

	/**
	 * Format the bridge as the string that is stored in the table of key spaces.
	 */
	String text() {
		Map<String, Object> fields = new LinkedHashMap<>();
		if (this.source.schema() != null) {
			fields.put("schema", this.source.schema());
		}
		fields.put("source", this.source.name());
		if (this.counter != null) {
			fields.put("column", this.counter.column);
			if (this.counter.key != null) {
				fields.put("key", this.counter.key);
				fields.put("row", String.valueOf(this.counter.row));
			}
		}
		// this name for the increment must not change, because stored rows contain it
		fields.put("grain", this.increment);
		fields.put("start", this.start);
		return fields.entrySet()
			.stream()
			.map((field) -> field.getKey() + "="
					+ URLEncoder.encode(field.getValue().toString(), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&"));
	}

	/**
	 * Draw ordinals from the source. No other instance gets the same ordinals.
	 * @param from the first usable ordinal; earlier ordinals are discarded
	 * @param count the requested number of ordinals, at least 1
	 * @return consecutive ordinals, at least one, possibly fewer or more than requested
	 */
	OrdinalRange draw(Connection connection, int timeout, Dialect dialect, long from, long count) throws SQLException {
		// the first draw may show that the source is behind the key space. A later draw
		// may yield too few values, for example because other instances draw at the same
		// time
		long missing = 0;
		for (int i = 0; i < MAX_DRAWS; i++) {
			long wanted = Math.addExact(missing, count);
			OrdinalRange keys = (this.counter != null) ? drawCounter(connection, timeout, dialect, this.counter, wanted)
					: drawSequence(connection, timeout, dialect, wanted);
			long start = Math.max(from, keys.start() - this.start);
			if (start < keys.end() - this.start) {
				return new OrdinalRange(start, keys.end() - this.start);
			}
			missing = from - (keys.end() - this.start);
		}
		throw new SQLException(this + " is far behind the key space: after " + MAX_DRAWS + " draws it had not reached "
				+ (this.start + from));
	}

	private OrdinalRange drawSequence(Connection connection, int timeout, Dialect dialect, long count)
			throws SQLException {
		long values = Math.min(MAX_VALUES, (count + this.increment - 2) / this.increment + 1);
		List<Long> drawn = new ArrayList<>(SqlStatements.query(connection, timeout, (row) -> row.getLong(1),
				formatSequenceSql(connection, sequenceSql(dialect).values()), values));
		drawn.sort(null);
		OrdinalRange longest = new OrdinalRange(0, 0);
		int runStart = 0;
		for (int i = 0; i < drawn.size(); i++) {
			if (i > runStart && drawn.get(i) - drawn.get(i - 1) != this.increment) {
				runStart = i;
			}
			OrdinalRange run = new OrdinalRange(drawn.get(runStart), drawn.get(i) + 1);
			longest = (run.size() > longest.size()) ? run : longest;
		}
		return longest;
	}

	private OrdinalRange drawCounter(Connection connection, int timeout, Dialect dialect, Counter counter, long count)
			throws SQLException {
		long amount = Math.addExact(count, this.increment);
		OptionalLong advanced = CounterUpdate.advance(connection, timeout, dialect,
				this.source.quoted(quotationMark(connection)), quoted(connection, counter.column), amount,
				counter.where(connection), Sql.NONE);
		long end = advanced.orElseThrow(this::vanished) - this.increment + 1;
		return new OrdinalRange(end - count, end);
	}

	/**
	 * Read the position of the source without drawing from it.
	 * @return the first ordinal that no old instance can have used yet
	 */
	long firstUnused(Connection connection, int timeout, Dialect dialect) throws SQLException {
		long next = (this.counter != null)
				? Math.min(readCounter(connection, timeout, this.counter), Long.MAX_VALUE - 1) + 1
				: SqlStatements
					.queryOne(connection, timeout, (row) -> row.getLong(1),
							formatSequenceSql(connection, sequenceSql(dialect).firstUnused()))
					.orElseThrow(this::vanished);
		return Math.max(0, next - this.start);
	}

	/**
	 * Return the final value, to which the counter can be set when the bridge ends. The
	 * value is below the maximum of the column's type, so that {@link #isLimited} can try
	 * the next higher value. In a 64-bit column, a library can add its increment to the
	 * value in Java without an overflow.
	 * @throws IdSetupException if the table does not support rollbacks
	 */
	long finalValue(Connection connection, int timeout, Counter counter) throws SQLException {
		requireTransactional(connection, timeout);
		return SqlStatements.describe(connection, timeout, this.source.quoted(quotationMark(connection)),
				quoted(connection, counter.column), (data) -> switch (data.getColumnType(1)) {
					case Types.TINYINT -> 126L;
					case Types.SMALLINT -> 32_766L;
					case Types.INTEGER -> data.isSigned(1) ? 2_147_483_646L : 4_294_967_294L;
					case Types.NUMERIC,
							Types.DECIMAL ->
						BigInteger.TEN.pow(Math.max(1, data.getPrecision(1) - data.getScale(1)))
							.subtract(BigInteger.TWO)
							.min(FINAL_VALUE)
							.longValue();
					default -> FINAL_VALUE.longValue();
				});
	}

	/**
	 * Verify that the table supports transactions if the database is MariaDB or MySQL.
	 * With engines such as MyISAM and Aria, a rollback undoes nothing, and a draw does
	 * not lock the row.
	 */
	private void requireTransactional(Connection connection, int timeout) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		if (!product.equals("MySQL") && !product.equals("MariaDB")) {
			return;
		}
		String engine = SqlStatements
			.queryOne(connection, timeout, (row) -> "YES".equals(row.getString(2)) ? "" : "engine " + row.getString(1),
					ENGINE_QUERY, this.source.schema(), this.source.name())
			.orElse("an engine that cannot be read");
		if (!engine.isEmpty()) {
			throw new IdSetupException(this + " uses " + engine + ", which is not known to support rollbacks.",
					"Run alter table " + this.source.quoted(quotationMark(connection))
							+ " engine=InnoDB. If the source is a view, name its table as the source instead.");
		}
	}

	/**
	 * Test whether the database prevents values above the final value. The test sets the
	 * counter to a higher value, and rolls back this change.
	 * @throws IdSetupException if the table does not support rollbacks, or if the change
	 * was not rolled back
	 */
	boolean isLimited(Connection connection, int timeout, Counter counter) throws SQLException {
		long beyond = finalValue(connection, timeout, counter) + 1;
		long before = readCounter(connection, timeout, counter);
		boolean isLimited = rejects(connection, timeout, counter, beyond);
		// compare with the value that the test has set, not with the value before it,
		// because old instances may have drawn since the rollback
		if (before != beyond && readCounter(connection, timeout, counter) == beyond) {
			throw new IdSetupException(
					this + " was set to " + beyond + " to test its limit, and the database did not roll this back.",
					"Set the counter to " + before + " at once, and give its table an engine with transactions.");
		}
		return isLimited;
	}

	private boolean rejects(Connection connection, int timeout, Counter counter, long value) throws SQLException {
		Savepoint before = connection.setSavepoint("before_limit");
		boolean rejected = false;
		try {
			set(connection, timeout, counter, value);
		}
		catch (SQLException ex) {
			String state = String.valueOf(ex.getSQLState());
			rejected = state.startsWith("23") || state.startsWith("22") || ex.getErrorCode() == MYSQL_CHECK_FAILED
					|| String.valueOf(ex.getMessage()).contains("SQLITE_CONSTRAINT");
			if (!rejected) {
				// the whole transaction is rolled back, and a deadlock removes savepoints
				throw ex;
			}
		}
		connection.rollback(before);
		return rejected;
	}

	private long readCounter(Connection connection, int timeout, Counter counter) throws SQLException {
		Sql query = new Sql("select " + quoted(connection, counter.column) + " from "
				+ this.source.quoted(quotationMark(connection)) + " where ")
			.append(counter.where(connection));
		return SqlStatements.queryOne(connection, timeout, (row) -> row.getLong(1), query.text(), query.values())
			.orElseThrow(this::vanished);
	}

	/**
	 * Set the counter to its final value.
	 */
	void setToFinalValue(Connection connection, int timeout, Counter counter) throws SQLException {
		set(connection, timeout, counter, finalValue(connection, timeout, counter));
	}

	private void set(Connection connection, int timeout, Counter counter, long value) throws SQLException {
		Sql update = new Sql("update " + this.source.quoted(quotationMark(connection)) + " set "
				+ quoted(connection, counter.column) + " = ? where ", value)
			.append(counter.where(connection));
		if (update.run(connection, timeout) != 1) {
			throw vanished();
		}
	}

	/**
	 * Return whether another bridge draws from the same source.
	 */
	boolean sharesSource(Bridge other) {
		return this.source.equals(other.source) && Objects.equals(this.counter, other.counter);
	}

	/**
	 * Return an exception that rejects skipping ids of a key space with this bridge.
	 * @param keySpace the name of the key space
	 * @return the exception, whose message includes the remedy
	 */
	public IdSetupException notAdvanced(String keySpace) {
		InvalidSettingException.requireGiven(Bridge.class, "keySpace", keySpace);
		return new IdSetupException("Key space '" + keySpace + "' draws from " + this + ".",
				"Advance that source instead, for old and new instances alike.");
	}

	private IdStoreUnavailableException vanished() {
		return new IdStoreUnavailableException(
				this + " has vanished. The key space and old instances draw from it. Restore it with a value above the"
						+ " highest key");
	}

	private SequenceSql sequenceSql(Dialect dialect) {
		SequenceSql sequences = dialect.sequenceSql();
		if (sequences == null) {
			throw new IdSetupException(this + " cannot be shared on " + dialect + ".",
					"Sharing works only on PostgreSQL, MariaDB and H2. Stop the old instances, and set ids.adopt.source to none.");
		}
		return sequences;
	}

	private String formatSequenceSql(Connection connection, String sql) throws SQLException {
		String name = this.source.quoted(quotationMark(connection));
		return sql.formatted(name, "'" + name.replace("'", "''") + "'", this.increment);
	}

	private static String quoted(Connection connection, String name) throws SQLException {
		return new QualifiedName(null, name).quoted(quotationMark(connection));
	}

	private static String quotationMark(Connection connection) throws SQLException {
		return connection.getMetaData().getIdentifierQuoteString().strip();
	}

	@Override
	public String toString() {
		return (this.counter == null) ? "sequence " + this.source : "table " + this.source + " (" + this.counter.column
				+ ((this.counter.key != null) ? " of " + this.counter.key + " '" + this.counter.row + "'" : "") + ")";
	}

	/**
	 * A counter in a table.
	 *
	 * @param column the column of the counter
	 * @param key the column that identifies the row, or {@code null} if the table has a
	 * single row
	 * @param row the value of the key column, or {@code null} if there is no key column
	 * @since 0.1.0
	 */
	public record Counter(String column, @Nullable String key, @Nullable String row) {

		/**
		 * Create a counter.
		 * @throws IllegalArgumentException if the column is missing, or if only one of
		 * key and row is given
		 */
		public Counter {
			InvalidSettingException.requireGiven(Counter.class, "column", column);
			InvalidSettingException.require((key == null) == (row == null), Counter.class, "row", row,
					"must be given if %s is given, and only then", "key");
		}

		private Sql where(Connection connection) throws SQLException {
			return (this.key != null) ? new Sql(quoted(connection, this.key) + " = ?", this.row) : new Sql("1 = 1");
		}

	}

	/**
	 * The statements for a sequence: format strings with three arguments. The arguments
	 * are the quoted name of the sequence, the quoted name as a string literal, and the
	 * increment.
	 *
	 * @param values a query that draws values. Its parameter is the number of values
	 * @param firstUnused a query for the first number above all numbers that old
	 * instances can derive from the values drawn so far
	 */
	record SequenceSql(String values, String firstUnused) {

	}

}
