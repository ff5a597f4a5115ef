package dev.idspring.recipes.prefix;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "orders")
class Order {

	@Id
	@GeneratedId("orders")
	Long id;

	String customer;

	protected Order() {
	}

	Order(String customer) {
		this.customer = customer;
	}

}
