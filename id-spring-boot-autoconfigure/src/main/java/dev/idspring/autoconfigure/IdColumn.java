package dev.idspring.autoconfigure;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.jdbc.GeneratedColumn;
import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.worker.Deadline;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A column that ids are inserted into. This class reads the column but never writes to
 * it. The ordinal of a key is the position of the key in the order in which keys are
 * issued.
 *
 * @param label the names of the table and the column, for messages
 * @param table the name of the table as it is written in SQL
 * @param name the name of the column as it is written in SQL
 * @param storesText whether the column contains ids in their text form
 * @param toUuid converts an id to the UUID in the column, or {@code null} if the column
 * contains no UUIDs
 */
record IdColumn(JdbcDatabase database, String label, String table, String name, boolean storesText,
		@Nullable LongFunction<Object> toUuid) {

	private static final Log logger = LogFactory.getLog(IdColumn.class);

	/** The characters with which databases quote names. */
	private static final Pattern QUOTES = Pattern.compile("[\"`\\[\\]]");

	/**
	 * A search ends if the column contains none of the keys of this many consecutive
	 * ordinals.
	 */
	private static final int MAX_GAP = 1_000;

	private static final int BATCH_SIZE = 250;

	/**
	 * The maximum number of ordinals to search. Without this limit, a search that always
	 * finds another key would continue to the end of the key space.
	 */
	private static final int MAX_ORDINALS = 64 * MAX_GAP;

	static IdColumn of(JdbcDatabase database, String table, String name, boolean storesText) {
		return new IdColumn(database, QUOTES.matcher(table + "." + name).replaceAll(""), table, name, storesText, null);
	}

	/**
	 * Find the column that a property names. The names of the table and the column are
	 * quoted in SQL, because they may be reserved words. If the catalogue does not list
	 * the column, for example because the table is a synonym, all quoted forms of the
	 * names are tried.
	 * @param label the names of the table and the column, separated by a dot; may begin
	 * with the name of the schema and a dot
	 */
	static IdColumn find(JdbcDatabase database, String label, String property, Deadline deadline) {
		List<List<String>> found = database.findColumns("read " + label, label, deadline);
		if (found.size() > 1) {
			throw new IdSetupException(
					property + " is '" + label + "', which could be any of "
							+ found.stream().map((names) -> String.join(".", names)).toList() + ".",
					"Write the names exactly, including upper and lower case.", List.of(property), null);
		}
		if (!found.isEmpty()) {
			return new IdColumn(database, label, found.get(0).get(0), found.get(0).get(1), false, null)
				.withType(property, deadline);
		}
		IdStoreUnavailableException failure = null;
		for (List<String> names : database.quotedForms("read " + label, List.of(label.split("\\.")), deadline)) {
			String table = String.join(".", names.subList(0, names.size() - 1));
			IdColumn column = new IdColumn(database, label, table, names.get(names.size() - 1), false, null);
			try {
				return column.withType(property, deadline);
			}
			catch (IdStoreUnavailableException ex) {
				failure = (failure != null) ? failure : ex;
			}
		}
		throw Objects.requireNonNull(failure);
	}

	IdColumn withUuids(IdGenerator generator, ColumnType type) {
		return new IdColumn(this.database, this.label, this.table, this.name, false, switch (type.type()) {
			// PostgreSQL can compare a column of type UUID only with UUIDs
			case Types.OTHER -> generator::toUuid;
			case Types.BINARY, Types.VARBINARY -> (id) -> bytes(generator.toUuid(id));
			default -> (id) -> generator.toUuid(id).toString();
		});
	}

	private static byte[] bytes(UUID uuid) {
		return ByteBuffer.allocate(16)
			.putLong(uuid.getMostSignificantBits())
			.putLong(uuid.getLeastSignificantBits())
			.array();
	}

	/**
	 * Return the value of a key in this column as text, for messages.
	 */
	String describe(KeySpace keySpace, long key) {
		Object value = toColumnValue(keySpace, key);
		return (value instanceof byte[] bytes)
				? new UUID(ByteBuffer.wrap(bytes).getLong(), ByteBuffer.wrap(bytes).getLong(8)).toString()
				: value.toString();
	}

	Object toColumnValue(KeySpace keySpace, long key) {
		return (this.toUuid != null) ? this.toUuid.apply(key) : this.storesText ? keySpace.format(key) : (Object) key;
	}

	private IdColumn withType(String property, Deadline deadline) {
		ColumnType type = type(deadline);
		if (!type.isExactNumber() && !type.isText()) {
			throw new IdSetupException(
					property + " is '" + this + "', but that column holds neither whole numbers nor strings.",
					"Name the column that ids are inserted into, in their numeric form or their text form.",
					List.of(property), null);
		}
		return new IdColumn(this.database, this.label, this.table, this.name, type.isText(), null);
	}

	ColumnType type(Deadline deadline) {
		return this.database.columnType("read " + this, this.table, this.name, deadline);
	}

	/**
	 * Verify that the column is case-sensitive. Called only if the text forms of ids may
	 * differ only in case.
	 * @param place the column and the property that refers to it, for messages
	 * @param generator the name of the generator
	 * @throws IdSetupException if the column is case-insensitive and its table is empty.
	 * If the table has rows, a warning is logged instead, because the application may
	 * have to run until the column is changed
	 */
	void verifyCaseSensitive(String place, String generator, Deadline deadline) {
		String remedy = this.database.findCaseSensitivityRemedy("read " + this, this.table, this.name, deadline)
			.orElse(null);
		if (remedy == null) {
			return;
		}
		String problem = place + " does not tell upper and lower case apart, but the strings of id generator '"
				+ generator + "' may differ only in case: the column would treat two such strings as equal.";
		if (hasRows(deadline)) {
			logger.warn(problem + " An insert may fail with a duplicate key, or a query may find another id's row. "
					+ remedy);
			return;
		}
		throw new IdSetupException(problem,
				remedy + " Alternatively, give the generator an alphabet without mixed case, such as base36 or base32 ("
						+ GeneratorPropertiesBinder.ownProperty(generator, "text.alphabet")
						+ "), and another key space (" + GeneratorPropertiesBinder.ownProperty(generator, "key-space")
						+ ").",
				List.of(GeneratorPropertiesBinder.ownProperty(generator, "text.alphabet")), null);
	}

	/**
	 * Verify that an insert can set the value of the column.
	 * @param place the column and the property that refers to it, for messages
	 * @param generator the name of the generator
	 * @throws IdSetupException if only the database can generate the values of the column
	 */
	void verifyInsertable(String place, String generator, Deadline deadline) {
		GeneratedColumn generated = this.database.findGenerated("read " + this, this.table, this.name, deadline)
			.orElse(null);
		if (generated == null) {
			return;
		}
		throw new IdSetupException(
				place + " is GENERATED ALWAYS"
						+ (generated.identity() ? " AS IDENTITY: the database generates the keys itself"
								: ": the database computes it from other columns")
						+ ", and does not store the ids of generator '" + generator + "'.",
				"Run: " + generated.remedy() + " Alternatively, remove @GeneratedId, and let the database generate"
						+ " the values.");
	}

	private boolean hasRows(Deadline deadline) {
		return read("select count(*) from (select count(*) as c from " + this.table + " where 1 = 0) x"
				+ " where exists (select 1 from " + this.table + ")", deadline)
			.contains("1");
	}

	/**
	 * Find any key in the column. Used for text columns, and for keys that do not rise
	 * with their ordinals. In a text column, only the greatest and the least string are
	 * examined.
	 */
	Optional<Long> anyKey(KeySpace keySpace, long least, long greatest, Deadline deadline) {
		if (!this.storesText) {
			return greatest(this.name + " between ? and ?", deadline, least, greatest).map(BigDecimal::new)
				.map(BigDecimal::longValue);
		}
		return Stream.of("max", "min")
			.flatMap((end) -> read("select " + end + "(" + this.name + ") from " + this.table, deadline).stream())
			.flatMap((text) -> parse(keySpace, text.strip()).stream())
			.findFirst();
	}

	private static Optional<Long> parse(KeySpace keySpace, String text) {
		try {
			return Optional.of(keySpace.parse(text));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	String describe(String property) {
		return this + " (" + property + ")";
	}

	Optional<String> greatest(String condition, Deadline deadline, Object... values) {
		return read(select("max(" + this.name + ")", condition), deadline, values).stream().findFirst();
	}

	/**
	 * Find the greatest ordinal of a range such that the column contains its key. Used
	 * for numeric columns if keys rise with their ordinals.
	 */
	Optional<Long> greatest(KeySpace keySpace, OrdinalRange range, Deadline deadline) {
		return range
			.isEmpty()
					? Optional.empty()
					: greatest(this.name + " between ? and ?", deadline, keySpace.key(range.start()),
							keySpace.key(range.end() - 1))
						.map((key) -> keySpace.ordinal(new BigDecimal(key).longValue()));
	}

	/**
	 * Find the last ordinal of a range such that the column contains its key. The search
	 * starts at the first ordinal, and ends after a gap of {@link #MAX_GAP} ordinals, or
	 * after {@link #MAX_ORDINALS} ordinals.
	 */
	Optional<Long> search(KeySpace keySpace, OrdinalRange range, Deadline deadline) {
		long last = range.start() - 1;
		long end = range.start() + Math.min(range.size(), MAX_ORDINALS);
		for (long next = range.start(); next < end && next <= last + MAX_GAP; next += BATCH_SIZE) {
			Map<String, Long> ordinals = new HashMap<>();
			List<Object> values = new ArrayList<>();
			for (long ordinal = next; ordinal < Math.min(end, next + BATCH_SIZE); ordinal++) {
				Object value = toColumnValue(keySpace, keySpace.key(ordinal));
				values.add(value);
				ordinals.put((value instanceof byte[] bytes) ? HexFormat.of().formatHex(bytes) : value.toString(),
						ordinal);
			}
			String in = this.name + " in (" + String.join(", ", Collections.nCopies(values.size(), "?")) + ")";
			for (String text : read(select(this.name, in), deadline, values.toArray())) {
				// a case-insensitive column may also return the strings of other keys
				last = Math.max(last, ordinals.getOrDefault(text.stripTrailing(), last));
			}
		}
		return (last >= range.start()) ? Optional.of(last) : Optional.empty();
	}

	private List<String> read(String sql, Deadline deadline, Object... values) {
		return this.database.readColumn("read " + this, sql, deadline, values);
	}

	private String select(String what, String condition) {
		return "select " + what + " from " + this.table + " where " + condition;
	}

	@Override
	public String toString() {
		return this.label;
	}

}
