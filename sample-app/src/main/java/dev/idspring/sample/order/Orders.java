package dev.idspring.sample.order;

import java.util.Optional;

import dev.idspring.IdGenerator;
import dev.idspring.ScopedIdGenerator;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Places orders. Order ids and payment references only have to be unique. If a payment is
 * refused, its reference is not used again.
 * <p>
 * Invoice numbers must not have gaps. An invoice number is therefore drawn in the
 * transaction that stores the invoice. It is drawn after the order id and the payment
 * reference, because other callers wait from the draw until the transaction ends. If the
 * payment is refused, the transaction is rolled back, and the next invoice gets the
 * number. The same applies to document numbers, which are separate for each tenant.
 */
@Service
class Orders {

	private final IdGenerator orderIds;

	private final IdGenerator invoiceNumbers;

	private final ScopedIdGenerator documentNumbers;

	private final IdGenerator paymentReferences;

	private final OrderRepository repository;

	private final Payments payments;

	Orders(IdGenerator ordersIdGenerator, IdGenerator invoicesIdGenerator, ScopedIdGenerator documentsIdGenerator,
			IdGenerator paymentsIdGenerator, OrderRepository repository, Payments payments) {
		this.orderIds = ordersIdGenerator;
		this.invoiceNumbers = invoicesIdGenerator;
		this.documentNumbers = documentsIdGenerator;
		this.paymentReferences = paymentsIdGenerator;
		this.repository = repository;
		this.payments = payments;
	}

	/**
	 * Place an order, and store its invoice and its payment. Either all three are stored
	 * or none.
	 * @throws PaymentRefusedException if the payment is refused
	 */
	@Transactional
	Order place(String tenant, String customer, long cents) {
		long id = this.orderIds.nextLong();
		this.repository.insertOrder(id, customer, cents);
		long payment = this.paymentReferences.nextLong();
		long invoice = this.invoiceNumbers.nextLong();
		String document = this.documentNumbers.in(tenant).nextString();
		this.repository.insertInvoice(invoice, document, id);
		this.repository.insertPayment(payment, invoice, cents);
		this.payments.charge(this.paymentReferences.format(payment), cents);
		return order(id, customer, cents, invoice, document, payment);
	}

	/**
	 * Find an order.
	 * @throws IllegalArgumentException if the string is not an id
	 */
	Optional<Order> find(String id) {
		return this.repository.find(this.orderIds.parse(id), (row, number) -> order(row.getLong(1), row.getString(2),
				row.getLong(3), row.getLong(4), row.getString(5), row.getLong(6)));
	}

	private Order order(long id, String customer, long cents, long invoice, String document, long payment) {
		return new Order(this.orderIds.format(id), customer, cents, this.invoiceNumbers.format(invoice), document,
				this.paymentReferences.format(payment));
	}

}
