package dev.idspring.autoconfigure.metrics;

import java.util.Locale;
import java.util.function.Supplier;

import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of each reservation and opens a scope for it, so that the work of
 * the store is part of it. The key {@code outcome} is {@code success}, {@code exhausted}
 * or {@code failure}, and {@code unknown} until the store has answered.
 * <p>
 * With beans created on demand, observations begin once the application has a registry.
 *
 * @param registries returns the registry, or {@code null} if it does not exist yet
 */
record ObservedReservations(Supplier<@Nullable ObservationRegistry> registries) implements IdGeneratorListener {

	static final String NAME = "ids.block.reservations";

	@Override
	public Attempt reserving(String generator, String strategy) {
		ObservationRegistry registry = this.registries.get();
		return (registry != null) ? reserving(registry, generator, strategy) : Attempt.NOT_OBSERVED;
	}

	private static Attempt reserving(ObservationRegistry registry, String generator, String strategy) {
		Observation.Scope before = registry.getCurrentObservationScope();
		Observation observation = Observation.createNotStarted(NAME, registry)
			.contextualName("reserve " + generator)
			.lowCardinalityKeyValue("generator", generator)
			.lowCardinalityKeyValue("strategy", strategy)
			.lowCardinalityKeyValue("outcome", "unknown")
			.start();
		try {
			Observation.Scope scope = observation.openScope();
			return (outcome, error) -> end(registry, observation, scope, before, outcome, error);
		}
		catch (Throwable ex) {
			// handlers that saw the start see the end
			registry.setCurrentObservationScope(before);
			observation.stop();
			throw ex;
		}
	}

	private static void end(ObservationRegistry registry, Observation observation, Observation.Scope scope,
			Observation.@Nullable Scope before, ReservationOutcome outcome, @Nullable Throwable error) {
		observation.lowCardinalityKeyValue("outcome", outcome.name().toLowerCase(Locale.ROOT));
		try (scope) {
			if (error != null) {
				observation.error(error);
			}
		}
		finally {
			// even if a handler failed: the thread makes other reservations later
			registry.setCurrentObservationScope(before);
			observation.stop();
		}
	}

}
