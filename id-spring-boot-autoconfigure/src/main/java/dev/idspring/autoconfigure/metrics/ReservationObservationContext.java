package dev.idspring.autoconfigure.metrics;

import dev.idspring.monitor.IdGeneratorListener.ReservationOutcome;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a reservation while it is observed.
 *
 * @since 0.1.0
 */
public class ReservationObservationContext extends Observation.Context {

	private final String generator;

	private final String strategy;

	private @Nullable ReservationOutcome outcome;

	/**
	 * Create a context.
	 * @param generator the name of the generator
	 * @param strategy the name of the strategy, as in {@code ids.strategy}
	 */
	public ReservationObservationContext(String generator, String strategy) {
		this.generator = generator;
		this.strategy = strategy;
	}

	/**
	 * Return the name of the generator.
	 * @return the name
	 */
	public String getGenerator() {
		return this.generator;
	}

	/**
	 * Return the name of the strategy, as in {@code ids.strategy}.
	 * @return the name
	 */
	public String getStrategy() {
		return this.strategy;
	}

	/**
	 * Return what became of the reservation.
	 * @return the outcome, or {@code null} while the store has not answered
	 */
	public @Nullable ReservationOutcome getOutcome() {
		return this.outcome;
	}

	void setOutcome(ReservationOutcome outcome) {
		this.outcome = outcome;
	}

}
