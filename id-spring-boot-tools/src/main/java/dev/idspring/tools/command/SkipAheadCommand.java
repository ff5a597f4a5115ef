package dev.idspring.tools.command;

import java.util.List;
import java.util.OptionalLong;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.command.CommandReport.Outcome;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import org.jspecify.annotations.Nullable;

/**
 * Advances the counter of a key space, or the positions in its series, by a number of
 * keys. This is necessary after the store returned to an earlier state.
 */
final class SkipAheadCommand implements IdsCommand {

	@Override
	public Help help() {
		return new Help("skip-ahead",
				"Skips keys of a key space. Run the command after the store returned to an earlier state, for example"
						+ " because a backup was restored. Otherwise, ids that were issued after that state could be"
						+ " issued again. Not for gapless numbers, and not needed for time-based ids.",
				"those of the application: select, insert and update on the tables of the id store, or, on Redis, the"
						+ " right to run scripts.",
				new Option("ids.skip-ahead.key-space", "Name of the key space. Required."),
				new Option("ids.skip-ahead.by",
						"Number of keys to skip. If the key space has series, this number is skipped in every started"
								+ " series. Required."),
				new Option("ids.skip-ahead.series",
						"Number of series to skip before a new one is started. By default, the value of"
								+ " ids.skip-ahead.by."),
				new Option("ids.skip-ahead.confirm", "true to skip. Otherwise nothing is changed."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.SkipAhead options = context.options("ids.skip-ahead", IdsProperties.SkipAhead.class);
		String name = options.keySpace();
		Long by = options.by();
		if (name == null) {
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
		KeySpaceStore store = context.single(KeySpaceStore.class);
		if (store instanceof InMemoryKeySpaceStore) {
			throw new IdSetupException("ids.store is memory, whose content is lost when the process ends.",
					"Run the command with the store that the application uses.", List.of("ids.store"), null);
		}
		StoredKeySpace stored = store.read(name, CommandContext.deadline()).orElse(null);
		String problem = CommandContext.bridge(store, name)
			.map((bridge) -> String.valueOf(bridge.notAdvanced(name).getMessage()))
			.orElseGet(() -> problem(name, stored));
		CommandReport report;
		if (stored == null || problem != null) {
			report = CommandReport.of(Outcome.PROBLEMS, String.valueOf(problem));
		}
		else {
			OptionalLong seriesSize = RecycledSettings.seriesSize(stored.definition());
			report = report(options,
					seriesSize.isEmpty() ? new SkipAhead.OfCounter(store, stored, by)
							: new SkipAhead.OfSeries(context.single(SlotStore.class), stored, by,
									(options.series() != null) ? options.series() : by, seriesSize.getAsLong()));
		}
		return report.with("keySpace", name).with("by", by);
	}

	private static CommandReport report(IdsProperties.SkipAhead options, SkipAhead skip) {
		if (!options.confirm()) {
			return CommandReport
				.of(Outcome.DONE,
						skip.plan(CommandContext.deadline())
								+ "\nNothing has been changed. To skip ahead, run the command"
								+ " again with --ids.skip-ahead.confirm=true added.")
				.with("skipped", false);
		}
		return CommandReport
			.of(Outcome.DONE,
					skip.run(CommandContext.deadline())
							+ " Restart all instances now, because ids in their memory may already have been issued.")
			.with("skipped", true);
	}

	/**
	 * Return the reason why a key space cannot be moved ahead, or {@code null} if it can.
	 */
	private static @Nullable String problem(String name, @Nullable StoredKeySpace stored) {
		if (stored == null) {
			return "There is no key space '" + name + "' in the store. Check ids.skip-ahead.key-space: a key space has"
					+ " the name of its generator, unless ids.key-space is set.";
		}
		Strategy strategy = Strategy.ofDefinition(stored.definition()).orElse(null);
		if (strategy == null) {
			return "Key space '" + name + "' cannot be moved ahead, because its definition is '" + stored.definition()
					+ "'. Only the key space of a generator can be moved.";
		}
		if (strategy == Strategy.GAPLESS) {
			return "Key space '" + name + "' is gapless: skipped keys would be a gap. A backup restores the counter"
					+ " together with the rows that contain its numbers, so the counter continues after the last of"
					+ " these rows. If later numbers are in use elsewhere, stop all instances. Then, in the table of"
					+ " gapless sequences, set next_value in each row whose name is '" + name
					+ "' to the number after the last one in use. The table contains one row for each scope of the"
					+ " key space.";
		}
		if (strategy.isTimeBased()) {
			return "Key space '" + name + "' has no counter, because its ids contain times. After its store returned to"
					+ " an earlier state, stop all instances, and start them again when the clock has passed all times"
					+ " that may be in use. This takes at most as long as the sum of ids.lease, ids.clock.max-ahead and"
					+ " twice ids.clock.max-skew.";
		}
		if (strategy != Strategy.RECYCLED && stored.nextOrdinal() >= stored.capacity()) {
			return "Key space '" + name + "' has no keys left to skip. Use another key space.";
		}
		return null;
	}

	private static IdSetupException failure(String problem, String remedy) {
		return new IdSetupException("ids.skip-ahead." + problem, remedy, List.of("ids.skip-ahead"), null);
	}

}
