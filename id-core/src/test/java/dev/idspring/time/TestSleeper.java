package dev.idspring.time;

import java.time.Duration;

import dev.idspring.worker.ManualStoreExecutor;
import dev.idspring.worker.OneTimeEvent;
import dev.idspring.worker.TestTimeSource;

/**
 * Advances the time of the test instead of waiting. Also runs the delayed tasks if a
 * caller waits for an event.
 */
final class TestSleeper implements Sleeper {

	private static final Duration STEP = Duration.ofMillis(500);

	private final TestTimeSource time;

	private final ManualStoreExecutor executor;

	TestSleeper(TestTimeSource time, ManualStoreExecutor executor) {
		this.time = time;
		this.executor = executor;
	}

	@Override
	public void sleep(Duration time) {
		this.time.advance(time);
	}

	@Override
	public void await(OneTimeEvent event, Duration atMost) {
		if (!event.hasHappened()) {
			this.time.advance((atMost.compareTo(STEP) < 0) ? atMost : STEP);
			this.executor.runDelayed();
		}
	}

}
