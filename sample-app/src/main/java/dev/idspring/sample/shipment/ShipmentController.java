package dev.idspring.sample.shipment;

import java.net.URI;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The HTTP interface of shipments.
 */
@RestController
class ShipmentController {

	private final Shipments shipments;

	ShipmentController(Shipments shipments) {
		this.shipments = shipments;
	}

	@PostMapping("/orders/{order}/shipments")
	ResponseEntity<Shipment> ship(@PathVariable String order) {
		Shipment shipment = this.shipments.ship(order).orElseThrow(() -> notFound("There is no order " + order));
		return ResponseEntity.created(URI.create("/shipments/" + shipment.number())).body(shipment);
	}

	@GetMapping("/shipments/{number}")
	Shipment find(@PathVariable String number) {
		return this.shipments.find(number).orElseThrow(() -> notFound("There is no shipment " + number));
	}

	private static ErrorResponseException notFound(String detail) {
		return new ErrorResponseException(HttpStatus.NOT_FOUND,
				ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, detail), null);
	}

}
