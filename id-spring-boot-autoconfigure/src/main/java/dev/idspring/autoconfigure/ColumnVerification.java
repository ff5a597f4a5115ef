package dev.idspring.autoconfigure;

import java.math.BigDecimal;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

import dev.idspring.IdDescription;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.block.RecoveryInstructions;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.monitor.IdGeneratorBuilder;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.SlotStore.Slot;
import dev.idspring.store.SlotStore.SlotListing;
import dev.idspring.store.SlotStore;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.SlotStore.StoredSlot;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the column that ids are inserted into ({@code ids.verify-column}) before a
 * generator is opened: a store that was restored from a backup does not know which ids
 * were issued since.
 * <ol>
 * <li>A key in the column that the store has yet to hand out proves that the store went
 * backwards. Where keys rise with their ordinals the greatest key decides; elsewhere, and
 * in columns of texts, the next thousand keys are searched for.</li>
 * <li>Other instances insert meanwhile, but reserve before they insert. So the store is
 * read again after the column.</li>
 * <li>Ids of time repeat only if their time is to come and their node has not reserved
 * it.</li>
 * </ol>
 * A table that cannot be read does not stop the start: the application may create it
 * later.
 */
final class ColumnVerification {

	private static final Log logger = LogFactory.getLog(ColumnVerification.class);

	private static final String PROPERTY = "verify-column";

