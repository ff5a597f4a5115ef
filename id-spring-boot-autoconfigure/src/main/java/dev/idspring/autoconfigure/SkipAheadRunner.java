package dev.idspring.autoconfigure;

import java.time.Duration;

import dev.idspring.IdSetupException;
import dev.idspring.block.KeySpaceStore;
import dev.idspring.block.OrdinalRange;
import dev.idspring.block.SkipAhead;
import dev.idspring.clock.Deadline;
import dev.idspring.clock.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Carries out {@code ids.skip-ahead} before the first generator reserves anything.
 * Without {@code confirm} it ends the start with a description of what it would do.
 */
final class SkipAheadRunner {

	private static final Log logger = LogFactory.getLog(SkipAheadRunner.class);

	private final IdsProperties.SkipAhead properties;

	private final KeySpaceStore store;

	private final TimeSource timeSource;

	SkipAheadRunner(IdsProperties.SkipAhead properties, KeySpaceStore store, TimeSource timeSource) {
		this.properties = properties;
		this.store = store;
		this.timeSource = timeSource;
	}

	void run(Duration timeout) {
		if (this.properties.keySpace() == null && this.properties.by() == null && !this.properties.confirm()) {
			return;
		}
		SkipAhead skip = skipAhead();
		Deadline deadline = Deadline.after(this.timeSource, timeout);
		String plan = StartThread.call(timeout, () -> skip.plan(this.store, deadline));
		if (!this.properties.confirm()) {
			throw new IdSetupException(plan,
					"Nothing has been changed. To skip ahead, start once more with ids.skip-ahead.confirm=true added.");
		}
		OrdinalRange skipped = StartThread.call(timeout, () -> skip.run(this.store, deadline));
		logger.warn("Key space '" + skip.keySpaceName() + "' was skipped ahead from ordinal " + skipped.start() + " to "
				+ skipped.end() + ". Remove ids.skip-ahead from the command line, or every start will skip again.");
	}

	private SkipAhead skipAhead() {
		if (this.properties.keySpace() == null || this.properties.by() == null || this.properties.by() < 1) {
			throw new IdSetupException("ids.skip-ahead.key-space is " + this.properties.keySpace()
					+ " and ids.skip-ahead.by is " + this.properties.by() + ".",
					"Name the key space, and how many keys to skip, at least 1.");
		}
		return new SkipAhead(this.properties.keySpace(), this.properties.by());
	}

}
