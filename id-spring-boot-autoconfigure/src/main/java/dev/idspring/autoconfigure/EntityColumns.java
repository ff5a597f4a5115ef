package dev.idspring.autoconfigure;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.ScopedIds;
import dev.idspring.TransactionalIds;
import dev.idspring.annotation.GeneratedIds.IdProperty;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.annotation.IdType;
import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.store.KeySpaceStore.OrdinalRange;
import dev.idspring.store.RecoveryInstructions;
import dev.idspring.worker.Deadline;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Verifies, when the application starts, that the columns of entities can hold the ids of
 * their generators, and logs which generator fills which column. A column is rejected if:
 * <ul>
 * <li>only the database can generate its values</li>
 * <li>its type is too narrow for the greatest id</li>
 * <li>it ignores the case of letters, ids may differ only in case, and the table is
 * empty; if the table has rows, a warning is logged instead</li>
 * <li>it is unique and contains a key that the generator has not issued yet: the rows are
 * older than the key space, or the store returned to an earlier state, such as that of a
 * backup</li>
 * </ul>
 * These rules apply to the search for such keys:
 * <ul>
 * <li>In a numeric column with rising keys, each startup looks for the greatest key in
 * every range of unissued keys. This takes one index lookup per range. All other columns
 * are searched only if the key space is new.</li>
 * <li>A numeric column whose keys do not rise must contain no key of the key space if the
 * key space is new.</li>
 * <li>In a text column, only the greatest and the least string are examined. In a UUID
 * column, only the first keys of each range are searched for.</li>
 * <li>Ids in the memory of this instance count as not yet issued. Ids that other
 * instances have reserved count as issued, because those instances may have inserted
 * them.</li>
 * </ul>
 * A column in the database of the store is read through the store's connection, and any
 * other column through a separate connection. Columns that cannot be read are skipped.
 */
final class EntityColumns implements GeneratedIds.Check {

	private static final Log logger = LogFactory.getLog(EntityColumns.class);

	private static final int UUID_CHARACTERS = 36;

	private final IdGeneratorFactory factory;

	private final @Nullable DataSource dataSource;

	/**
	 * The databases of other DataSources. A value is empty if the database cannot be
	 * read.
	 */
	private final Map<DataSource, Optional<JdbcDatabase>> otherDatabases = new ConcurrentHashMap<>();

	private final Set<Place> verifiedPlaces = ConcurrentHashMap.newKeySet();

	/**
	 * The ordinals that a generator had not issued yet when its store was last read, by
	 * generator name.
	 */
	private final Map<String, List<OrdinalRange>> unissued = new ConcurrentHashMap<>();

	/**
	 * Create a check.
	 * @param factory the factory of the generators
	 * @param dataSource the DataSource of the store's database, or {@code null} if it is
	 * not known
	 */
	EntityColumns(IdGeneratorFactory factory, @Nullable DataSource dataSource) {
		this.factory = factory;
		this.dataSource = dataSource;
	}

	@Override
	public void verify(IdGenerator generator, IdProperty property) {
		Class<?> type = IdType.of(property.type()).orElseThrow().value();
		GeneratorKeys keys = (generator.name() != null) ? this.factory.keys(generator.name()) : null;
		boolean scoped = generator instanceof ScopedIds && this.factory.binder().names().contains(generator.name());
		if ((keys != null || scoped) && generator instanceof TransactionalIds && type != String.class
				&& type != UUID.class) {
			verifyStart(generator.name(), property);
		}
		if (keys == null) {
			// the generator is scoped, a bean of the application or a mock
			return;
		}
		if ((type == int.class || type == Integer.class)
				&& Long.compareUnsigned(keys.greatest(), Integer.MAX_VALUE) > 0) {
			throw tooNarrow(generator.name(), keys, property.name(), "an int", Integer.toString(Integer.MAX_VALUE));
		}
		for (Place place : places(property)) {
			// the column may already have been verified for another session factory
			if (!this.verifiedPlaces.contains(place)) {
				verify(generator, keys, type, place);
				this.verifiedPlaces.add(place);
			}
		}
	}

	/**
	 * Verify that the numbers of a gapless generator do not start at 0. Numeric
	 * properties never get the number 0, so each sequence would have a gap.
	 */
	private void verifyStart(String generator, IdProperty property) {
		if (this.factory.binder().bind(generator).gapless().start() == 0) {
			String start = this.factory.binder().property(generator, "gapless.start");
			throw new IdSetupException(
					start + " is 0, but numeric properties such as " + property.name()
							+ " never get the number 0, so it would be missing from the numbers of generator '"
							+ generator + "'.",
					// this startup may already have stored the key space
					"Set " + start + " to 1 and " + own(generator, "key-space")
							+ " to another name, or change the type of the property to String.",
					List.of(start), null);
		}
	}

