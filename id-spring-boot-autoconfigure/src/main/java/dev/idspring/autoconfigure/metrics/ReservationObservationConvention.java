package dev.idspring.autoconfigure.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * {@link ObservationConvention} for reservations. Declare a bean to use other names or
 * further key values.
 *
 * @since 0.1.0
 */
public interface ReservationObservationConvention extends ObservationConvention<ReservationObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ReservationObservationContext;
	}

}
