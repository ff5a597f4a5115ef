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
			this.log.log("first", new NullPointerException("planted"));
			this.time.advance(Duration.ofSeconds(59));
			this.log.log("second", new NullPointerException("planted"));
			assertThat(logged.lines())
				.containsExactly("Id generator 'orders': first: java.lang.NullPointerException: planted");
			this.time.advance(Duration.ofSeconds(1));
			this.log.log("third", new InternalError("planted"));
			assertThat(logged.lines()).hasSize(2)
				.last()
				.isEqualTo("Id generator 'orders': third: java.lang.InternalError: planted");
		}
	}

}