	private List<Place> places(IdProperty property) {
		if (this.factory.database() == null || property.columns().isEmpty()) {
			return List.of(new Place(property.name(), null, null));
		}
		return property.columns()
			.stream()
			.map((column) -> new Place(property.name(), property.dataSource(), column))
			.toList();
	}

	private void verify(IdGenerator generator, GeneratorKeys keys, Class<?> type, Place place) {
		if (place.column() != null) {
			verifyColumn(generator, keys, type, place, place.column());
		}
		boolean text = type == String.class;
		logger.info(place + " <- id generator '" + generator.name() + "' (" + keys.properties().strategy().id()
				+ "), from " + (text ? keys.leastText() : keys.least()) + " to "
				+ (text ? keys.greatestText() : keys.greatest()) + ((type == UUID.class) ? ", as UUIDs" : ""));
	}

	private void verifyColumn(IdGenerator generator, GeneratorKeys keys, Class<?> type, Place place,
			IdProperty.Column target) {
		Duration timeout = keys.properties().block().waitTimeout();
		try {
			StartupExecutor.call(timeout.multipliedBy(2), () -> {
				Deadline deadline = Deadline.after(this.factory.timeSource(), timeout);
				JdbcDatabase database = databaseOf(place.dataSource(), deadline);
				if (database == null) {
					return false;
				}
				IdColumn column = IdColumn.of(database, target.table(), target.name(), type == String.class);
				ColumnType columnType = column.type(deadline);
				ifReadable(place, column, (one) -> one.verifyInsertable(place.toString(), generator.name(), deadline));
				if (type == UUID.class) {
					verifyHoldsUuids(place.toString(), columnType);
					column = column.withUuids(generator, columnType);
				}
				else {
					verifyWidth(generator.name(), keys, place.toString(), columnType);
					if (type == String.class && columnType.isText() && keys.caseSensitive()) {
						ifReadable(place, column,
								(one) -> one.verifyCaseSensitive(place.toString(), generator.name(), deadline));
					}
				}
				if (target.unique() && keys.unissued() != null && !"none".equals(keys.properties().verifyColumn())) {
					verifyRows(generator.name(), keys, keys.unissued(), column, place.toString(), deadline);
				}
				return true;
			});
		}
		catch (IdStoreUnavailableException ex) {
			logger.debug(place + " cannot be read: " + ex.getMessage());
		}
	}

	/**
	 * Run a verification that may need additional privileges. If its queries fail, only
	 * this verification is skipped.
	 */
	private static void ifReadable(Place place, IdColumn column, Consumer<IdColumn> verification) {
		try {
			verification.accept(column);
		}
		catch (IdStoreUnavailableException ex) {
			logger.debug(place + " cannot be verified: " + ex.getMessage());
		}
	}

	private @Nullable JdbcDatabase databaseOf(@Nullable DataSource dataSource, Deadline deadline) {
		if (dataSource == null || dataSource == this.dataSource) {
			return Objects.requireNonNull(this.factory.database());
		}
		return this.otherDatabases.computeIfAbsent(dataSource, (key) -> open(key, deadline)).orElse(null);
	}

	/**
	 * Open a database other than that of the store, to verify columns in it. A failure
	 * must not prevent startup, because ids do not depend on this database. The caller
	 * caches even an empty result, so that a failure delays startup only once.
	 */
	private static Optional<JdbcDatabase> open(DataSource dataSource, Deadline deadline) {
		try {
			return Optional.of(JdbcDatabase.openForReading(dataSource, deadline));
		}
		catch (IdSetupException | IdStoreUnavailableException ex) {
			logger.warn("The entity columns in a database other than that of the id store cannot be verified: "
					+ ex.getMessage());
			return Optional.empty();
		}
	}

	private static void verifyHoldsUuids(String place, ColumnType type) {
		if (type.isExactNumber() || (type.isText() && type.size() < UUID_CHARACTERS)) {
			throw new IdSetupException(
					place + " is " + type.name() + (type.isText() ? "(" + type.size() + ")" : "")
							+ " and cannot hold UUIDs.",
					"Change the type of the column to UUID if the database has that type, otherwise to BINARY(16) or"
							+ " CHAR(36). Alternatively, change the type of the property to long or String.");
		}
	}

	/**
	 * Verify that a column can hold all ids of a generator. This method does nothing if
	 * ids are stored as text in a column that is not text, or as numbers in a text
	 * column.
	 * @return {@code false} if the ids are not known, because the application defines the
	 * generator itself
	 */
	boolean verifyWidth(String generator, String place, ColumnType type, boolean storesText) {
		GeneratorKeys keys = this.factory.keys(generator);
		if (keys == null) {
			return false;
		}
		if (storesText == type.isText()) {
			verifyWidth(generator, keys, place, type);
		}
		return true;
	}

