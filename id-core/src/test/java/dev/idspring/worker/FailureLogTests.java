package dev.idspring.worker;

import java.time.Duration;

import dev.idspring.testsupport.LoggedFailures;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailureLog}.
 */
class FailureLogTests {

	private final TestTimeSource time = new TestTimeSource();

	private final FailureLog log = new FailureLog("orders", this.time);

	@Test
	void failuresAreLoggedAtMostOnceAMinuteWithTheNameOfTheGenerator() {
		try (LoggedFailures logged = new LoggedFailures()) {
			this.log.log("first", new NullPointerException("injected"));
			this.time.advance(Duration.ofSeconds(59));
			this.log.log("second", new NullPointerException("injected"));
			assertThat(logged.lines())
				.containsExactly("Id generator 'orders': first: java.lang.NullPointerException: injected");
			this.time.advance(Duration.ofSeconds(1));
			this.log.log("third", new InternalError("injected"));
			assertThat(logged.lines()).hasSize(2)
				.last()
				.isEqualTo("Id generator 'orders': third: java.lang.InternalError: injected");
		}
	}

}
