package dev.idspring.sample.order;

import java.util.Optional;

import dev.idspring.IdGenerator;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Places orders. The id of an order may be any that was never used; the number of an
 * invoice must follow on the one before, so it is drawn last, in the transaction that
 * stores the invoice: when the payment is refused, the next invoice gets it.
 */
@Service
class Orders {

	private final IdGenerator orderIds;

	private final IdGenerator invoiceNumbers;

	private final OrderRepository repository;

	private final Payments payments;

	Orders(IdGenerator ordersIdGenerator, IdGenerator invoicesIdGenerator, OrderRepository repository,
			Payments payments) {
		this.orderIds = ordersIdGenerator;
		this.invoiceNumbers = invoicesIdGenerator;
		this.repository = repository;
		this.payments = payments;
	}

	/**
	 * Place an order and store its invoice, both or neither.
	 * @throws PaymentRefusedException if the payment was refused
	 */
	@Transactional
	Order place(String customer, long cents) {
		long id = this.orderIds.nextLong();
		this.repository.insertOrder(id, customer, cents);
		long invoice = this.invoiceNumbers.nextLong();
		this.repository.insertInvoice(invoice, id);
		this.payments.charge(invoice, cents);
		return new Order(this.orderIds.format(id), customer, cents, this.invoiceNumbers.format(invoice));
	}

	/**
	 * Find an order.
	 * @throws IllegalArgumentException if the text is no id
	 */
	Optional<Order> find(String id) {
		return this.repository.find(this.orderIds.parse(id));
	}

}
