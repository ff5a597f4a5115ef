package dev.idspring.integration.web;

import java.util.Optional;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ShopController {

	@GetMapping("/invoices/{invoice}")
	Invoice invoice(@PathVariable Invoice invoice) {
		return invoice;
	}

	@GetMapping("/reminders/{reminder}")
	Reminder reminder(@PathVariable Reminder reminder) {
		return reminder;
	}

	@GetMapping("/parcels/{parcel}")
	Parcel parcel(@PathVariable Parcel parcel) {
		return parcel;
	}

	@GetMapping("/notes/{note}")
	Note note(@PathVariable Note note) {
		return note;
	}

	@GetMapping("/optional")
	String optionalParameter(@RequestParam Optional<Order> order) {
		return order.map(Order::getCustomer).orElse("nobody");
	}

	@GetMapping("/optional/{order}")
	String optionalPathVariable(@PathVariable Optional<Order> order) {
		return order.map(Order::getCustomer).orElse("nobody");
	}

	@PostMapping("/views")
	OrderView view(@RequestBody OrderView view) {
		return view;
	}

}
