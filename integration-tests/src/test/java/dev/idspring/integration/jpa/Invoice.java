package dev.idspring.integration.jpa;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;

/**
 * An entity with a gapless number.
 */
@Entity
class Invoice extends StoredEntity {

	@GeneratedId("invoices")
	@Column(unique = true, nullable = false, updatable = false)
	private long number;

	private String remark;

	Invoice() {
	}

	Invoice(String remark) {
		this.remark = remark;
	}

	long getNumber() {
		return this.number;
	}

	String getRemark() {
		return this.remark;
	}

}
