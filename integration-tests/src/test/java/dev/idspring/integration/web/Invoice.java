package dev.idspring.integration.web;

import dev.idspring.annotation.IdAsString;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Table;

/**
 * Its generator follows from its table, as nothing names it.
 */
@Entity
@Table(name = "invoices")
@Inheritance(strategy = InheritanceType.JOINED)
class Invoice {

	@Id
	@GeneratedId
	@IdAsString
	private long id;

	protected Invoice() {
	}

	Invoice(long id) {
		this.id = id;
	}

	public long getId() {
		return this.id;
	}

}
