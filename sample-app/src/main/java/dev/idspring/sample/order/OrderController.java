package dev.idspring.sample.order;

import java.net.URI;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The HTTP interface of orders.
 */
@RestController
@RequestMapping("/orders")
class OrderController {

	private static final int MAX_CUSTOMER_LENGTH = 200;

	private final Orders orders;

	OrderController(Orders orders) {
		this.orders = orders;
	}

	@PostMapping
	ResponseEntity<Order> place(@RequestBody OrderRequest request) {
		String customer = request.customer();
		if (customer == null || customer.isBlank() || customer.length() > MAX_CUSTOMER_LENGTH) {
			throw problem(HttpStatus.BAD_REQUEST,
					"The property 'customer' must have 1 to " + MAX_CUSTOMER_LENGTH + " characters.");
		}
		if (request.cents() == null || request.cents() < 1) {
			throw problem(HttpStatus.BAD_REQUEST, "The property 'cents' must be at least 1.");
		}
		String tenant = (request.tenant() != null) ? request.tenant() : "shop";
		if (!tenant.matches("[a-z0-9]{1,20}")) {
			throw problem(HttpStatus.BAD_REQUEST,
					"The property 'tenant' must consist of 1 to 20 letters (a to z) or digits.");
		}
		Order order = this.orders.place(tenant, customer, request.cents());
		return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
	}

	@GetMapping("/{id}")
	Order find(@PathVariable String id) {
		return this.orders.find(id).orElseThrow(() -> problem(HttpStatus.NOT_FOUND, "There is no order " + id));
	}

	@ExceptionHandler
	ProblemDetail paymentRefused(PaymentRefusedException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.PAYMENT_REQUIRED, ex.getMessage());
	}

	private static ErrorResponseException problem(HttpStatus status, String detail) {
		return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, detail), null);
	}

}
