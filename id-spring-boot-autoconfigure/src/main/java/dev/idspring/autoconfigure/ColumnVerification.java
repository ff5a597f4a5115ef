package dev.idspring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

import dev.idspring.IdDescription;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.autoconfigure.GeneratorKeys.Unissued;
import dev.idspring.generator.AbstractIdGenerator.IdGeneratorBuilder;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.store.SlotStore;
import dev.idspring.time.TimeScheme;
import dev.idspring.worker.Deadline;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Verifies, before a generator is opened, that its store is not older than the ids in the
 * column that {@code ids.verify-column} names. A store that was restored from a backup
 * would repeat the ids that were issued since the backup.
 * <ol>
 * <li>If the column contains a key that the store has not handed out yet, the store went
 * backwards. If the keys are numbers that rise with their ordinals (their positions in
 * the key space), it is sufficient to read the greatest key. Otherwise, this class
 * searches the column for the keys that the store would hand out next, until a thousand
 * consecutive keys are missing or 64,000 keys have been checked.</li>
 * <li>After this class has read the store, other instances may reserve keys and insert
 * them. Therefore, this class reads the store again after it has found a key in the
 * column.</li>
 * <li>A time-based id can be issued again only if its time is in the future and the store
 * has no reservation of that time for the id's node.</li>
 * </ol>
 * If the column cannot be read, a warning is logged. The application still starts,
 * because it may create the table later.
 *
 * @param factory the factory of the generators
 */
record ColumnVerification(IdGeneratorFactory factory) {

	private static final Log logger = LogFactory.getLog(ColumnVerification.class);

	private static final String PROPERTY = "verify-column";

	private static final String WORD = "[A-Za-z_][A-Za-z0-9_]{0,62}";

	/**
	 * The names become part of the SQL, so this pattern allows no character that could
	 * end a quoted name.
	 */
	private static final Pattern NAME = Pattern.compile("(" + WORD + "\\.){1,2}" + WORD);

	/**
	 * Verify that the column contains no key that the store has not handed out yet.
	 * @param builder provides the names of the generator and its key space
	 * @param settings the configured settings of the key space
	 * @param store the store of the key space
	 * @param unissued determines which ordinals the store has not handed out yet
	 * @throws KeySpaceRegressionException if the column contains such a key
	 */
	void verify(IdGeneratorBuilder<?> builder, GeneratorProperties properties, KeySpaceSettings settings,
			KeySpaceStore store, Unissued unissued) {
		run(builder.name(), properties, (column, deadline) -> {
			StoredKeySpace storedBefore = store.read(builder.keySpaceName(), deadline).orElse(null);
			KeySpace keySpace = settings.resolve((storedBefore != null) ? storedBefore.definition() : null)
				.withText(builder.text(), builder.keySpaceName());
			if (storedBefore != null && !storedBefore.definition().equals(keySpace.definition())) {
				// opening the generator will fail, because the settings have changed
				return;
			}
			if (column.storesText() && keySpace.text().isCaseSensitive()) {
				column.verifyCaseSensitive(column.describe(this.factory.binder().property(builder.name(), PROPERTY)),
						builder.name(), deadline);
			}
			boolean keysRise = properties.strategy() != Strategy.COPRIME && !column.storesText();
			List<Long> foundOrdinals = new ArrayList<>();
			for (OrdinalRange range : unissued.rangesOrAll(keySpace, storedBefore, deadline)) {
				(keysRise ? column.greatest(keySpace, range, deadline) : column.search(keySpace, range, deadline))
					.ifPresent(foundOrdinals::add);
			}
			if (foundOrdinals.isEmpty()) {
				return;
			}
			StoredKeySpace storedAfter = store.read(builder.keySpaceName(), deadline).orElse(null);
			List<OrdinalRange> ranges = unissued.rangesOrAll(keySpace, storedAfter, deadline);
			List<OrdinalRange> lostRanges = ranges.stream()
				.flatMap((range) -> foundOrdinals.stream()
					.filter((ordinal) -> range.start() <= ordinal && ordinal < range.end())
					.map((ordinal) -> new OrdinalRange(range.start(), ordinal + 1)))
				.toList();
			if (!lostRanges.isEmpty()) {
				throw regression(builder, properties, column, keySpace, storedAfter, lostRanges,
						ranges.get(ranges.size() - 1).start());
			}
		});
	}

