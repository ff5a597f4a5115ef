package dev.idspring.autoconfigure.metrics;

import dev.idspring.monitor.IdGeneratorListener;
import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of each reservation, with a scope, so that what the store does is
 * part of it.
 *
 * @since 0.1.0
 */
public class ObservedReservations implements IdGeneratorListener {

	private static final ReservationObservationConvention DEFAULT = new DefaultReservationObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable ReservationObservationConvention convention;

	/**
	 * Observe by a registry.
	 * @param registry makes observations
	 * @param convention names them, or {@code null} for the default
	 */
	public ObservedReservations(ObservationRegistry registry, @Nullable ReservationObservationConvention convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public Attempt reserving(String generator, String strategy) {
		ReservationObservationContext context = new ReservationObservationContext(generator, strategy);
		Observation.Scope before = this.registry.getCurrentObservationScope();
		Observation observation = ReservationObservationDocumentation.RESERVATION.start(this.convention, DEFAULT,
				() -> context, this.registry);
		try {
			Observation.Scope scope = observation.openScope();
			return (outcome, error) -> end(observation, context, scope, before, outcome, error);
		}
		catch (Throwable ex) {
			// handlers that saw the beginning see the end
			this.registry.setCurrentObservationScope(before);
			observation.stop();
			throw ex;
		}
	}

	private void end(Observation observation, ReservationObservationContext context, Observation.Scope scope,
			Observation.@Nullable Scope before, ReservationOutcome outcome, @Nullable Throwable error) {
		context.setOutcome(outcome);
		try {
			if (error != null) {
				observation.error(error);
			}
		}
		finally {
			close(observation, scope, before);
		}
	}

	private void close(Observation observation, Observation.Scope scope, Observation.@Nullable Scope before) {
		try {
			scope.close();
		}
		finally {
			// also if a handler failed: the thread goes on to other reservations
			this.registry.setCurrentObservationScope(before);
			observation.stop();
		}
	}

}
