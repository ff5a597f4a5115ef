package dev.idspring.recipes.backfill;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

@Entity
class Product {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	Long id;

	@GeneratedId("products")
	@Column(length = 8, unique = true, updatable = false)
	String code;

	String name;

	protected Product() {
	}

	Product(String name) {
		this.name = name;
	}

}
