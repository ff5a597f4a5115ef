package dev.idspring.sample.order;

import org.springframework.stereotype.Component;

/**
 * Simulates a payment service that accepts small amounts and refuses large ones.
 */
@Component
class Payments {

	static final long LIMIT = 1_000_000;

	/**
	 * Charge an amount.
	 * @param reference the reference by which the customer and the service identify the
	 * payment
	 */
	void charge(String reference, long cents) {
		if (cents > LIMIT) {
			throw new PaymentRefusedException(
					"The payment " + reference + " of " + cents + " cents was refused: the limit is " + LIMIT + ".");
		}
	}

}
