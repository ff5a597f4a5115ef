package dev.idspring.integration.web;

import dev.idspring.annotation.IdAsString;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "orders")
class Order {

	@Id
	@IdAsString("orders")
	private Long id;

	private String customer;

	protected Order() {
	}

	Order(Long id, String customer) {
		this.id = id;
		this.customer = customer;
	}

	public Long getId() {
		return this.id;
	}

	public String getCustomer() {
		return this.customer;
	}

}
