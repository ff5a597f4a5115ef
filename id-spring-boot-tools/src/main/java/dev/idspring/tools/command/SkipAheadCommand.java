package dev.idspring.tools.command;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.command.CommandReport.Outcome;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Advances a key space after its store returned to an earlier state.
 */
final class SkipAheadCommand implements IdsCommand {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@Override
	public Help help() {
		return new Help("skip-ahead",
				"Moves a key space ahead after its store returned to an earlier state, so that ids issued after that"
						+ " state are not issued again.",
				"those of the application: select, insert and update on the tables of the id store, or, on Redis, the"
						+ " right to run scripts.",
				new Option("ids.skip-ahead.key-space", "Name of the key space. Required."),
				new Option("ids.skip-ahead.by",
						"Number of keys to skip; in every series if the key space has series. Required."),
				new Option("ids.skip-ahead.series",
						"Number of series to skip. By default, the value of ids.skip-ahead.by."),
				new Option("ids.skip-ahead.confirm", "true to skip. Otherwise nothing is changed."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.SkipAhead options = context.options("ids.skip-ahead", IdsProperties.SkipAhead.class);
		SkipAhead skip = skipAhead(options);
		KeySpaceStore store = context.single(KeySpaceStore.class);
		if (store instanceof InMemoryKeySpaceStore) {
			throw new IdSetupException("ids.store is memory, which remembers nothing from one process to the next.",
					"Run the command with the store that the application has.", List.of("ids.store"), null);
		}
		Supplier<Deadline> deadline = () -> Deadline.after(TimeSource.system(), TIMEOUT);
		StoredKeySpace stored = store.read(skip.keySpaceName(), deadline.get()).orElse(null);
		String problem = problem(skip.keySpaceName(), stored);
		CommandReport report;
		if (stored == null || problem != null) {
			report = CommandReport.of(Outcome.PROBLEMS, String.valueOf(problem));
		}
		else if (RecycledSettings.seriesSize(stored.definition()).isEmpty()) {
			report = report(options, () -> skip.plan(store, deadline.get()), () -> skip.run(store, deadline.get()));
		}
		else {
			SkipAhead.OfSeries series = new SkipAhead.OfSeries(stored, skip.by(),
					(options.series() != null) ? options.series() : skip.by(),
					RecycledSettings.seriesSize(stored.definition()).getAsLong());
			SlotStore slots = context.single(SlotStore.class);
			report = report(options, () -> series.plan(slots, deadline.get()), () -> series.run(slots, deadline.get()));
		}
		return report.with("keySpace", skip.keySpaceName()).with("by", skip.by());
	}

	private static CommandReport report(IdsProperties.SkipAhead options, Supplier<String> plan, Runnable action) {
		if (!options.confirm()) {
			return CommandReport
				.of(Outcome.DONE,
						plan.get() + "\nNothing has been changed. To skip ahead, run the command"
								+ " again with --ids.skip-ahead.confirm=true added.")
				.with("skipped", false);
		}
		action.run();
		return CommandReport
			.of(Outcome.DONE,
					"Key space '" + options.keySpace() + "' was skipped ahead by " + options.by()
							+ ". Restart all instances now.")
			.with("skipped", true);
	}

	/**
	 * Return the reason why a key space cannot be advanced, or {@code null} if it can.
	 */
	private static @Nullable String problem(String name, @Nullable StoredKeySpace stored) {
		if (stored == null) {
			return "There is no key space '" + name + "' in the store. Check ids.skip-ahead.key-space: it is the"
					+ " name of the generator, unless ids.key-space says otherwise.";
		}
		Strategy strategy = Strategy.ofDefinition(stored.definition()).orElse(null);
		if (strategy == Strategy.GAPLESS) {
			return "Key space '" + name + "' is gapless: its numbers go back together with the rows that contain them."
					+ " To continue with another number, update next_value in the table of gapless sequences.";
		}
		if (strategy != null && strategy.isTimeBased()) {
			return "Key space '" + name + "' consists of times. After its store went backwards, stop all instances, and"
					+ " start them again when the clock has passed all times that may be in use. This takes as long as the sum of"
					+ " ids.lease, ids.clock.max-ahead and twice ids.clock.max-skew.";
		}
		return null;
	}

	private static SkipAhead skipAhead(IdsProperties.SkipAhead options) {
		String keySpace = options.keySpace();
		Long by = options.by();
		if (keySpace == null) {
			throw failure("key-space is not set.", "Set it to the name of the key space.");
		}
		if (by == null || by < 1) {
			throw failure("by is " + ((by != null) ? by : "not set") + ".",
					"Set it to the number of keys to skip, at least 1.");
		}
		if (options.series() != null && options.series() < 0) {
			throw failure("series is " + options.series() + ".",
					"Set it to the number of series that may have been started after the earlier state, 0 or more.");
		}
		return new SkipAhead(keySpace, by);
	}

	private static IdSetupException failure(String problem, String remedy) {
		return new IdSetupException("ids.skip-ahead." + problem, remedy, List.of("ids.skip-ahead"), null);
	}

}
