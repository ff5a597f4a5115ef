package dev.idspring.autoconfigure.metrics;

import java.util.Locale;

import dev.idspring.autoconfigure.metrics.ReservationObservationDocumentation.LowCardinalityKeyNames;
import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import io.micrometer.common.KeyValues;

/**
 * Default {@link ReservationObservationConvention}.
 *
 * @since 0.1.0
 */
public class DefaultReservationObservationConvention implements ReservationObservationConvention {

	private static final String UNKNOWN = "unknown";

	@Override
	public String getName() {
		return "ids.block.reservations";
	}

	@Override
	public String getContextualName(ReservationObservationContext context) {
		return "reserve " + context.getGenerator();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ReservationObservationContext context) {
		return KeyValues.of(LowCardinalityKeyNames.GENERATOR.withValue(context.getGenerator()),
				LowCardinalityKeyNames.STRATEGY.withValue(context.getStrategy()),
				LowCardinalityKeyNames.OUTCOME.withValue(outcome(context)));
	}

	private static String outcome(ReservationObservationContext context) {
		ReservationOutcome outcome = context.getOutcome();
		return (outcome != null) ? outcome.name().toLowerCase(Locale.ROOT) : UNKNOWN;
	}

}