	private ColumnRegressionException regression(IdGeneratorBuilder<?> builder, GeneratorProperties properties,
			IdColumn column, KeySpace keySpace, @Nullable StoredKeySpace stored, List<OrdinalRange> lostRanges,
			long firstUnstarted) {
		OrdinalRange lostRange = Collections.max(lostRanges, Comparator.comparingLong(OrdinalRange::size));
		String name = builder.keySpaceName();
		Strategy strategy = properties.strategy();
		String property = this.factory.binder().property(builder.name(), PROPERTY);
		String evidence = column.describe(property) + " holds " + keySpace.format(keySpace.key(lostRange.end() - 1))
				+ ", the key of ordinal " + (lostRange.end() - 1) + ". ";
		if (stored == null) {
			String start = (strategy == Strategy.SEQUENTIAL || strategy == Strategy.GAPLESS)
					? " (" + this.factory.binder().property(builder.name(), strategy.id() + ".start") + ")" : "";
			return new ColumnRegressionException("Key space '" + name + "' is new, but " + evidence
					+ "If the rows are older than the key space, configure the key space so that it contains only unused keys"
					+ start
					+ ". If a backup that is older than the key space was restored, start the application once with "
					+ property
					+ "=none, which creates the key space. Do not generate ids until you have changed the property"
					+ " back and restarted.", property);
		}
		String remedy = switch (strategy) {
			case GAPLESS -> "A backup was restored or a lagging replica was promoted, so numbers would repeat. Stop all"
					+ " instances, and " + skipGapless(name, keySpace.key(lostRange.end() - 1));
			case RECYCLED -> {
				long size = properties.recycled().seriesSize();
				long end = lostRanges.stream().mapToLong(OrdinalRange::end).max().orElse(firstUnstarted);
				yield RecoveryInstructions.skipSeriesAhead(name, Math.min(size, lostRange.size()),
						Math.max(0, (end - firstUnstarted + size - 1) / size));
			}
			default -> RecoveryInstructions.skipAhead(name, lostRange.size());
		};
		String otherIds = (strategy != Strategy.COPRIME)
				? " If another source inserted this id, its ids must be outside the key space." : "";
		return new ColumnRegressionException(
				"The store of key space '" + name + "' went backwards: it would continue at ordinal "
						+ lostRange.start() + ", but " + evidence + remedy + otherIds,
				property);
	}

	/**
	 * Return the instructions to continue a gapless sequence after a number.
	 */
	static String skipGapless(String keySpaceName, long number) {
		return "set next_value to " + (number + 1) + " where name is '" + keySpaceName
				+ "' in the table of gapless sequences (ids_gapless, unless ids.jdbc.table-prefix is set).";
	}

	/**
	 * Return whether a column can be named in {@code ids.verify-column}.
	 */
	static boolean canName(IdColumn column) {
		return NAME.matcher(column.label()).matches();
	}

