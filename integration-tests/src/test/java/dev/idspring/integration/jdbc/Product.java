package dev.idspring.integration.jdbc;

import java.time.Instant;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;

/**
 * An entity whose id is final.
 */
class Product {

	@Id
	@GeneratedId("products")
	private final String id;

	private final String name;

	@CreatedDate
	private Instant createdAt;

	@Transient
	private String note;

	Product(String id, String name) {
		this.id = id;
		this.name = name;
	}

	String id() {
		return this.id;
	}

	String name() {
		return this.name;
	}

	Instant createdAt() {
		return this.createdAt;
	}

	String note() {
		return this.note;
	}

	void note(String note) {
		this.note = note;
	}

}
