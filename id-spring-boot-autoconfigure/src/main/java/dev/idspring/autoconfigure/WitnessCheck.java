package dev.idspring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.idspring.IdDescription;
import dev.idspring.IdSetupException;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.KeySpaceRegressionException;
import dev.idspring.autoconfigure.WitnessSearch.Hit;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.block.OrdinalRange;
import dev.idspring.block.Remedies;
import dev.idspring.block.StoredKeySpace;
import dev.idspring.clock.Deadline;
import dev.idspring.clock.TimeSource;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.WitnessColumn;
import dev.idspring.keyspace.KeySpace;
import dev.idspring.keyspace.KeySpaceSettings;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.slot.SlotStore;
import dev.idspring.slot.StoredSlot;
import dev.idspring.time.TimeScheme;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Looks into the table that ids have gone to ({@code ids.witness}) before a generator is
 * opened: a store that was restored from a backup does not know itself what has been
 * handed out since.
 * <ol>
 * <li>A key in the table that the store would still hand out proves that it went
 * backwards.</li>
 * <li>That is, if the store would still do so when it is asked again afterwards: other
 * instances go on inserting meanwhile, but they reserve before they insert.</li>
 * <li>Ids of time repeat only if they carry a time to come that their node has not
 * reserved.</li>
 * </ol>
 * A table that cannot be read does not stop the start: perhaps the application creates it
 * later.
 */
final class WitnessCheck {

	private static final Log logger = LogFactory.getLog(WitnessCheck.class);

	private final CheckedProperties checks;

	private final @Nullable JdbcDatabase database;

	private final TimeSource timeSource;

	/**
	 * Create a check.
	 * @param database where the key spaces are, or {@code null} if they are not in a
	 * database
	 */
	WitnessCheck(CheckedProperties checks, @Nullable JdbcDatabase database, TimeSource timeSource) {
		this.checks = checks;
		this.database = database;
		this.timeSource = timeSource;
	}

	/**
	 * Look for keys that are still to be handed out.
	 * @param builder knows the name of the key space
	 * @param settings what is said about the key space
	 * @param store remembers the key space
	 * @param frontier knows what is still to be handed out
	 * @throws KeySpaceRegressionException if there are any
	 */
	void verify(ManagedIdGenerator.Builder builder, GeneratorProperties properties, KeySpaceSettings settings,
			KeySpaceStore store, WitnessFrontier frontier) {
		ask(builder.name(), properties, (column, deadline) -> {
			String keySpaceName = builder.keySpaceName();
			StoredKeySpace stored = store.read(keySpaceName, deadline).orElse(null);
			KeySpace keySpace = settings.resolve((stored != null) ? stored.definition() : null);
			if (stored != null && !stored.definition().equals(keySpace.definition())) {
				// it will not open
				return;
			}
			column.open(deadline);
			WitnessSearch search = new WitnessSearch(column, keySpace, properties.strategy() != Strategy.COPRIME,
					deadline);
			List<Hit> hits = frontier.ranges(keySpace, stored, deadline)
				.stream()
				.flatMap((range) -> search.in(range).stream())
				.toList();
			if (!hits.isEmpty()) {
				StoredKeySpace now = store.read(keySpaceName, deadline).orElse(null);
				List<OrdinalRange> ranges = frontier.ranges(keySpace, now, deadline);
				verifyNone(builder, properties, column, keySpace, now,
						hits.stream().flatMap((hit) -> Lost.of(hit, ranges).stream()).toList());
			}
		});
	}

	private void verifyNone(ManagedIdGenerator.Builder builder, GeneratorProperties properties, WitnessColumn column,
			KeySpace keySpace, @Nullable StoredKeySpace stored, List<Lost> lost) {
		Lost first = lost.stream().max(Comparator.comparingLong(Lost::count)).orElse(null);
		if (first == null) {
			return;
		}
		String keySpaceName = builder.keySpaceName();
		Strategy strategy = properties.strategy();
		String holds = holds(builder.name(), column) + keySpace.format(keySpace.key(first.ordinal()))
				+ ", which is to come at ordinal " + first.ordinal() + ". ";
		String outside = (strategy != Strategy.COPRIME)
				? " Rows that came from elsewhere must lie outside of the key space." : "";
		if (stored == null) {
			throw new KeySpaceRegressionException("Key space '" + keySpaceName + "' is new, but " + holds
					+ "If the rows are older than the key space, give it keys that are not in use"
					+ ((strategy == Strategy.SEQUENTIAL || strategy == Strategy.GAPLESS)
							? " (" + this.checks.property(builder.name(), strategy.id() + ".start") + ")" : "")
					+ ". If a backup from before its creation was restored, start once without the witness and without"
					+ " drawing ids, to have it created, and then with the witness.");
		}
		String remedy = switch (strategy) {
			case GAPLESS -> "A backup was restored or a lagging replica promoted; numbers would repeat. Stop all"
					+ " instances, and set next_value to " + (keySpace.key(first.end() - 1) + 1) + " where name is '"
					+ keySpaceName + "' in the table of gapless sequences (ids_gapless, unless ids.jdbc.table-prefix is"
					+ " set).";
			case RECYCLED -> {
				long begun = lost.stream().filter((one) -> !one.untouched()).mapToLong(Lost::count).max().orElse(1);
				long fresh = lost.stream().filter(Lost::untouched).mapToLong(Lost::count).max().orElse(0);
				long size = properties.recycled().seriesSize();
				yield Remedies.skipSeriesAhead(keySpaceName, begun, (fresh + size - 1) / size);
			}
			default -> Remedies.skipAhead(keySpaceName, first.count());
		};
		throw new KeySpaceRegressionException("The store of key space '" + keySpaceName
				+ "' went backwards: it would go on at ordinal " + first.start() + ", but " + holds + remedy + outside);
	}