	/**
	 * Verify that the column contains no id whose time is in the future and not reserved
	 * by its node.
	 * @param builder provides the names of the generator and its key space
	 * @param scheme the layout and the text form of the ids
	 * @param keySpaces the store of the key space. At the first start, the key space does
	 * not exist yet
	 * @param slots the store of the nodes, which contains the times that they have
	 * reserved
	 * @throws IdSetupException if the strings in the column do not sort by time
	 * @throws KeySpaceRegressionException if the column contains such an id
	 */
	void verify(IdGeneratorBuilder<?> builder, GeneratorProperties properties, TimeScheme scheme,
			KeySpaceStore keySpaces, SlotStore slots) {
		run(builder.name(), properties, (column, deadline) -> {
			String property = this.factory.binder().property(builder.name(), PROPERTY);
			if (column.storesText() && !scheme.text().form().isSorted()) {
				throw new IdSetupException(column.describe(property)
						+ " holds strings, but the strings of this generator do not sort by time, so the latest id"
						+ " cannot be found.",
						"Name a column that holds ids as numbers, or set the property to none. Of the snowflake"
								+ " formats, only base32 and hex sort by time.",
						List.of(property), null);
			}
			IdDescription latest = latestId(column, scheme, deadline);
			Instant now = this.factory.timeSource().instant();
			Long node = (latest != null) ? latest.node() : null;
			if (latest == null || node == null || latest.time() == null || latest.time().isBefore(now)) {
				return;
			}
			// read the reserved time after the column, because instances reserve times
			// before they insert ids
			long reserved = keySpaces.read(builder.keySpaceName(), deadline)
				.flatMap((keySpace) -> slots.read(builder.keySpaceName(), node, deadline))
				.map((stored) -> stored.slot().position())
				.orElse(0L);
			if (scheme.layout().time(latest.time()) >= reserved) {
				GeneratorProperties.Clock clock = properties.clock();
				Duration margin = properties.lease().plus(clock.maxAhead()).plus(clock.maxSkew().multipliedBy(2));
				throw new ColumnRegressionException(
						"The store of key space '" + builder.keySpaceName() + "' went backwards: node " + node
								+ ((reserved > 0) ? " has reserved times until " + scheme.layout().instant(reserved)
										: " has never reserved a time")
								+ ", and it is now " + now + ", but " + column.describe(property) + " holds "
								+ latest.text() + ", whose time is " + latest.time() + ". "
								+ RecoveryInstructions.awaitTime(Duration.between(now, latest.time()).plus(margin)),
						property);
			}
		});
	}

	private static @Nullable IdDescription latestId(IdColumn column, TimeScheme scheme, Deadline deadline) {
		try {
			return column.greatest("1 = 1", deadline)
				.map((value) -> scheme
					.describe(column.storesText() ? scheme.parse(value.strip()) : Long.parseUnsignedLong(value)))
				.orElse(null);
		}
		catch (IllegalArgumentException ex) {
			// the value is not an id of this generator
			return null;
		}
	}

	private void run(String name, GeneratorProperties properties, BiConsumer<IdColumn, Deadline> check) {
		String value = properties.verifyColumn();
		String property = this.factory.binder().property(name, PROPERTY);
		JdbcDatabase database = this.factory.database();
		if (database == null && !this.factory.timeSource().advancesByItself()) {
			// only tests use such a clock. They also replace the store of the application
			// with another one, so the column does not belong to the store
			return;
		}
		if (database == null) {
			throw new IdSetupException(property
					+ " is set, but the column can be read only through the connection of the JDBC store, and the key"
					+ " spaces are in another store.", "Remove the property, or set ids.store to jdbc.",
					List.of(property, "ids.store"), null);
		}
		if (!NAME.matcher(value).matches()) {
			throw new IdSetupException(property + " is '" + value
					+ "' but must be auto, none or the names of a table and a column, such as orders.id, optionally"
					+ " preceded by the name of a schema. Each name has up to 63 letters, digits and underscores, and"
					+ " does not begin with a digit.", "Correct the value.", List.of(property), null);
		}
		Duration timeout = properties.block().waitTimeout();
		try {
			StartupExecutor.call(timeout.multipliedBy(2), () -> {
				Deadline deadline = Deadline.after(this.factory.timeSource(), timeout);
				check.accept(IdColumn.find(database, value, property, deadline), deadline);
				return true;
			});
		}
		catch (IdStoreUnavailableException ex) {
			logger.warn("The column named in " + property
					+ " could not be read, so the application did not check whether the"
					+ " store went backwards while the application was down: " + ex.getMessage());
		}
	}

	/**
	 * Thrown if the ids in a column show that the store went backwards.
	 */
	static final class ColumnRegressionException extends KeySpaceRegressionException {

		private static final long serialVersionUID = 1L;

		private final String property;

		private ColumnRegressionException(String problem, String property) {
			super(problem);
			this.property = property;
		}

		String getProperty() {
			return this.property;
		}

	}

}
