package dev.idspring.sample.order;

import java.util.Optional;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.stereotype.Repository;

/**
 * The tables of orders, invoices and payments.
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

	void insertInvoice(long number, String document, long order) {
		this.jdbc.update("insert into invoice (invoice_number, document_number, order_id) values (?, ?, ?)", number,
				document, order);
	}

	void insertPayment(long reference, long invoice, long cents) {
		this.jdbc.update("insert into payment (payment_reference, invoice_number, cents) values (?, ?, ?)", reference,
				invoice, cents);
	}

	/**
	 * Find an order with its invoice and payment.
	 * @param mapper creates an order from these columns, in this order: order id,
	 * customer, cents, invoice number, document number and payment reference
	 */
	Optional<Order> find(long id, RowMapper<Order> mapper) {
		return this.jdbc
			.query("select o.order_id, o.customer, o.cents, i.invoice_number, i.document_number, p.payment_reference"
					+ " from customer_order o join invoice i on i.order_id = o.order_id"
					+ " join payment p on p.invoice_number = i.invoice_number where o.order_id = ?", mapper, id)
			.stream()
			.findFirst();
	}

}