	/**
	 * Look for ids of a time to come.
	 * @param builder knows the name of the key space
	 * @param scheme what makes the ids
	 * @param slots remembers what nodes have reserved
	 * @throws IdSetupException if the column cannot tell which ids are the latest
	 * @throws KeySpaceRegressionException if there is one that its node has not reserved
	 */
	void verify(ManagedIdGenerator.Builder builder, GeneratorProperties properties, TimeScheme scheme,
			SlotStore slots) {
		ask(builder.name(), properties, (column, deadline) -> {
			column.open(deadline);
			if (column.holdsTexts() && !scheme.textForm().isSorted()) {
				throw new IdSetupException(column + " (" + this.checks.property(builder.name(), "witness")
						+ ") holds texts, and those of these ids do not sort by time: no greatest one can be found.",
						"Name a column that holds the numbers, or none. Of the formats of snowflake, base32 and hex sort.");
			}
			IdDescription last = last(column, scheme, deadline).orElse(null);
			Instant now = this.timeSource.instant();
			if (last == null || last.time() == null || last.node() == null || last.time().isBefore(now)) {
				return;
			}
			// read after the row: whoever inserts has reserved before
			Optional<StoredSlot> node = slots.read(builder.keySpaceName(), last.node(), deadline);
			long reserved = node.map((stored) -> stored.slot().position()).orElse(0L);
			if (scheme.layout().time(last.time()) >= reserved) {
				throw new KeySpaceRegressionException("The store of key space '" + builder.keySpaceName()
						+ "' went backwards: node " + last.node() + " has reserved times "
						+ ((reserved > 0) ? "until " + scheme.layout().instant(reserved) : "never") + ", and it is "
						+ now + " now, but " + holds(builder.name(), column) + last.text() + ", which is of "
						+ last.time() + ". "
						+ Remedies.awaitTime(Duration.between(now, last.time()).plus(margin(properties))));
			}
		});
	}

	private static Optional<IdDescription> last(WitnessColumn column, TimeScheme scheme, Deadline deadline) {
		try {
			return column.greatest(deadline)
				.map((value) -> scheme
					.describe(column.holdsTexts() ? scheme.parse(value.strip()) : Long.parseUnsignedLong(value)));
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

	private String holds(String name, WitnessColumn column) {
		return column + " (" + this.checks.property(name, "witness") + ") holds ";
	}

	private void ask(String name, GeneratorProperties properties, Question question) {
		String witness = properties.witness();
		if (witness == null) {
			return;
		}
		String property = this.checks.property(name, "witness");
		JdbcDatabase database = this.database;
		if (database == null) {
			logger.info(property + " has no effect: key spaces are not in a database that the starter knows of");
			return;
		}
		WitnessColumn column = this.checks.checked(name, () -> new WitnessColumn(database, witness));
		Duration timeout = properties.block().waitTimeout();
		try {
			StartThread.call(timeout.multipliedBy(2), () -> {
				question.ask(column, Deadline.after(this.timeSource, timeout));
				return true;
			});
		}
		catch (IdStoreUnavailableException ex) {
			logger.warn(property + " could not be looked into, so that nothing tells whether the store went backwards"
					+ " while the application was down: " + ex.getMessage());
		}
	}

	private interface Question {

		void ask(WitnessColumn column, Deadline deadline);

	}

	/**
	 * Keys that were handed out without the store's knowing.
	 *
	 * @param ordinal the ordinal of the last one that was found
	 * @param start where the range of ordinals begins that the store would hand out
	 * @param end up to where, exclusive, keys are likely to have been handed out
	 * @param untouched whether the range reaches to the end of the key space
	 */
	private record Lost(long ordinal, long start, long end, boolean untouched) {

		static Optional<Lost> of(Hit hit, List<OrdinalRange> ranges) {
			OrdinalRange last = ranges.get(ranges.size() - 1);
			return ranges.stream()
				.filter((range) -> range.start() <= hit.ordinal() && hit.ordinal() < range.end())
				.map((range) -> new Lost(hit.ordinal(), range.start(), hit.end(), range.equals(last)))
				.findFirst();
		}

		long count() {
			return this.end - this.start;
		}

	}

}