	/** Names without quotes, as they become part of the SQL. */
	private static final Pattern NAME = Pattern
		.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,62}\\.[A-Za-z_][A-Za-z0-9_]{0,62}");

	private static final Set<Integer> NUMBERS = Set.of(Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.NUMERIC,
			Types.DECIMAL);

	private static final Set<Integer> TEXTS = Set.of(Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR,
			Types.NVARCHAR, Types.LONGNVARCHAR);

	private static final int NEXT = 1_000;

	private static final int BATCH = 250;

	/** How far the search goes on while it finds keys, so that it ends. */
	private static final int MOST = 64 * NEXT;

	private final SettingProperties names;

	private final @Nullable JdbcDatabase database;

	private final TimeSource timeSource;

	/**
	 * Create a verification.
	 * @param database where the key spaces are, or {@code null} if they are not in a
	 * database
	 */
	ColumnVerification(SettingProperties names, @Nullable JdbcDatabase database, TimeSource timeSource) {
		this.names = names;
		this.database = database;
		this.timeSource = timeSource;
	}

	/**
	 * Search for keys that the store has yet to hand out.
	 * @param builder knows the name of the key space
	 * @param settings the configuration of the key space
	 * @param store remembers the key space
	 * @param ahead knows which ordinals the store has yet to hand out
	 * @throws KeySpaceRegressionException if there are any
	 */
	void verify(IdGeneratorBuilder<?> builder, GeneratorProperties properties, KeySpaceSettings settings,
			KeySpaceStore store, Ahead ahead) {
		run(builder.name(), properties, (column, deadline) -> {
			String keySpaceName = builder.keySpaceName();
			StoredKeySpace stored = store.read(keySpaceName, deadline).orElse(null);
			KeySpace keySpace = settings.resolve((stored != null) ? stored.definition() : null);
			if (stored != null && !stored.definition().equals(keySpace.definition())) {
				// it will not open
				return;
			}
			List<Long> found = new ArrayList<>();
			for (OrdinalRange range : ahead.ranges(keySpace, stored, deadline)) {
				column.last(keySpace, range, properties.strategy() != Strategy.COPRIME, deadline).ifPresent(found::add);
			}
			if (!found.isEmpty()) {
				StoredKeySpace now = store.read(keySpaceName, deadline).orElse(null);
				List<OrdinalRange> ranges = ahead.ranges(keySpace, now, deadline);
				verifyNone(builder, properties, column, keySpace, now,
						found.stream().flatMap((ordinal) -> Lost.of(ordinal, ranges).stream()).toList());
			}
		});
	}

	private ColumnRegressionException regression(IdGeneratorBuilder<?> builder, String problem) {
		return new ColumnRegressionException(problem, this.names.property(builder.name(), PROPERTY));
	}

	private void verifyNone(IdGeneratorBuilder<?> builder, GeneratorProperties properties, Column column,
			KeySpace keySpace, @Nullable StoredKeySpace stored, List<Lost> lost) {
		Lost first = lost.stream().max(Comparator.comparingLong(Lost::count)).orElse(null);
		if (first == null) {
			return;
		}
		String keySpaceName = builder.keySpaceName();
		Strategy strategy = properties.strategy();
		String holds = holds(builder.name(), column) + keySpace.format(keySpace.key(first.ordinal()))
				+ ", which is to come at ordinal " + first.ordinal() + ". ";
		if (stored == null) {
			throw regression(builder,
					"Key space '" + keySpaceName + "' is new, but " + holds
							+ "If the rows are older than the key space, give it keys that are not in use"
							+ ((strategy == Strategy.SEQUENTIAL || strategy == Strategy.GAPLESS)
									? " (" + this.names.property(builder.name(), strategy.id() + ".start") + ")" : "")
							+ ". If a backup from before its creation was restored, start once with "
							+ this.names.property(builder.name(), PROPERTY)
							+ "=none and without drawing ids, which creates the key space, and then with the column.");
		}
		String remedy = switch (strategy) {
			case GAPLESS -> "A backup was restored or a lagging replica promoted; numbers would repeat. Stop all"
					+ " instances, and set next_value to " + (keySpace.key(first.ordinal()) + 1) + " where name is '"
					+ keySpaceName + "' in the table of gapless sequences (ids_gapless, unless ids.jdbc.table-prefix is"
					+ " set).";
			case RECYCLED -> {
				long begun = lost.stream().filter((one) -> !one.untouched()).mapToLong(Lost::count).max().orElse(1);
				long fresh = lost.stream().filter(Lost::untouched).mapToLong(Lost::count).max().orElse(0);
				long size = properties.recycled().seriesSize();
				yield RecoveryInstructions.skipSeriesAhead(keySpaceName, begun, (fresh + size - 1) / size);
			}
			default -> RecoveryInstructions.skipAhead(keySpaceName, first.count());
		};
		String outside = (strategy != Strategy.COPRIME)
				? " Rows that came from elsewhere must lie outside of the key space." : "";
		throw regression(builder, "The store of key space '" + keySpaceName
				+ "' went backwards: it would go on at ordinal " + first.start() + ", but " + holds + remedy + outside);
	}

	/**
	 * Search for an id of a time to come.
	 * @param builder knows the name of the key space
	 * @param scheme what makes the ids
	 * @param slots remembers what nodes have reserved
	 * @throws IdSetupException if the column has no order in which ids of time rise
	 * @throws KeySpaceRegressionException if there is one that its node has not reserved
	 */
	void verify(IdGeneratorBuilder<?> builder, GeneratorProperties properties, TimeScheme scheme, SlotStore slots) {
		run(builder.name(), properties, (column, deadline) -> {
			if (column.texts() && !scheme.textForm().isSorted()) {
				throw new IdSetupException(
						holds(builder.name(), column)
								+ "texts, and those of these ids do not sort by time: the latest id cannot be found.",
						"Name a column that holds the numbers, or none. Of the formats of snowflake, base32 and hex sort.",
						List.of(this.names.property(builder.name(), PROPERTY)), null);
			}
			IdDescription last = last(column, scheme, deadline).orElse(null);
			Instant now = this.timeSource.instant();
			if (last == null || last.time() == null || last.node() == null || last.time().isBefore(now)) {
				return;
			}
			// read after the row, as instances reserve before they insert
			Optional<StoredSlot> node = slots.read(builder.keySpaceName(), last.node(), deadline);
			long reserved = node.map((stored) -> stored.slot().position()).orElse(0L);
			if (scheme.layout().time(last.time()) >= reserved) {
				throw regression(builder, "The store of key space '" + builder.keySpaceName()
						+ "' went backwards: node " + last.node() + " has reserved times "
						+ ((reserved > 0) ? "until " + scheme.layout().instant(reserved) : "never") + ", and it is "
						+ now + " now, but " + holds(builder.name(), column) + last.text() + ", which is of "
						+ last.time() + ". "
						+ RecoveryInstructions.awaitTime(Duration.between(now, last.time()).plus(margin(properties))));
			}
		});
	}

	private static Optional<IdDescription> last(Column column, TimeScheme scheme, Deadline deadline) {
		try {
			return column.greatest(deadline)
				.map((value) -> scheme
					.describe(column.texts() ? scheme.parse(value.strip()) : Long.parseUnsignedLong(value)));
		}
		catch (IllegalArgumentException ex) {
			// not one of ours
			return Optional.empty();
		}
	}

	private static Duration margin(GeneratorProperties properties) {
		return properties.lease()
			.plus(properties.clock().maxAhead())
			.plus(properties.clock().maxSkew().multipliedBy(2));
	}

	private String holds(String name, Column column) {
		return column + " (" + this.names.property(name, PROPERTY) + ") holds ";
	}

	private void run(String name, GeneratorProperties properties, Check check) {
		String value = properties.verifyColumn();
		if (value == null || value.equals("none")) {
			return;
		}
		String property = this.names.property(name, PROPERTY);
		JdbcDatabase database = this.database;
		if (database == null) {
			logger.info(property + " has no effect: key spaces are not in a database that the starter knows of");
			return;
		}
		verifyName(property, value);
		Duration timeout = properties.block().waitTimeout();
		try {
			StartupExecutor.call(timeout.multipliedBy(2), () -> {
				Deadline deadline = Deadline.after(this.timeSource, timeout);
				check.run(Column.open(database, value, property, deadline), deadline);
				return true;
			});
		}
		catch (IdStoreUnavailableException ex) {
			logger.warn(property + " could not be read, so it is not verified that the store did not go backwards while"
					+ " the application was down: " + ex.getMessage());
		}
	}

	private static void verifyName(String property, String value) {
		if (!NAME.matcher(value).matches()) {
			throw new IdSetupException(property + " is '" + value
					+ "' but must be none or the names of a table and a column, such as orders.id, perhaps preceded by"
					+ " that of a schema: each of up to 63 letters, digits and underscores that do not begin with a"
					+ " digit.", "Correct the value.", List.of(property), null);
		}
	}

	private interface Check {

		void run(Column column, Deadline deadline);

	}

	/**
	 * Knows which ordinals of a key space the store has yet to hand out.
	 */
	interface Ahead {

		/**
		 * Read the store.
		 * @param stored what the store remembers of the key space
		 * @return the ranges, the last of which reaches up to the end of the key space
		 */
		List<OrdinalRange> of(KeySpace keySpace, StoredKeySpace stored, Deadline deadline);

		default List<OrdinalRange> ranges(KeySpace keySpace, @Nullable StoredKeySpace stored, Deadline deadline) {
			return (stored != null) ? of(keySpace, stored, deadline) : List.of(from(0, keySpace));
		}

		/**
		 * Those from the counter on that all instances share.
		 */
		static Ahead ofCounter() {
			return (keySpace, stored, deadline) -> List.of(from(stored.nextOrdinal(), keySpace));
		}

		/**
		 * What is left of the series that have been begun, and those that have not.
		 */
		static Ahead ofSeries(SlotStore store, long seriesSize) {
			return (keySpace, stored, deadline) -> {
				SlotListing listing = store.list(stored.name(), deadline);
				List<OrdinalRange> ranges = new ArrayList<>();
				listing.slots().forEach((series) -> {
					Slot slot = series.slot();
					if (slot.number() < listing.next() && slot.end() <= keySpace.capacity()) {
						ranges.add(new OrdinalRange(slot.position(), slot.end()));
					}
				});
				long count = keySpace.capacity() / seriesSize;
				ranges.add(from(Math.min(listing.next(), count) * seriesSize, keySpace));
				return ranges;
			};
		}

		/**
		 * Those from the number on that comes next.
		 */
		static Ahead ofGapless(GaplessStore store) {
			return (keySpace, stored, deadline) -> {
				try {
					return List.of(from(store.next(stored.name(), deadline) - keySpace.key(0), keySpace));
				}
				catch (KeySpaceRegressionException ex) {
					// its row is missing, so it begins with the first number
					return List.of(from(0, keySpace));
				}
			};
		}

		private static OrdinalRange from(long ordinal, KeySpace keySpace) {
			return new OrdinalRange(Math.max(0, Math.min(ordinal, keySpace.capacity())), keySpace.capacity());
		}

	}

	/**
	 * The column, which is only ever read.
	 *
	 * @param name the names of the table and the column with a dot in between
	 * @param texts whether it holds ids in their text form
	 */
	private record Column(JdbcDatabase database, String name, boolean texts) {

		static Column open(JdbcDatabase database, String name, String property, Deadline deadline) {
			Column column = new Column(database, name, false);
			int type = database.columnType("read " + name, column.select(column.column(), "1 = 0"), deadline);
			if (!NUMBERS.contains(type) && !TEXTS.contains(type)) {
				throw new IdSetupException(
						property + " is '" + name + "', but that column holds neither whole numbers nor texts.",
						"Name the column that ids are inserted into, in their numeric or in their text form.",
						List.of(property), null);
			}
			return new Column(database, name, TEXTS.contains(type));
		}

		/**
		 * Find the last ordinal of a range whose key is in the column.
		 */
		Optional<Long> last(KeySpace keySpace, OrdinalRange range, boolean rising, Deadline deadline) {
			if (range.isEmpty()) {
				return Optional.empty();
			}
			if (rising && !this.texts) {
				return read(select("max(" + column() + ")", column() + " between ? and ?"), deadline,
						keySpace.key(range.start()), keySpace.key(range.end() - 1))
					.map((key) -> keySpace.ordinal(new BigDecimal(key).longValue()));
			}
			OptionalLong last = OptionalLong.empty();
			long end = range.start() + Math.min(range.size(), MOST);
			for (long start = range.start(); start < end; start += NEXT) {
				OptionalLong found = last(keySpace, start, Math.min(end, start + NEXT), deadline);
				if (found.isEmpty()) {
					break;
				}
				last = found;
			}
			return last.isPresent() ? Optional.of(last.getAsLong()) : Optional.empty();
		}

		private OptionalLong last(KeySpace keySpace, long start, long end, Deadline deadline) {
			OptionalLong last = OptionalLong.empty();
			for (long next = start; next < end; next += BATCH) {
				Map<String, Long> ordinals = new HashMap<>();
				List<Object> values = new ArrayList<>();
				for (long ordinal = next; ordinal < Math.min(end, next + BATCH); ordinal++) {
					long key = keySpace.key(ordinal);
					String text = this.texts ? keySpace.format(key) : Long.toString(key);
					ordinals.put(text, ordinal);
					values.add(this.texts ? text : (Object) key);
				}
				String in = column() + " in (" + String.join(", ", Collections.nCopies(values.size(), "?")) + ")";
				OptionalLong found = this.database
					.readColumn("read " + this.name, select(column(), in), deadline, values.toArray())
					.stream()
					// databases that do not tell cases apart find other texts as well
					.flatMap((text) -> Optional.ofNullable(ordinals.get(text.stripTrailing())).stream())
					.mapToLong(Long::longValue)
					.max();
				last = found.isPresent() ? found : last;
			}
			return last;
		}

		Optional<String> greatest(Deadline deadline) {
			return read(select("max(" + column() + ")", "1 = 1"), deadline);
		}

		private Optional<String> read(String sql, Deadline deadline, Object... values) {
			return this.database.readColumn("read " + this.name, sql, deadline, values).stream().findFirst();
		}

		private String select(String what, String condition) {
			return "select " + what + " from " + this.name.substring(0, this.name.lastIndexOf('.')) + " where "
					+ condition;
		}

		private String column() {
			return this.name.substring(this.name.lastIndexOf('.') + 1);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	/**
	 * A key that was handed out without a record in the store.
	 *
	 * @param ordinal its ordinal
	 * @param start where the range of ordinals begins that the store has yet to hand out
	 * @param untouched whether the range reaches to the end of the key space
	 */
	private record Lost(long ordinal, long start, boolean untouched) {

		static Optional<Lost> of(long ordinal, List<OrdinalRange> ranges) {
			OrdinalRange last = ranges.get(ranges.size() - 1);
			return ranges.stream()
				.filter((range) -> range.start() <= ordinal && ordinal < range.end())
				.map((range) -> new Lost(ordinal, range.start(), range.equals(last)))
				.findFirst();
		}

		long count() {
			return this.ordinal + 1 - this.start;
		}

	}

}
