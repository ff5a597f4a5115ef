package dev.idspring.jdbc;

import java.math.BigDecimal;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.regex.Pattern;

import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.clock.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The column of a table that ids have gone to. It bears witness of ids that were drawn,
 * when the store has been set back and does not know of them any more. Only ever read,
 * over the connection of the store.
 *
 * @since 0.1.0
 */
public final class WitnessColumn {

	/** Names without quotes, as they go into SQL. */
	private static final Pattern NAME = Pattern
		.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,62}\\.[A-Za-z_][A-Za-z0-9_]{0,62}");

	private static final Set<Integer> NUMBERS = Set.of(Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.NUMERIC,
			Types.DECIMAL);

	private static final Set<Integer> TEXTS = Set.of(Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR,
			Types.NVARCHAR, Types.LONGNVARCHAR);

	private static final int BATCH = 250;

	private final JdbcDatabase database;

	private final String name;

	private final String table;

	private final String column;

	private volatile boolean text;

	/**
	 * Create a column. Does no I/O: call {@link #open(Deadline)} before anything else.
	 * @param database where the table is
	 * @param name the names of the table and the column with a dot in between, perhaps
	 * preceded by the name of a schema and a dot
	 * @throws IllegalArgumentException if that is no such name; the message begins with
	 * the name of the property
	 */
	public WitnessColumn(JdbcDatabase database, String name) {
		if (!NAME.matcher(name).matches()) {
			throw new IllegalArgumentException("witness is '" + name
					+ "' but must be the names of a table and a column, such as orders.id, perhaps preceded by that of a"
					+ " schema: each of up to 63 letters, digits and underscores that do not begin with a digit");
		}
		int dot = name.lastIndexOf('.');
		this.database = database;
		this.name = name;
		this.table = name.substring(0, dot);
		this.column = name.substring(dot + 1);
	}

	/**
	 * Find out whether the column holds numbers or texts.
	 * @param deadline how long this may take
	 * @throws IdSetupException if it holds neither
	 * @throws IdStoreUnavailableException if the table could not be read; perhaps it does
	 * not exist
	 */
	public void open(Deadline deadline) {
		String sql = "select " + this.column + " from " + this.table + " where 1 = 0";
		int type = look((connection, timeout) -> JdbcDatabase.columnType(connection, timeout, sql), deadline);
		if (!NUMBERS.contains(type) && !TEXTS.contains(type)) {
			throw new IdSetupException(this.name + " is named as a witness, but holds neither whole numbers nor texts.",
					"Name the column that ids are inserted into, in their numeric or in their text form.");
		}
		this.text = TEXTS.contains(type);
	}

	/**
	 * Return whether the column holds ids in their text form.
	 * @return {@code false} if it holds them in their numeric form
	 */
	public boolean holdsTexts() {
		return this.text;
	}

	/**
	 * Find out which of some ids are in the column.
	 * @param ids the numeric forms of the ids
	 * @param format makes the text form of an id
	 * @param deadline how long this may take
	 * @return those that are there
	 * @throws IdStoreUnavailableException if the table could not be read
	 */
	public Set<Long> find(List<Long> ids, LongFunction<String> format, Deadline deadline) {
		Map<String, Long> byText = new LinkedHashMap<>();
		ids.forEach((id) -> byText.put(this.text ? format.apply(id) : Long.toString(id), id));
		List<Map.Entry<String, Long>> entries = new ArrayList<>(byText.entrySet());
		Set<Long> found = new HashSet<>();
		for (int i = 0; i < entries.size(); i += BATCH) {
			List<Map.Entry<String, Long>> batch = entries.subList(i, Math.min(entries.size(), i + BATCH));
			for (String there : present(batch, deadline)) {
				// databases that do not tell cases apart find more than was asked for
				Long id = byText.get(there.stripTrailing());
				if (id != null) {
					found.add(id);
				}
			}
		}
		return found;
	}

	private List<String> present(List<Map.Entry<String, Long>> batch, Deadline deadline) {
		String sql = "select " + this.column + " from " + this.table + " where " + this.column + " in ("
				+ String.join(", ", Collections.nCopies(batch.size(), "?")) + ")";
		@Nullable Object[] values = batch.stream().map((entry) -> this.text ? entry.getKey() : entry.getValue()).toArray();
		return look((connection, timeout) -> JdbcDatabase.query(connection, timeout, (row) -> row.getString(1), sql,
				values), deadline);
	}

	/**
	 * Find the greatest number between two others.
	 * @param from the lowest number
	 * @param to the highest number
	 * @param deadline how long this may take
	 * @return the greatest of those that are there, or empty if there is none
	 * @throws IdStoreUnavailableException if the table could not be read
	 */
	public OptionalLong greatest(long from, long to, Deadline deadline) {
		String sql = "select max(" + this.column + ") from " + this.table + " where " + this.column
				+ " between ? and ?";
		Optional<BigDecimal> greatest = look((connection, timeout) -> JdbcDatabase
			.query(connection, timeout, (row) -> Optional.ofNullable(row.getBigDecimal(1)), sql, from, to)
			.get(0), deadline);
		return greatest.map((number) -> OptionalLong.of(number.longValue())).orElseGet(OptionalLong::empty);
	}

	/**
	 * Find the greatest value.
	 * @param deadline how long this may take
	 * @return the greatest number or the last text of all, or empty if there is none
	 * @throws IdStoreUnavailableException if the table could not be read
	 */
	public Optional<String> greatest(Deadline deadline) {
		String sql = "select max(" + this.column + ") from " + this.table;
		return look((connection, timeout) -> JdbcDatabase
			.query(connection, timeout, (row) -> Optional.ofNullable(row.getString(1)), sql)
			.get(0), deadline);
	}

	private <T> T look(JdbcTransactions.Work<T> work, Deadline deadline) {
		return this.database.transactions().look("look into " + this.name, work, deadline);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
