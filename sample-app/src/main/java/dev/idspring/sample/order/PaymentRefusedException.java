package dev.idspring.sample.order;

/**
 * The payment for an order was refused.
 */
class PaymentRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	PaymentRefusedException(String message) {
		super(message);
	}

}
