package dev.idspring.autoconfigure.metrics;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Documents the observations of this package.
 *
 * @since 0.1.0
 */
public enum ReservationObservationDocumentation implements ObservationDocumentation {

	/**
	 * Around each time that a store is asked to reserve: a block of ids, a window of a
	 * series, or a node and its window of time.
	 */
	RESERVATION {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultReservationObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityKeyNames.values();
		}

	};

	/**
	 * Key names with few values.
	 */
	public enum LowCardinalityKeyNames implements KeyName {

		/**
		 * Name of the generator.
		 */
		GENERATOR {

			@Override
			public String asString() {
				return "generator";
			}

		},

		/**
		 * Name of the strategy, as in {@code ids.strategy}.
		 */
		STRATEGY {

			@Override
			public String asString() {
				return "strategy";
			}

		},

		/**
		 * What became of the reservation: {@code success}, {@code exhausted} or
		 * {@code failure}; {@code unknown} while the store has not answered.
		 */
		OUTCOME {

			@Override
			public String asString() {
				return "outcome";
			}

		}

	}

}
