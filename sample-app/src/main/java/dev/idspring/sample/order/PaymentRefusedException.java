package dev.idspring.sample.order;

/**
 * Thrown when the payment for an order is refused.
 */
class PaymentRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	PaymentRefusedException(String message) {
		super(message);
	}

}
