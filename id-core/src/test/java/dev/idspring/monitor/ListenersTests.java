package dev.idspring.monitor;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.testsupport.LoggedFailures;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Listeners}.
 */
class ListenersTests {

	@Test
	void failingListenerIsLoggedOnceAndDoesNotAffectOthers() {
		List<Long> heard = new ArrayList<>();
		Listeners listeners = new Listeners("orders", "coprime", List.of(new IdGeneratorListener() {

			@Override
			public void claimed(String generator, long number) {
				throw new InternalError("injected");
			}

		})).with(new IdGeneratorListener() {

			@Override
			public void claimed(String generator, long number) {
				heard.add(number);
			}

		});
		try (LoggedFailures logged = new LoggedFailures()) {
			listeners.notifyListeners((listener, name) -> listener.claimed(name, 3));
			listeners.notifyListeners((listener, name) -> listener.claimed(name, 4));
			assertThat(heard).containsExactly(3L, 4L);
			assertThat(logged.lines())
				.containsExactly("Id generator 'orders': a listener has failed: java.lang.InternalError: injected");
		}
	}

	@Test
	void unavailableStoreIsNotLoggedAsAnUnexpectedFailure() {
		Listeners listeners = new Listeners("orders", "coprime", List.of());
		try (LoggedFailures logged = new LoggedFailures()) {
			listeners.logUnexpected("a renewal has failed", new IdStoreUnavailableException("injected"));
			assertThat(logged.lines()).isEmpty();
			listeners.logUnexpected("a renewal has failed", new NullPointerException("injected"));
			assertThat(logged.lines()).hasSize(1);
		}
	}

}
