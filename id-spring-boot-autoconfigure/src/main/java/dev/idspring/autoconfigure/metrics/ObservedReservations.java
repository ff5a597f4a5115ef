package dev.idspring.autoconfigure.metrics;

import java.util.Locale;
import java.util.function.Supplier;

import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Creates an observation for each request that reserves a block, claims a node, or
 * extends a window. The scope of the observation is open during the request, so that
 * everything that the store does, such as a query, belongs to the observation. The value
 * of the key {@code outcome} is {@code unknown} during the request, and afterwards
 * {@code success}, {@code exhausted} or {@code failure}.
 * <p>
 * With lazy initialization, requests are observed only after the application has created
 * its registry.
 *
 * @param registries supplies the registry, or {@code null} if it has not been created yet
 */
record ObservedReservations(Supplier<@Nullable ObservationRegistry> registries) implements IdGeneratorListener {

	static final String NAME = "ids.block.reservations";

	@Override
	public Attempt reserving(String generator, String strategy) {
		ObservationRegistry registry = this.registries.get();
		return (registry != null) ? reserving(registry, generator, strategy) : Attempt.NOT_OBSERVED;
	}

	private static Attempt reserving(ObservationRegistry registry, String generator, String strategy) {
		Observation.Scope previousScope = registry.getCurrentObservationScope();
		Observation observation = Observation.createNotStarted(NAME, registry)
			.contextualName("reserve " + generator)
			.lowCardinalityKeyValue("generator", generator)
			.lowCardinalityKeyValue("strategy", strategy)
			.lowCardinalityKeyValue("outcome", "unknown")
			.start();
		try {
			Observation.Scope scope = observation.openScope();
			return (outcome, error) -> end(registry, observation, scope, previousScope, outcome, error);
		}
		catch (Throwable ex) {
			// handlers that were notified of the start must be notified of the end
			registry.setCurrentObservationScope(previousScope);
			observation.stop();
			throw ex;
		}
	}

	private static void end(ObservationRegistry registry, Observation observation, Observation.Scope scope,
			Observation.@Nullable Scope previousScope, ReservationOutcome outcome, @Nullable Throwable error) {
		observation.lowCardinalityKeyValue("outcome", outcome.name().toLowerCase(Locale.ROOT));
		try (scope) {
			if (error != null) {
				observation.error(error);
			}
		}
		finally {
			// restore the scope even if a handler failed, because the thread is reused
			registry.setCurrentObservationScope(previousScope);
			observation.stop();
		}
	}

}
