package dev.idspring.tools.command;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.GeneratorDefinition;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.autoconfigure.StoreType;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.tools.command.CommandReport.Outcome;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.worker.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.StringUtils;

/**
 * Fills a column of existing rows with ids, in key order and in small transactions.
 * <ol>
 * <li>A row is filled only if its column is null. So a run never overwrites an id from an
 * earlier run or from the application, and a killed command can be run again.</li>
 * <li>Each id is drawn for one attempt to fill one row, and is never used for another
 * attempt. If the transaction is rolled back or the process is killed, the id is
 * lost.</li>
 * <li>The command repeats its pass over the table until a pass finds no row without an
 * id. So a later pass fills a row that is inserted below the key that an earlier pass has
 * reached. If two passes in succession begin at the same row and fill no row, the command
 * fails, because something prevents the updates.</li>
 * </ol>
 */
final class BackfillCommand implements IdsCommand {

	private static final Log logger = LogFactory.getLog(BackfillCommand.class);

	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

	/**
	 * The largest batch. The keys of a batch are parameters of one query, and some
	 * drivers allow only about 32,000 parameters.
	 */
	private static final int MAX_BATCH = 10_000;

	private final TimeSource timeSource;

	/**
	 * Create the command.
	 * @param timeSource measures the rate, and waits between batches
	 */
	BackfillCommand(TimeSource timeSource) {
		this.timeSource = timeSource;
	}

