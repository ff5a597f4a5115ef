package dev.idspring.integration.jpa;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/**
 * A line of an order. Its id is a string.
 */
@Entity
class OrderLine {

	@Id
	@GeneratedId("order-line")
	private String id;

	@ManyToOne(fetch = FetchType.LAZY, optional = false)
	private CustomerOrder order;

	@ManyToOne(fetch = FetchType.LAZY, optional = false)
	private Product product;

	private int quantity;

	OrderLine() {
	}

	OrderLine(CustomerOrder order, Product product, int quantity) {
		this.order = order;
		this.product = product;
		this.quantity = quantity;
	}

	String getId() {
		return this.id;
	}

	CustomerOrder getOrder() {
		return this.order;
	}

	Product getProduct() {
		return this.product;
	}

	int getQuantity() {
		return this.quantity;
	}

}
