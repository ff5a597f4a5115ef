package dev.idspring.integration.jdbc;

import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Checkout {

	private final Orders orders;

	Checkout(Orders orders) {
		this.orders = orders;
	}

	@Transactional
	Order place(String customer, List<Order.Line> lines) {
		Order order = this.orders.save(new Order(customer, lines));
		if (lines.isEmpty()) {
			throw new IllegalArgumentException("order " + order.code() + " has no lines");
		}
		return order;
	}

}