	@Override
	public Help help() {
		return new Help("backfill", "Fills a column with ids in the existing rows where it is null.",
				"select and update on the table; the application's own rights on the tables of the id store.",
				new Option("ids.backfill.table",
						"Name of the table, which must have a primary key of one column. Required."),
				new Option("ids.backfill.column",
						"Column to fill, of a type for text, UUIDs or whole numbers. Required."),
				new Option("ids.backfill.generator", "Name of the generator that creates the ids. Required."),
				new Option("ids.backfill.form",
						"Form of the ids: text, uuid or number. By default, uuid for columns of type UUID or BINARY(16),"
								+ " text for text columns, and number for others."),
				new Option("ids.backfill.batch",
						"Number of rows per transaction, at most " + MAX_BATCH + ". Default 500."),
				new Option("ids.backfill.rate", "Maximum number of rows per second, 0 for no limit. Default 5000."),
				new Option("ids.backfill.confirm", "true to fill the column. Otherwise nothing is changed."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.Backfill options = context.options("ids.backfill", IdsProperties.Backfill.class);
		String name = required("column", options.column());
		GeneratorDefinition definition = GeneratorDefinition.of(context.environment(),
				required("generator", options.generator()), "ids.backfill.generator");
		verifyGenerator(definition, context.options("ids", IdsProperties.class).store());
		if (options.batch() < 1 || options.batch() > MAX_BATCH) {
			throw failure("batch is " + options.batch() + ".", "Set it to a number from 1 to " + MAX_BATCH + ".");
		}
		if (options.rate() < 0) {
			throw failure("rate is " + options.rate() + ".", "Set it to 0 (no limit) or more.");
		}
		DataSource dataSource = context.dataSource();
		QualifiedName table = CommandContext.table(dataSource, "ids.backfill.table", options.table());
		KeyColumns keys = KeyColumns.read(dataSource, CommandContext.TIMEOUT, table);
		KeyColumn key = keys.columns()
			.stream()
			.findFirst()
			.orElseThrow(() -> failure("table is " + table + ", which has no single-column primary key.",
					"Name a table with such a key."));
		JdbcTemplate jdbc = CommandContext.jdbc(dataSource);
		BackfilledColumn column = BackfilledColumn.of(jdbc, keys.database(), CommandContext.quote(jdbc), key, name,
				options.form());
		String target = key.place() + "." + name + " with ids of '" + definition.name() + "' as "
				+ column.form().name().toLowerCase(Locale.ROOT);
		column.verifyType();
		if (!options.confirm()) {
			return CommandReport
				.of(Outcome.DONE, "Would fill " + target + column.describeMissing(jdbc, key.rows()) + ", "
						+ options.batch() + " rows per transaction"
						+ ((options.rate() > 0) ? " and at most " + options.rate() + " rows per second" : "") + ". "
						+ (column.storesUuids() ? ""
								: "Not verified yet: whether the column is wide enough for the widest"
										+ " id. The run that fills the column verifies this before the first row. ")
						+ "Each batch is read back and compared with its ids. Nothing has been changed. Run the command"
						+ " again with --ids.backfill.confirm=true added.")
				.with("filled", 0);
		}
		IdGenerator generator = definition.open(context.beans());
		column.verifyWidth(definition, context.beans());
		long filled = new Fill(dataSource, column, generator, options, column.countMissing(jdbc, key.rows()),
				this.timeSource)
			.run();
		List<String> ddl = column.constraintDdl(jdbc);
		return CommandReport.of(Outcome.DONE, "Filled " + CommandContext.count(filled, "row") + " of " + target
				+ ". No row is left without an id. Run this DDL as soon as all instances fill the column in new rows:\n"
				+ String.join("\n", ddl))
			.with("filled", filled)
			.with("ddl", ddl);
	}

	/**
	 * Reject a store with which the command or the application could issue an id twice,
	 * and a generator that issues ids only in a transaction of the caller.
	 */
	private static void verifyGenerator(GeneratorDefinition generator, StoreType store) {
		if (store == StoreType.MEMORY) {
			throw new IdSetupException(
					"ids.store is memory, which remembers nothing from one process to the next: the application would"
							+ " issue the ids of the filled rows again.",
					"Set ids.store=jdbc for the application and for the command.", List.of("ids.store"), null);
		}
		if (store == StoreType.NONE) {
			throw new IdSetupException(
					"ids.store is none, so nothing prevents two processes from using the same node number: the command"
							+ " and a running instance could issue the same ids.",
					"Run the command with --ids.store=jdbc, --" + generator.ownProperty("node.source")
							+ "=fixed and, in --" + generator.ownProperty("node.id")
							+ "=, a number that no instance has.",
					List.of("ids.store"), null);
		}
		if (generator.isScoped() || generator.properties().strategy() == Strategy.GAPLESS) {
			throw failure(
					"generator is '" + generator.name() + "', whose " + (generator.isScoped() ? "numbers have scopes."
							: "strategy is gapless: its numbers are issued only in the transaction that stores them."),
					"Name a generator whose strategy is not gapless.");
		}
	}

	private static String required(String option, @Nullable String value) {
		if (!StringUtils.hasText(value)) {
			throw failure(option + " is not set.", "Set it to the name of the " + option + ".");
		}
		return value;
	}

	static IdSetupException failure(String problem, String remedy) {
		return new IdSetupException("ids.backfill." + problem, remedy, List.of("ids.backfill"), null);
	}

	/**
	 * Fills the column, batch by batch.
	 */
	private static final class Fill {

		private final JdbcTemplate jdbc;

		private final TransactionTemplate transactions;

		private final BackfilledColumn column;

		private final IdGenerator generator;

		private final IdsProperties.Backfill options;

		private final @Nullable Long rows;

		private final TimeSource timeSource;

		private final long startNanos;

		private long filled;

		private long lastReport;

		Fill(DataSource dataSource, BackfilledColumn column, IdGenerator generator, IdsProperties.Backfill options,
				@Nullable Long rows, TimeSource timeSource) {
			this.jdbc = new JdbcTemplate(dataSource);
			this.transactions = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
			this.column = column;
			this.generator = generator;
			this.options = options;
			this.rows = rows;
			this.timeSource = timeSource;
			this.startNanos = timeSource.nanoTime();
			this.lastReport = this.startNanos;
		}

		long run() {
			Object stuckKey = null;
			while (true) {
				long before = this.filled;
				Object first = pass();
				if (first == null) {
					return this.filled;
				}
				boolean progress = this.filled > before;
				if (!progress && first.equals(stuckKey)) {
					throw failure(
							"column is " + this.column.place() + ", which is still null in the row with the key "
									+ first + ", although two passes tried to fill it.",
							"Look for a trigger or a row-level security policy that prevents the update, and run the"
									+ " command again.");
				}
				stuckKey = progress ? null : first;
			}
		}

		/**
		 * Fill the rows without an id once, in key order.
		 * @return the printable key of the first row that had no id when the pass began,
		 * or {@code null} if there was none
		 */
		private @Nullable Object pass() {
			List<Object> keys = this.column.nextKeys(this.jdbc, null, this.options.batch());
			Object first = keys.isEmpty() ? null : BackfilledColumn.printableForm(keys.get(0));
			while (!keys.isEmpty()) {
				List<Object> batch = keys;
				// draw ids as late as possible, because unused ids are lost
				Object[] values = this.column.values(this.generator, batch.size());
				Integer count = this.transactions.execute((status) -> this.column.fill(this.jdbc, batch, values));
				this.filled += (count != null) ? count : 0;
				Object lastKey = batch.get(batch.size() - 1);
				report(lastKey);
				pause();
				keys = this.column.nextKeys(this.jdbc, lastKey, this.options.batch());
			}
			return first;
		}

		private void report(Object lastKey) {
			long now = this.timeSource.nanoTime();
			if (now - this.lastReport >= REPORT_INTERVAL.toNanos()) {
				this.lastReport = now;
				double rate = this.filled / ((now - this.startNanos) / 1e9);
				Long rows = this.rows;
				String remaining = (rows == null || rows < this.filled || rate == 0) ? ""
						: ", " + DurationFormatterUtils.print(
								Duration.ofSeconds(Math.round((rows - this.filled) / rate)),
								DurationFormat.Style.COMPOSITE) + " remain";
				logger.info("Filled " + this.filled + ((rows != null) ? " of about " + rows : "") + " rows, up to key "
						+ BackfilledColumn.printableForm(lastKey) + ", " + Math.round(rate) + " rows per second"
						+ remaining);
			}
		}

		private void pause() {
			if (this.options.rate() == 0) {
				return;
			}
			long due = this.startNanos + Math.round(this.filled * 1e9 / this.options.rate());
			try {
				this.timeSource.sleep(Duration.ofNanos(Math.max(0, due - this.timeSource.nanoTime())));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted after " + this.filled + " rows. Run the command again.",
						ex);
			}
		}

	}

}
