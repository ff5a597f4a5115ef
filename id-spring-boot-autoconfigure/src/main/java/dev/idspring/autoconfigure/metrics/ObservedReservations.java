package dev.idspring.autoconfigure.metrics;

import java.util.Locale;

import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.ReservationOutcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of each reservation, with a scope, so that what the store does is
 * part of it. The key {@code outcome} is {@code success}, {@code exhausted} or
 * {@code failure}, and {@code unknown} while the store has not answered.
 *
 * @param registry makes observations
 */
record ObservedReservations(ObservationRegistry registry) implements IdGeneratorListener {

	static final String NAME = "ids.block.reservations";

	@Override
	public Attempt reserving(String generator, String strategy) {
		Observation.Scope before = this.registry.getCurrentObservationScope();
		Observation observation = Observation.createNotStarted(NAME, this.registry)
			.contextualName("reserve " + generator)
			.lowCardinalityKeyValue("generator", generator)
			.lowCardinalityKeyValue("strategy", strategy)
			.lowCardinalityKeyValue("outcome", "unknown")
			.start();
		try {
			Observation.Scope scope = observation.openScope();
			return (outcome, error) -> end(observation, scope, before, outcome, error);
		}
		catch (Throwable ex) {
			// handlers that saw the beginning see the end
			this.registry.setCurrentObservationScope(before);
			observation.stop();
			throw ex;
		}
	}

	private void end(Observation observation, Observation.Scope scope, Observation.@Nullable Scope before,
			ReservationOutcome outcome, @Nullable Throwable error) {
		observation.lowCardinalityKeyValue("outcome", outcome.name().toLowerCase(Locale.ROOT));
		try (scope) {
			if (error != null) {
				observation.error(error);
			}
		}
		finally {
			// also if a handler failed: the thread goes on to other reservations
			this.registry.setCurrentObservationScope(before);
			observation.stop();
		}
	}

}
