package dev.idspring.autoconfigure.operations;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.AdoptingKeySpace;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.autoconfigure.operations.CommandReport.Outcome;
import dev.idspring.doctor.KeyColumn;
import dev.idspring.doctor.KeyColumns;
import dev.idspring.jdbc.Bridge;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Lets a key space go on where the keys of a table stand, while old instances of the
 * application insert beside new ones.
 * <ol>
 * <li>A sequence or a counter in a table is shared ({@link Bridge}) until the bridge is
 * ended.</li>
 * <li>An identity column cannot be shared, and explicit keys above its next number would
 * push it. So it is set ahead first, and the key space ends before the number that it
 * goes on with. That this was done is verified before the key space exists.</li>
 * </ol>
 */
final class AdoptCommand implements IdsCommand {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	/** How many keys the new application has before an identity column, unless set. */
	private static final BigInteger ROOM = BigInteger.valueOf(1_000_000_000);

	private static final Pattern AUTO_INCREMENT = Pattern.compile("AUTO_INCREMENT=(\\d+)");

	@Override
	public Help help() {
		return new Help("adopt", "Lets a key space go on where the keys of an existing table stand.",
				"select on the table and the catalogue; with confirm, as the application has on the tables of the id store,"
						+ " and on the sequence or counter that numbers the table.",
				new Option("ids.adopt.table", "Name of the table. Required."),
				new Option("ids.adopt.generator",
						"Name of the generator, of strategy sequential, that is to make its keys. Required."),
				new Option("ids.adopt.source",
						"Sequence, or table with a counter, that numbers the rows so far; none if all instances are"
								+ " stopped. By default what belongs to the column or is named like the table."),
				new Option("ids.adopt.row", "Value that tells the row of the counter from others."),
				new Option("ids.adopt.allocation-size",
						"Most numbers that an old instance takes for a value of the source. By default the increment of the"
								+ " sequence, and 50 with a counter."),
				new Option("ids.adopt.end", "true to end the bridge, when no old instance is left."),
				new Option("ids.adopt.file", "File for the DDL that remains, which must not exist."),
				new Option("ids.adopt.confirm", "true to do it. Otherwise nothing is changed."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.Adopt options = context.options("ids.adopt", IdsProperties.Adopt.class);
		if (options.file() != null && Files.exists(Path.of(options.file()))) {
			throw refused("file is '" + options.file() + "', which exists.",
					"Name another one, or leave the option out.");
		}
		context.refuseRedis(
				"instances that number rows by the table's own counter, and those that draw ids, need one database.",
				"Leave ids.store at jdbc for this generator's application, or stop all old instances and begin a"
						+ " sequential key space with a start above all rows.");
		AdoptingKeySpace target = AdoptingKeySpace.of(context.environment(), options.generator(),
				"ids.adopt.generator");
		if (!(context.single(KeySpaceStore.class) instanceof JdbcKeySpaceStore store)) {
			throw new IdSetupException("The id store is not in a database.", "Run the command with ids.store=jdbc.");
		}
		DataSource dataSource = context.dataSource();
		QualifiedName table = CommandContext.table(dataSource, "ids.adopt.table", options.table());
		KeyColumns keys = KeyColumns.read(dataSource, TIMEOUT, table);
		KeyColumn column = keys.columns()
			.stream()
			.filter((one) -> one.end() != null)
			.findFirst()
			.orElseThrow(
					() -> refused("table is " + table + ", which has no primary key of one column of whole numbers.",
							"Name a table with such a key."));
		String unread = "the highest " + column.name();
		keys.notRead().stream().filter((part) -> part.startsWith(unread)).findFirst().ifPresent((part) -> {
			throw refused("table is " + table + ", but it could not be read: " + part + ".", "Run the command again.");
		});
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		AdoptionDdl ddl = new AdoptionDdl(keys.database(), quote(jdbc), column, generated(jdbc, keys, column));
		CommandReport report = options.end() ? end(options, target, store, ddl)
				: begin(options, target, store, keys, ddl, jdbc);
		return report.with("table", table.toString()).with("generator", target.generator());
	}

	private static CommandReport begin(IdsProperties.Adopt options, AdoptingKeySpace target, JdbcKeySpaceStore store,
			KeyColumns keys, AdoptionDdl ddl, JdbcTemplate jdbc) {
		if (store.read(target.name(), deadline()).isPresent()) {
			String bridge = store.bridge(target.name(), deadline())
				.map((standing) -> " It shares " + standing + " with old instances. When none is left, add"
						+ " --ids.adopt.end=true.")
				.orElse(" A table is adopted before the first start of the application that makes its keys. If nothing"
						+ " was inserted since, delete its row from the table of key spaces.");
			return CommandReport.of(Outcome.PROBLEMS, "Key space '" + target.name() + "' exists." + bridge);
		}
		KeyColumn column = ddl.column();
		AdoptionSource source = AdoptionSource.find(options, column, keys, target.start(), jdbc, ddl.quote());
		BigInteger highest = Objects.requireNonNullElse(column.highest(), BigInteger.ZERO);
		String found = column.name() + " (" + column.type() + ") is numbered by " + source.description()
				+ "; its highest key is " + highest + ".";
		if (source.identity()) {
			return besideIdentity(options, target, store, ddl, found, identityNext(ddl, jdbc), jdbc);
		}
		BigInteger reached = highest.add(BigInteger.ONE);
		Bridge bridge = source.bridge();
		if (bridge != null) {
			reached = BigInteger
				.valueOf(store.reached(new Bridge(bridge.source(), bridge.counter(), bridge.grain(), 0), deadline()));
			if (reached.compareTo(highest) <= 0) {
				return CommandReport.of(Outcome.PROBLEMS, found + " But " + bridge + " stands at " + reached
						+ ", so it is not what numbers the rows, or its values are multiplied (Hibernate's hilo)."
						+ " Name the right ids.adopt.source, set it ahead, or stop all instances and set it to none.");
			}
		}
		BigInteger first = reached.max(highest.add(BigInteger.ONE)).max(BigInteger.valueOf(target.start()));
		if (first.compareTo(BigInteger.valueOf(target.end())) > 0) {
			return CommandReport.of(Outcome.PROBLEMS, found + " The next is " + first + ", which is not a key of '"
					+ target.name() + "': it goes from " + target.start() + " to " + target.end() + ".");
		}
		List<String> lines = new ArrayList<>(List.of(found));
		BigInteger last = Objects.requireNonNull(column.end());
		if (BigInteger.valueOf(target.end()).compareTo(last) > 0) {
			lines.add("Set " + target.properties() + ".end to " + last
					+ ", or make the column wider first: its last key is " + target.end() + ".");
		}
		if (!options.confirm()) {
			lines.add("The plan:");
			lines.add("1. Run this command with --ids.adopt.confirm=true: it creates key space '" + target.name() + "'"
					+ ((bridge != null) ? ", which draws its blocks from " + bridge + ", as old instances do."
							: ", which goes on at " + first + "."));
			lines.add((bridge != null) ? "2. Replace the instances one by one."
					: "2. Start the new instances. An old one must not insert again.");
			if (bridge != null) {
				lines.add(
						"3. When no old instance is left, run it with --ids.adopt.end=true as well: the key space goes on"
								+ " by itself.");
			}
			return report(options, ddl, lines, ddl.allowKeys()).with("done", false);
		}
		create(target, store, first, bridge);
		lines.add("Key space '" + target.name() + "' was created"
				+ ((bridge != null) ? ". Its blocks come from " + bridge + " until --ids.adopt.end=true."
						: ", and goes on at " + first + "."));
		return report(options, ddl, lines, ddl.allowKeys()).with("done", true);
	}

	private static CommandReport besideIdentity(IdsProperties.Adopt options, AdoptingKeySpace target,
			JdbcKeySpaceStore store, AdoptionDdl ddl, String found, BigInteger next, JdbcTemplate jdbc) {
		KeyColumn column = ddl.column();
		BigInteger end = BigInteger.valueOf(target.end());
		if (next.compareTo(end) > 0) {
			BigInteger below = Objects.requireNonNullElse(jdbc.queryForObject(ddl.highestUpTo(end), BigInteger.class),
					BigInteger.ZERO);
			BigInteger first = below.add(BigInteger.ONE).max(BigInteger.valueOf(target.start()));
			if (first.compareTo(end) > 0) {
				return CommandReport.of(Outcome.PROBLEMS,
						found + " No key is left up to " + end + ", where the key space" + " ends. Set "
								+ target.properties() + ".end above " + next + ", and run this command again.");
			}
			List<String> lines = new ArrayList<>(List.of(found,
					"The column goes on with " + next + ", and the key space has " + first + " to " + end + "."));
			if (options.confirm()) {
				create(target, store, first, null);
			}
			lines.add(options.confirm()
					? "Key space '" + target.name() + "' was created. Replace the instances one by one."
					: "Run this command with --ids.adopt.confirm=true, then replace the instances one by one.");
			return report(options, ddl, lines, ddl.allowKeys()).with("done", options.confirm());
		}
		BigInteger last = Objects.requireNonNull(column.end());
		boolean given = end.compareTo(last.min(BigInteger.valueOf(SequentialSettings.MAX_END))) < 0;
		BigInteger half = last.subtract(next).shiftRight(1);
		BigInteger ahead = given ? end.add(BigInteger.ONE) : next.add(half.min(ROOM));
		List<String> lines = new ArrayList<>(List.of(found,
				"Explicit keys above the next one, " + next + ", would push it. The plan:",
				"1. Run the DDL below, so that old instances go on with " + ahead + ".",
				"2. Set " + target.properties() + ".start to " + next.max(BigInteger.valueOf(target.start()))
						+ " and .end to " + ahead.subtract(BigInteger.ONE) + ", so that new ones stay below it.",
				"3. Run this command with --ids.adopt.confirm=true, which verifies both, and replace the instances one by"
						+ " one."));
		List<String> before = new ArrayList<>(ddl.allowKeys());
		before.add(ddl.continueWith(ahead));
		CommandReport report = report(options, ddl, lines, before).with("done", false);
		return options.confirm() ? new CommandReport(Outcome.PROBLEMS, report.text(), report.fields()) : report;
	}

	private static void create(AdoptingKeySpace target, JdbcKeySpaceStore store, BigInteger first,
			@Nullable Bridge bridge) {
		StoredKeySpace keySpace = new StoredKeySpace(target.name(), target.keySpace().definition(),
				target.keySpace().capacity(), first.longValueExact() - target.start());
		if (!store.adopt(keySpace, bridge, deadline())) {
			throw refused("generator is '" + target.generator() + "', whose key space was created a moment ago.",
					"Run the command again: it says what was created.");
		}
		if (bridge != null) {
			// what cannot be drawn from now must not be found out by the application
			store.reserve(target.name(), 1, target.keySpace().capacity(), deadline());
		}
	}

	private static CommandReport end(IdsProperties.Adopt options, AdoptingKeySpace target, JdbcKeySpaceStore store,
			AdoptionDdl ddl) {
		Bridge bridge = store.bridge(target.name(), deadline()).orElse(null);
		if (bridge == null) {
			return CommandReport.of(Outcome.PROBLEMS, "Key space '" + target.name() + "' has no bridge to end.");
		}
		if (!options.confirm()) {
			return CommandReport.of(Outcome.DONE, "Key space '" + target.name() + "' would no longer draw from "
					+ bridge
					+ ". An instance that still does would insert the same keys, and fail. When no old instance is left, run the"
					+ " command again with --ids.adopt.confirm=true added.")
				.with("done", false);
		}
		OptionalLong next = store.endBridge(target.name(), false, deadline());
		List<String> lines = List.of("The bridge of key space '" + target.name() + "' has ended: it goes on at "
				+ (target.start() + next.orElse(0)) + ". Remove " + bridge
				+ ", so that an old instance that was overlooked fails rather than repeats keys:");
		return report(options, ddl, lines, ddl.remove(bridge)).with("done", true);
	}

	/**
	 * Report with the DDL that is left to the operator.
	 */
	private static CommandReport report(IdsProperties.Adopt options, AdoptionDdl ddl, List<String> lines,
			List<String> first) {
		List<String> statements = new ArrayList<>(first);
		statements.addAll(ddl.widen());
		List<String> text = new ArrayList<>(lines);
		String script = String.join("\n", statements);
		if (statements.isEmpty()) {
			text.add("No DDL is left to run.");
		}
		else if (options.file() != null) {
			CommandContext.write("ids.adopt.file", options.file(), script + "\n");
			text.add("The DDL was written to " + options.file() + ".");
		}
		else {
			text.add("DDL to run, or to make a migration of:");
			text.add(script);
		}
		return CommandReport.of(Outcome.DONE, String.join("\n", text)).with("ddl", statements);
	}

	/**
	 * Ask how a column is generated. What information_schema says of auto-increment may
	 * be a day old on MySQL: the statement that creates the table is not.
	 */
	private static BigInteger identityNext(AdoptionDdl ddl, JdbcTemplate jdbc) {
		KeyColumn.Numbering numbering = Objects.requireNonNull(ddl.column().numbering());
		if (numbering.last() != null) {
			return numbering.last().add(BigInteger.valueOf(numbering.increment()));
		}
		String create = jdbc.queryForObject("show create table " + ddl.table(), (row, index) -> row.getString(2));
		Matcher next = AUTO_INCREMENT.matcher(String.valueOf(create));
		return next.find() ? new BigInteger(next.group(1)) : BigInteger.ONE;
	}

	private static String generated(JdbcTemplate jdbc, KeyColumns keys, KeyColumn column) {
		return !List.of("PostgreSQL", "H2").contains(keys.database()) ? "" : jdbc
			.query("select coalesce(identity_generation, '') from information_schema.columns where table_schema = ?"
					+ " and table_name = ? and column_name = ?", (row, index) -> row.getString(1),
					column.place().schema(), column.table(), column.column())
			.stream()
			.findFirst()
			.orElse("");
	}

	static String quote(JdbcTemplate jdbc) {
		return Objects
			.requireNonNull(jdbc.execute(
					(ConnectionCallback<String>) (connection) -> connection.getMetaData().getIdentifierQuoteString()))
			.strip();
	}

	private static Deadline deadline() {
		return Deadline.after(TimeSource.system(), TIMEOUT);
	}

	private static IdSetupException refused(String problem, String remedy) {
		return new IdSetupException("ids.adopt." + problem, remedy, List.of("ids.adopt"), null);
	}

}
