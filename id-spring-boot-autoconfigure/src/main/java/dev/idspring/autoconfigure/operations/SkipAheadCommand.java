package dev.idspring.autoconfigure.operations;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.autoconfigure.Strategy;
import dev.idspring.autoconfigure.operations.CommandHelp.Option;
import dev.idspring.autoconfigure.operations.CommandReport.Outcome;
import dev.idspring.block.BlockSettings;
import dev.idspring.block.SeriesSkipAhead;
import dev.idspring.block.SkipAhead;
import dev.idspring.keyspace.KeySpaceSettings.RecycledSettings;
import dev.idspring.store.InMemoryKeySpaceStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.store.StoredKeySpace;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;

/**
 * Moves a key space ahead, after its store went backwards.
 */
final class SkipAheadCommand implements IdsCommand {

	private static final List<String> OPTIONS = List.of("ids.skip-ahead");

	@Override
	public String name() {
		return "skip-ahead";
	}

	@Override
	public CommandHelp help() {
		return new CommandHelp(
				"Moves a key space ahead after its store went backwards, so that ids that were issued since do not repeat.",
				"select, insert and update on the tables of the id store, as the application has.",
				new Option("ids.skip-ahead.key-space", "Name of the key space. Required."),
				new Option("ids.skip-ahead.by", "Number of keys to skip, in every series if there are any. Required."),
				new Option("ids.skip-ahead.series", "Number of series to skip. By default as many as keys."),
				new Option("ids.skip-ahead.confirm", "true to skip. Otherwise nothing is changed."));
	}

	@Override
	public CommandReport run(CommandContext context) {
		IdsProperties.SkipAhead options = context.options("ids.skip-ahead", IdsProperties.SkipAhead.class);
		SkipAhead skip = skipAhead(options);
		if (options.series() != null && options.series() < 0) {
			throw new IdSetupException("ids.skip-ahead.series is " + options.series() + ".",
					"Say how many series may have been begun since, 0 or more.", OPTIONS, null);
		}
		ListableBeanFactory beans = context.beans();
		KeySpaceStore store = store(beans);
		TimeSource time = beans.getBeanProvider(TimeSource.class).getIfAvailable(TimeSource::system);
		Duration timeout = Binder.get(context.environment())
			.bind("ids.block.wait-timeout", Duration.class)
			.orElse(BlockSettings.defaults().waitTimeout());
		Supplier<Deadline> deadline = () -> Deadline.after(time, timeout);
		return store.read(skip.keySpaceName(), deadline.get())
			.map((stored) -> problem(stored)
				.orElseGet(() -> options.confirm() ? skip(step(skip, options.series(), stored, store, beans, deadline))
						: plan(step(skip, options.series(), stored, store, beans, deadline))))
			.orElseGet(() -> CommandReport.of(Outcome.PROBLEMS,
					"There is no key space '" + skip.keySpaceName()
							+ "' in the store. Check ids.skip-ahead.key-space: it"
							+ " names a row of the key space table, which is the name of the generator unless"
							+ " ids.key-space says otherwise."))
			.with("keySpace", skip.keySpaceName())
			.with("by", skip.by());
	}

	private static CommandReport plan(Step step) {
		return CommandReport
			.of(Outcome.DONE,
					step.plan() + "\nNothing has been changed. To skip ahead, run the command again with"
							+ " --ids.skip-ahead.confirm=true added.")
			.with("skipped", false);
	}

	private static CommandReport skip(Step step) {
		step.action().run();
		return CommandReport.of(Outcome.DONE, step.done() + " Restart all instances now.").with("skipped", true);
	}

	/**
	 * Say why a key space cannot be skipped ahead.
	 */
	private static Optional<CommandReport> problem(StoredKeySpace stored) {
		Optional<Strategy> strategy = Strategy.ofDefinition(stored.definition());
		String problem = null;
		if (strategy.filter(Strategy.GAPLESS::equals).isPresent()) {
			problem = "Key space '" + stored.name() + "' is gapless: its numbers go back with the rows that have them."
					+ " To begin elsewhere, update next_value in the table of gapless sequences.";
		}
		else if (strategy.filter(Strategy::isOfTime).isPresent()) {
			problem = "Key space '" + stored.name() + "' consists of times. After its store went backwards, stop all"
					+ " instances and start them again when the clock has passed all times that may be in use:"
					+ " ids.lease and ids.clock.max-ahead, and twice ids.clock.max-skew, later.";
		}
		return Optional.ofNullable(problem).map((message) -> CommandReport.of(Outcome.PROBLEMS, message));
	}

	private static Step step(SkipAhead skip, @Nullable Long series, StoredKeySpace stored, KeySpaceStore store,
			ListableBeanFactory beans, Supplier<Deadline> deadline) {
		String done = "Key space '" + stored.name() + "' was skipped ahead by " + skip.by() + ".";
		OptionalLong seriesSize = RecycledSettings.seriesSize(stored.definition());
		if (seriesSize.isEmpty()) {
			return new Step(skip.plan(store, deadline.get()), done, () -> skip.run(store, deadline.get()));
		}
		SlotStore slots = beans.getBeanProvider(SlotStore.class).getIfUnique();
		if (slots == null) {
			throw new IdSetupException(
					"Key space '" + stored.name()
							+ "' has series, but there is no single SlotStore bean that remembers them.",
					"Declare one, or leave ids.store at jdbc.");
		}
		SeriesSkipAhead skipSeries = new SeriesSkipAhead(stored, skip.by(), (series != null) ? series : skip.by(),
				seriesSize.getAsLong());
		return new Step(skipSeries.plan(slots, deadline.get()), done, () -> skipSeries.run(slots, deadline.get()));
	}

	private static KeySpaceStore store(ListableBeanFactory beans) {
		KeySpaceStore store = beans.getBeanProvider(KeySpaceStore.class).getIfUnique();
		if (store == null) {
			throw new IdSetupException(
					"The command skip-ahead needs the store of the ids, but there is no single"
							+ " KeySpaceStore bean.",
					"Run it where the application has its database, with ids.enabled=true and ids.store=jdbc.");
		}
		if (store instanceof InMemoryKeySpaceStore) {
			throw new IdSetupException("ids.store is memory, which remembers nothing from one process to the next.",
					"Run the command with ids.store=jdbc.", List.of("ids.store"), null);
		}
		return store;
	}

	private static SkipAhead skipAhead(IdsProperties.SkipAhead options) {
		String keySpace = options.keySpace();
		Long by = options.by();
		if (keySpace == null || by == null) {
			String missing = (keySpace != null) ? "ids.skip-ahead.by is" : (by != null) ? "ids.skip-ahead.key-space is"
					: "ids.skip-ahead.key-space and ids.skip-ahead.by are";
			throw new IdSetupException(missing + " not set.",
					"Set ids.skip-ahead.key-space to the name of the key space, and ids.skip-ahead.by to how many keys to"
							+ " skip.",
					OPTIONS, null);
		}
		if (by < 1) {
			throw new IdSetupException("ids.skip-ahead.by is " + by + ".", "Say how many keys to skip, at least 1.",
					OPTIONS, null);
		}
		return new SkipAhead(keySpace, by);
	}

	/**
	 * What would be done, and how.
	 */
	private record Step(String plan, String done, Runnable action) {

	}

}
