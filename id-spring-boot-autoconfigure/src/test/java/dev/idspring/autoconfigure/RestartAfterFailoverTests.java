package dev.idspring.autoconfigure;

import java.time.Duration;

import dev.idspring.IdGenerator;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests the start of an application after a fail-over of the database, when no instance
 * with a node is running.
 */
class RestartAfterFailoverTests {

	/** With these settings, all time windows in use have passed after four seconds. */
	private static final String[] PROPERTIES = { "ids.strategy=snowflake", "ids.lease=1s", "ids.clock.max-skew=1s",
			"ids.clock.max-ahead=1s" };

	@Test
	void applicationStartsAfterAllTimeWindowsInUseHavePassed() throws Exception {
		try (Instances instances = new Instances(TestDatabase.postgresql())) {
			long idBeforeFailover = drawInANewInstance(instances);
			instances.jdbc().update("update ids_key_space set incarnation = 'another'");
			assertThatException().isThrownBy(() -> drawInANewInstance(instances))
				.withStackTraceContaining("After a fail-over of the database, no instance can claim a node");
			long idAfterFailover = Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.ignoreExceptions()
				.until(() -> drawInANewInstance(instances), (id) -> true);
			assertThat(idAfterFailover).isGreaterThan(idBeforeFailover);
		}
	}

	private static long drawInANewInstance(Instances instances) {
		try (ConfigurableApplicationContext context = instances.start(PROPERTIES)) {
			return context.getBean(IdGenerator.class).nextLong();
		}
	}

}