	private void verifyWidth(String generator, GeneratorKeys keys, String place, ColumnType type) {
		if (type.isText() && keys.greatestText().length() > type.size()) {
			throw tooShort(generator, keys, place, type);
		}
		BigInteger greatest = type.greatest();
		if (greatest != null && new BigInteger(Long.toUnsignedString(keys.greatest())).compareTo(greatest) > 0) {
			throw tooNarrow(generator, keys, place, type.name(), greatest.toString());
		}
	}

	private IdSetupException tooShort(String generator, GeneratorKeys keys, String place, ColumnType type) {
		int longest = keys.greatestText().length();
		String remedy = "Make the column at least " + longest + " characters long, as with @Column(length = " + longest
				+ ").";
		String property = this.factory.binder().property(generator, "strategy");
		if (keys.properties().strategy() == Strategy.COPRIME && keys.properties().coprime().preset() == null) {
			CoprimeSettings settings = new TextProperties(this.factory.binder(), generator).coprime();
			// only the number of digits can be reduced, because the prefix and the check
			// character have a fixed length
			int length = type.size() - longest + settings.maxLength();
			String minimum = this.factory.binder().property(generator, "coprime.length");
			boolean grows = settings.maxLength() > settings.length();
			property = grows ? this.factory.binder().property(generator, "coprime.max-length") : minimum;
			if (length > 0) {
				remedy += " Alternatively, set " + property + "=" + length
						+ ((grows && length < settings.length()) ? " and " + minimum + "=" + length : "")
						+ ", which leaves "
						+ countKeys(settings.alphabet().size(), Math.min(length, settings.length()), length)
						+ " ids, and set " + own(generator, "key-space")
						+ " to another name, because it is safe to shorten ids only in a new key space.";
			}
		}
		return new IdSetupException(place + " is " + type.name() + "(" + type.size() + ") and can hold " + type.size()
				+ " characters at most, but the last id of generator '" + generator + "' has " + longest
				+ " characters: " + keys.greatestText() + ".", remedy, List.of(property), null);
	}

	private static BigInteger countKeys(int alphabetSize, int length, int maxLength) {
		return IntStream.rangeClosed(length, maxLength)
			.mapToObj(BigInteger.valueOf(alphabetSize)::pow)
			.reduce(BigInteger.ZERO, BigInteger::add);
	}

	private IdSetupException tooNarrow(String generator, GeneratorKeys keys, String place, String type,
			String greatest) {
		Strategy strategy = keys.properties().strategy();
		boolean seriesFits = BigInteger.valueOf(keys.properties().recycled().seriesSize())
			.compareTo(new BigInteger(greatest)) <= 0;
		String limit = switch (strategy) {
			case SEQUENTIAL, GAPLESS -> own(generator, strategy.id() + ".end");
			case RECYCLED -> own(generator, "recycled.capacity")
					+ (seriesFits ? "" : " and " + own(generator, "recycled.series-size"));
			case COPRIME, SNOWFLAKE, DECIMAL_UID, COMPOSITE ->
				own(generator, "strategy") + " to sequential and " + own(generator, "sequential.end");
		};
		String alternative = ", or set " + limit + " to at most " + greatest;
		if (strategy != Strategy.SEQUENTIAL && strategy != Strategy.GAPLESS
				&& (strategy != Strategy.RECYCLED || !seriesFits)) {
			// this startup may already have stored the key space, whose strategy and
			// series size cannot be changed
			alternative += ", and set " + own(generator, "key-space") + " to another name";
		}
		return new IdSetupException(
				place + " is " + type + " and can hold " + greatest + " at most, but the last id of generator '"
						+ generator + "' is " + Long.toUnsignedString(keys.greatest()) + " (as text: "
						+ keys.greatestText() + ").",
				"Make the column and the property wider (BIGINT and long for numbers)" + alternative + ".",
				List.of(this.factory.binder().property(generator, "strategy")), null);
	}

	private static String own(String generator, String property) {
		return GeneratorPropertiesBinder.ownProperty(generator, property);
	}

