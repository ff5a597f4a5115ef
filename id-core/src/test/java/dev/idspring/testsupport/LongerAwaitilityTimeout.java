package dev.idspring.testsupport;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Raises the default timeout of Awaitility from ten seconds to a minute, because a busy
 * machine may stall a test. Registered for all modules that use the test jar of
 * {@code id-core}.
 */
public final class LongerAwaitilityTimeout implements LauncherSessionListener {

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
	}

}
