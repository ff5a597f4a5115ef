package dev.idspring.integration.jpa;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;

/**
 * An order of a customer, with its lines.
 */
@Entity
class CustomerOrder extends StoredEntity {

	@ManyToOne(fetch = FetchType.LAZY, optional = false)
	private Customer customer;

	@GeneratedId("public")
	@Column(nullable = false, updatable = false)
	private String reference;

	@OneToMany(mappedBy = "order", cascade = CascadeType.ALL, orphanRemoval = true)
	private List<OrderLine> lines = new ArrayList<>();

	CustomerOrder() {
	}

	CustomerOrder(Customer customer) {
		this.customer = customer;
	}

	CustomerOrder add(Product product, int quantity) {
		this.lines.add(new OrderLine(this, product, quantity));
		return this;
	}

	Customer getCustomer() {
		return this.customer;
	}

	String getReference() {
		return this.reference;
	}

	List<OrderLine> getLines() {
		return this.lines;
	}

}
