package dev.idspring.integration.jpa;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Product {

	@Id
	@GeneratedId
	private Long id;

	@GeneratedId("product-codes")
	@Column(unique = true, nullable = false, updatable = false)
	private String code;

	private String name;

	protected Product() {
	}

	Product(String name) {
		this.name = name;
	}

	Long getId() {
		return this.id;
	}

	String getCode() {
		return this.code;
	}

	String getName() {
		return this.name;
	}

}
