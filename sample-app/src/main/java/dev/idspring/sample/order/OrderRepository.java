package dev.idspring.sample.order;

import java.util.Optional;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/**
 * The tables of orders and invoices.
 */
@Repository
class OrderRepository {

	private final JdbcTemplate jdbc;

	OrderRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	void insertOrder(long id, String customer, long cents) {
		this.jdbc.update("insert into customer_order (order_id, customer, cents) values (?, ?, ?)", id, customer,
				cents);
	}

	void insertInvoice(long number, long order) {
		this.jdbc.update("insert into invoice (invoice_number, order_id) values (?, ?)", number, order);
	}

	Optional<Order> find(long id) {
		return this.jdbc
			.query("select o.order_id, o.customer, o.cents, i.invoice_number from customer_order o"
					+ " join invoice i on i.order_id = o.order_id where o.order_id = ?",
					(row, number) -> new Order(row.getString(1), row.getString(2), row.getLong(3), row.getString(4)),
					id)
			.stream()
			.findFirst();
	}

}