	private void verifyRows(String generator, GeneratorKeys keys, Function<Deadline, List<OrdinalRange>> unissued,
			IdColumn column, String place, Deadline deadline) {
		List<OrdinalRange> ranges = this.unissued.computeIfAbsent(generator, (name) -> unissued.apply(deadline));
		List<Long> ordinals = find(keys, ranges, column, deadline);
		if (ordinals.isEmpty()) {
			return;
		}
		// read the ranges again, because other instances may have reserved and inserted
		// keys in the meantime
		List<OrdinalRange> rangesNow = unissued.apply(deadline);
		this.unissued.put(generator, rangesNow);
		Optional<Long> clash = ordinals.stream()
			.filter((ordinal) -> rangesNow.stream()
				.anyMatch((range) -> range.start() <= ordinal && ordinal < range.end()))
			.max(Long::compare);
		if (clash.isPresent()) {
			throw keyAlreadyInColumn(generator, keys, keys.keySpace().key(clash.get()), column, place,
					isNewKeySpace(rangesNow));
		}
	}

	private static boolean isNewKeySpace(List<OrdinalRange> unissued) {
		return unissued.stream().anyMatch((range) -> range.start() == 0 && !range.isEmpty());
	}

	/**
	 * Find unissued ordinals whose keys are nevertheless in the column.
	 */
	private static List<Long> find(GeneratorKeys keys, List<OrdinalRange> ranges, IdColumn column, Deadline deadline) {
		List<Long> ordinals = new ArrayList<>();
		if (column.toUuid() != null) {
			if (isNewKeySpace(ranges)) {
				ranges.forEach((range) -> column.search(keys.keySpace(), range, deadline).ifPresent(ordinals::add));
			}
		}
		else if (keys.properties().strategy() != Strategy.COPRIME && !column.storesText()) {
			for (OrdinalRange range : ranges) {
				column.greatest(keys.keySpace(), range, deadline).ifPresent(ordinals::add);
			}
		}
		else if (isNewKeySpace(ranges)) {
			column.anyKey(keys.keySpace(), keys.least(), keys.greatest(), deadline)
				.map(keys.keySpace()::ordinal)
				.ifPresent(ordinals::add);
		}
		return ordinals;
	}

	private IdSetupException keyAlreadyInColumn(String generator, GeneratorKeys keys, long key, IdColumn column,
			String place, boolean isNew) {
		Strategy strategy = keys.properties().strategy();
		String verify = own(generator, "verify-column");
		String keySpace = own(generator, "key-space");
		String remedy;
		if (isNew) {
			remedy = "If another key space has filled the column, set " + keySpace
					+ " to its name, or ids.jdbc.table-prefix to the prefix of the tables that contain that key space."
					+ " Otherwise, "
					+ ((strategy == Strategy.SEQUENTIAL || strategy == Strategy.GAPLESS)
							? "set a start above all rows"
									+ example(own(generator, strategy.id() + ".start"), key, keys.greatest())
							: "insert these ids into a separate column. Or use the strategy sequential with a start"
									+ " above all keys in the column")
					+ ", and set " + keySpace + " to another name.";
		}
		else if (column.database() == this.factory.database() && ColumnVerification.canName(column)) {
			remedy = "If a backup was restored or a lagging replica was promoted, set " + verify + "=" + column
					+ ": the error at the next startup then explains how to continue.";
		}
		else {
			// verify-column reads only the database of the store, and allows only names
			// that need no quotes
			remedy = (strategy != Strategy.GAPLESS) ? RecoveryInstructions.skipAheadIfLost(keys.keySpaceName())
					: "If a backup was restored or a lagging replica was promoted, stop all instances, and "
							+ ColumnVerification.skipGapless(keys.keySpaceName(), key);
		}
		return new IdSetupException(
				place + " already contains " + column.describe(keys.keySpace(), key) + ", which id generator '"
						+ generator + "' has not issued yet"
						+ (isNew ? ", because its key space '" + keys.keySpaceName() + "' is new" : "")
						+ ": an insert would fail with a duplicate key.",
				remedy + " With " + verify + "=none, the column is not verified.", List.of(verify), null);
	}

	/**
	 * Return an example of a start above a key: the smallest power of ten that is above
	 * the key and at least 1,000, or the next key if that power is above the end. The
	 * example is empty if the key is the last one.
	 */
	private static String example(String property, long key, long end) {
		if (key >= end) {
			return "";
		}
		long power = 1_000;
		while (power <= key && power < Long.MAX_VALUE / 10) {
			power *= 10;
		}
		return ", such as " + property + "=" + ((power > key && power <= end) ? power : key + 1);
	}

	/**
	 * The place where the ids of a property are stored.
	 *
	 * @param property the name of the entity's property
	 * @param dataSource the DataSource through which the column is written, or
	 * {@code null} if it is not known; the column is then looked for in the database of
	 * the store
	 * @param column the column, or {@code null} if it is not known
	 */
	private record Place(String property, @Nullable DataSource dataSource, IdProperty.@Nullable Column column) {

		@Override
		public String toString() {
			return (this.column != null) ? this.column + " (" + this.property + ")" : this.property;
		}

	}

}
