package dev.idspring.integration.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;

@Entity
@Table(name = "CUSTOMERS")
class Customer extends StoredEntity {

	private String name;

	Customer() {
	}

	Customer(String name) {
		this.name = name;
	}

	String getName() {
		return this.name;
	}

	void setName(String name) {
		this.name = name;
	}

}
