package dev.idspring.recipes.prefix;

import dev.idspring.annotation.IdAsString;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

	private final Orders orders;

	OrderController(Orders orders) {
		this.orders = orders;
	}

	@PostMapping("/orders")
	OrderView place(@RequestParam String customer) {
		return OrderView.of(this.orders.save(new Order(customer)));
	}

	@GetMapping("/orders/{id}")
	ResponseEntity<OrderView> show(@PathVariable @IdAsString("orders") long id) {
		return ResponseEntity.of(this.orders.findById(id).map(OrderView::of));
	}

	record OrderView(@IdAsString("orders") long id, String customer) {

		static OrderView of(Order order) {
			return new OrderView(order.id, order.customer);
		}

	}

}
