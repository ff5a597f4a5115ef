package dev.idspring.tools.command;

import java.math.BigInteger;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsJdbcProperties;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.command.CommandReport.Outcome;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.worker.Deadline;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Prints a script that makes an identity column or a sequence generate the keys of a
 * table again. The command itself changes nothing in the database. After the script has
 * run, the database never issues a key that an instance has issued or may still issue:
 * <ol>
 * <li>The script closes the key space. From then on, no instance can reserve any keys
 * ({@link StoredKeySpace#close}). Instances can still issue the keys of the blocks in
 * their memory. All of these keys are below the end of the reserved keys.</li>
 * <li>Only then does the script read the end of the reserved keys and the highest key in
 * the table. It makes the column or the sequence continue above all reserved keys and
 * above the highest key. The script reads both values when it runs, so reservations after
 * the script was printed do no harm.</li>
 * </ol>
 */
final class LeaveCommand implements IdsCommand {

	private static final List<String> DATABASES = List.of("PostgreSQL", "MariaDB", "MySQL", "H2");

	@Override
	public Help help() {
		return new Help("leave",
				"Prints the script that hands the keys of a table back to an identity column or a sequence. Changes"
						+ " nothing.",
				"select on the table and the catalogue, and the application's own rights on the tables of the id store."
						+ " The user that runs the script must own the table, and needs update on the tables of the id"
						+ " store.",
				new Option("ids.leave.table", "Name of the table. Required."),
				new Option("ids.leave.generator",
						"Name of the generator that generates the keys. Its strategy must be sequential, or gapless"
								+ " without scopes. Required."),
				new Option("ids.leave.sequence",
						"Sequence that will generate the keys. By default, the column generates them (identity)."),
				new Option("ids.leave.allocation-size",
						"Increment of the sequence: Hibernate's allocationSize. Default 1."),
				new Option("ids.leave.file", "File for the script. The file must not exist yet."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.Leave options = context.options("ids.leave", IdsProperties.Leave.class);
		verify(options);
		context.refuseRedis("the script reads the tables of the id store in the database.",
				"Stop all instances, and let an identity column or a sequence start above the highest key of the"
						+ " table.");
		TableKeySpace keySpace = TableKeySpace.forLeaving(context.environment(), options.generator(),
				"ids.leave.generator");
		JdbcKeySpaceStore store = context.jdbcStore();
		Deadline deadline = CommandContext.deadline();
		StoredKeySpace stored = store.read(keySpace.name(), deadline).orElse(null);
		if (stored == null) {
			return CommandReport.of(Outcome.PROBLEMS, "There is no key space '" + keySpace.name()
					+ "' in the store: the generator has issued no key yet.");
		}
		String definition = keySpace.keySpace().definition();
		boolean closed = stored.definition().equals(StoredKeySpace.close(definition));
		if (!closed) {
			stored.verifyDefinition(definition);
		}
		store.bridge(keySpace.name(), deadline).ifPresent((bridge) -> {
			throw failure("generator is '" + keySpace.generator() + "', whose key space draws from " + bridge + ".",
					"This source supplies the keys. Stop the new instances and start the old ones (see 'Back again'"
							+ " in docs/adopt.md). Alternatively, end the bridge first.");
		});
		DataSource dataSource = context.dataSource();
		QualifiedName table = CommandContext.table(dataSource, "ids.leave.table", options.table());
		KeyColumns keys = KeyColumns.read(dataSource, CommandContext.TIMEOUT, table);
		KeyColumn column = CommandContext.key("ids.leave.table", table, keys);
		if (!DATABASES.contains(keys.database())) {
			throw failure("table is " + table + ", but the command does not support " + keys.database() + ".",
					"The command supports only " + String.join(", ", DATABASES)
							+ ". On other databases, stop all instances, and let an identity column or a sequence start"
							+ " above the highest key.");
		}
		JdbcTemplate jdbc = CommandContext.jdbc(dataSource);
		String prefix = context.options("ids.jdbc", IdsJdbcProperties.class).tablePrefix();
		LeaveScript leaveScript = new LeaveScript(jdbc, keys, CommandContext.quote(jdbc), column, keySpace,
				storeTable(jdbc, table, prefix + "key_space"),
				keySpace.gapless() ? storeTable(jdbc, table, prefix + "gapless") : null);
		BigInteger reservedEnd = reservedEnd(leaveScript, stored, keySpace);
		BigInteger highest = Objects.requireNonNullElse(column.highest(), BigInteger.ZERO);
		BigInteger first = reservedEnd.max(highest.add(BigInteger.ONE));
		if (first.compareTo(Objects.requireNonNull(column.end())) > 0) {
			return CommandReport.of(Outcome.PROBLEMS, column.name() + " (" + column.type()
					+ ") has no key left: the next key would be " + first + ". Change the type of the column first.");
		}
		Numbering continued = leaveScript.continued(options);
		List<String> statements = leaveScript.statements(first, continued, options);
		if (continued != null && continued.next() != null) {
			first = continued.next().max(first);
		}
		String script = String.join("\n", statements) + "\n";
		List<String> generators = keySpace.generators();
		String message = describeShared(column, keySpace, generators) + "\n"
				+ message(options, column, keySpace, closed, reservedEnd, first);
		CommandReport report = CommandReport.ofScript(message, script);
		if (options.file() != null) {
			CommandContext.write("ids.leave.file", options.file(), report.text() + "\n");
			report = CommandReport.of(Outcome.DONE, message + "\nThe script was written to " + options.file() + ".");
		}
		return report.with("table", table.toString())
			.with("generator", keySpace.generator())
			.with("generators", generators)
			.with("first", first)
			.with("ddl", statements);
	}

	private static void verify(IdsProperties.Leave options) {
		CommandContext.verifyNewFile("ids.leave.file", options.file());
		if (options.allocationSize() < 1 || (options.allocationSize() > 1 && options.sequence() == null)) {
			throw failure("allocation-size is " + options.allocationSize() + ".", (options.allocationSize() < 1)
					? "Set it to the allocationSize of the entity, at least 1."
					: "Name the sequence that has this increment (ids.leave.sequence), or remove the option: the"
							+ " increment of an identity column is 1.");
		}
	}

	/**
	 * Find a table of the id store, which must be in the same database as the keys.
	 */
	private static QualifiedName storeTable(JdbcTemplate jdbc, QualifiedName table, String name) {
		return CommandContext.tables(jdbc, name)
			.stream()
			.findFirst()
			.orElseThrow(() -> unreadableStore(table, "there is no table " + name));
	}

	/**
	 * Return the end of the reserved keys, which is the first key that is not reserved.
	 * @throws IdSetupException if the database of the table does not contain the tables
	 * of the id store, because the script could then not read the end
	 */
	private static BigInteger reservedEnd(LeaveScript leaveScript, StoredKeySpace stored, TableKeySpace keySpace) {
		BigInteger found = null;
		String problem = "there is no row of key space '" + stored.name() + "'";
		try {
			if (leaveScript.jdbc()
				.queryForList(leaveScript.definitionQuery(), String.class)
				.contains(stored.definition())) {
				found = leaveScript.jdbc()
					.queryForObject("select " + leaveScript.firstUnreservedKey(), BigInteger.class);
			}
		}
		catch (DataAccessException ex) {
			problem = String.valueOf(ex.getMostSpecificCause().getMessage());
		}
		if (found == null) {
			throw unreadableStore(leaveScript.column().place(), problem);
		}
		// after a fail-over, the key space may continue above the value in its row
		return keySpace.gapless() ? found
				: found.max(BigInteger.valueOf(keySpace.start()).add(BigInteger.valueOf(stored.nextOrdinal())));
	}

	/**
	 * Describe which generators get no new keys after the key space is closed. The
	 * description does not list tables, because only Hibernate knows which tables use a
	 * generator, and a command does not start Hibernate.
	 */
	private static String describeShared(KeyColumn column, TableKeySpace keySpace, List<String> generators) {
		return "The script closes key space '" + keySpace.name() + "' for all tables whose keys come from it, not only"
				+ " for " + column.place() + ": these tables get no new keys. In this application, "
				+ ((generators.size() == 1) ? "generator '" + generators.get(0) + "' draws"
						: "the generators '" + String.join("', '", generators) + "' draw")
				+ " from it"
				+ (generators.contains("default") ? ", and so does each @GeneratedId that names no generator" : "")
				+ ". First, configure another generator for the other tables.";
	}

	private static String message(IdsProperties.Leave options, KeyColumn column, TableKeySpace keySpace, boolean closed,
			BigInteger reservedEnd, BigInteger first) {
		String entity = (options.sequence() == null) ? "@GeneratedValue(strategy = GenerationType.IDENTITY)"
				: "@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = \"" + options.sequence()
						+ "\") @SequenceGenerator(name = \"" + options.sequence() + "\", sequenceName = \""
						+ options.sequence() + "\", allocationSize = " + options.allocationSize() + ")";
		return column.name() + " (" + column.type() + "): " + CommandContext.highestKey(column) + ", and key space '"
				+ keySpace.name() + "' " + (closed ? "is closed; it " : "") + "has reserved all keys below "
				+ reservedEnd + ".\n"
				+ "1. Run the script in one session. It closes the key space: instances use up the keys in their"
				+ " memory, and then fail. Then " + ((options.sequence() == null) ? "the column" : "the sequence")
				+ " continues above all reserved and all existing keys, with " + first + " if the script runs now.\n"
				+ "2. Replace @GeneratedId with " + entity + ", remove generator '" + keySpace.generator()
				+ "', and replace the instances.\n" + "3. When no old instance is left, delete the rows of '"
				+ keySpace.name() + "' from the tables of the id store.";
	}

	private static IdSetupException unreadableStore(QualifiedName table, String problem) {
		return failure(
				"table is " + table + ", but the script cannot read the id store in the same database: " + problem
						+ ".",
				"If the tables of the store are in another database, stop all instances, and let an identity column"
						+ " or a sequence start above the highest key.");
	}

	static IdSetupException failure(String problem, String remedy) {
		return new IdSetupException("ids.leave." + problem, remedy, List.of("ids.leave"), null);
	}

}
