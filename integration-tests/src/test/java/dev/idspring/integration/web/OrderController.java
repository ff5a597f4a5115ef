package dev.idspring.integration.web;

import java.util.List;
import java.util.Optional;

import dev.idspring.annotation.IdAsString;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/orders")
class OrderController {

	private final Orders orders;

	OrderController(Orders orders) {
		this.orders = orders;
	}

	@GetMapping("/{id}/exists")
	boolean exists(@PathVariable @IdAsString("orders") long id) {
		return this.orders.existsById(id);
	}

	@GetMapping
	long count(@RequestParam List<OrderId> ids) {
		return this.orders.findAllById(ids.stream().map(OrderId::value).toList()).size();
	}

	@GetMapping("/{order}")
	OrderView show(@PathVariable Order order, @RequestParam Optional<OrderId> related) {
		return new OrderView(order.getId(), order.getCustomer(), related.stream().toList());
	}

}
