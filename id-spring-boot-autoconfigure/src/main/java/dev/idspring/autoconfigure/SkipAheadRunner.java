package dev.idspring.autoconfigure;

import java.time.Duration;
import java.util.OptionalLong;

import dev.idspring.IdSetupException;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.block.SkipAhead;
import dev.idspring.block.StoredKeySpace;
import dev.idspring.clock.Deadline;
import dev.idspring.clock.TimeSource;
import dev.idspring.keyspace.RecycledSettings;
import dev.idspring.slot.SeriesSkipAhead;
import dev.idspring.slot.SlotStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Carries out {@code ids.skip-ahead} before the first generator reserves anything.
 * Without {@code confirm} it ends the start with a description of what it would do.
 */
final class SkipAheadRunner {

	private static final Log logger = LogFactory.getLog(SkipAheadRunner.class);

	private final IdsProperties.SkipAhead properties;

	private final @Nullable KeySpaceStore store;

	private final ObjectProvider<SlotStore> slots;

	private final TimeSource timeSource;

	SkipAheadRunner(IdsProperties.SkipAhead properties, @Nullable KeySpaceStore store, ObjectProvider<SlotStore> slots,
			TimeSource timeSource) {
		this.properties = properties;
		this.store = store;
		this.slots = slots;
		this.timeSource = timeSource;
	}

	void run(Duration timeout) {
		if (this.properties.keySpace() == null && this.properties.by() == null && !this.properties.confirm()) {
			return;
		}
		SkipAhead skip = skipAhead();
		KeySpaceStore store = this.store;
		if (store == null) {
			throw new IdSetupException("ids.skip-ahead is set, but ids.store is none: there is nothing to be moved.",
					"Remove ids.skip-ahead.");
		}
		Deadline deadline = Deadline.after(this.timeSource, timeout);
		// not on the other thread, which would wait for Spring's lock that this one holds
		SlotStore slots = this.slots.getIfUnique();
		Step step = StartThread.call(timeout, () -> plan(skip, store, slots, deadline));
		if (!this.properties.confirm()) {
			throw new IdSetupException(step.plan(),
					"Nothing has been changed. To skip ahead, start once more with ids.skip-ahead.confirm=true added.");
		}
		StartThread.call(timeout, () -> {
			step.action().run();
			return true;
		});
		logger.warn("Key space '" + skip.keySpaceName() + "' was skipped ahead by " + skip.by()
				+ ". Remove ids.skip-ahead from the command line, or every start will skip again. Before that it was so: "
				+ step.plan());
	}

	private Step plan(SkipAhead skip, KeySpaceStore store, @Nullable SlotStore slots, Deadline deadline) {
		StoredKeySpace stored = skip.stored(store, deadline);
		if (stored.definition().startsWith(Strategy.GAPLESS.id() + " ")) {
			throw new IdSetupException(
					"Key space '" + skip.keySpaceName()
							+ "' is gapless: its numbers go back with the rows they stand in.",
					"Remove ids.skip-ahead. To begin elsewhere, update next_value in the table of gapless sequences.");
		}
		if (Strategy.ofDefinition(stored.definition()).filter(Strategy::isOfTime).isPresent()) {
			throw new IdSetupException("Key space '" + skip.keySpaceName() + "' consists of times.",
					"Remove ids.skip-ahead. When the store went backwards, stop all instances and start them again when the"
							+ " clock has passed all times that may be in use: ids.lease and ids.clock.max-ahead, and"
							+ " twice ids.clock.max-skew, later.");
		}
		OptionalLong seriesSize = RecycledSettings.seriesSize(stored.definition());
		if (seriesSize.isPresent()) {
			SlotStore series = slots(skip, slots);
			SeriesSkipAhead skipSeries = new SeriesSkipAhead(stored, skip.by(), seriesToSkip(skip),
					seriesSize.getAsLong());
			return new Step(skipSeries.plan(series, deadline), () -> skipSeries.run(series, deadline));
		}
		return new Step(skip.plan(store, deadline), () -> skip.run(store, deadline));
	}

	private static SlotStore slots(SkipAhead skip, @Nullable SlotStore slots) {
		if (slots == null) {
			throw new IdSetupException(
					"Key space '" + skip.keySpaceName()
							+ "' has series, but there is no single SlotStore bean that remembers them.",
					"Declare one, or leave ids.store at jdbc.");
		}
		return slots;
	}

	private long seriesToSkip(SkipAhead skip) {
		Long series = this.properties.series();
		if (series != null && series < 0) {
			throw new IdSetupException("ids.skip-ahead.series is " + series + ".",
					"Say how many series may have been begun since, 0 or more.");
		}
		return (series != null) ? series : skip.by();
	}

	private SkipAhead skipAhead() {
		String keySpace = this.properties.keySpace();
		Long by = this.properties.by();
		if (keySpace == null || by == null) {
			String missing = (keySpace != null) ? "ids.skip-ahead.by is" : (by != null) ? "ids.skip-ahead.key-space is"
					: "ids.skip-ahead.key-space and ids.skip-ahead.by are";
			throw new IdSetupException(missing + " not set, but other properties of ids.skip-ahead are.",
					"Set ids.skip-ahead.key-space to the name of the key space, and ids.skip-ahead.by to how many keys to"
							+ " skip, or remove both and ids.skip-ahead.confirm.");
		}
		if (by < 1) {
			throw new IdSetupException("ids.skip-ahead.by is " + by + ".", "Say how many keys to skip, at least 1.");
		}
		return new SkipAhead(keySpace, by);
	}

	/**
	 * What would be done, and how.
	 */
	private record Step(String plan, Runnable action) {

	}

}
