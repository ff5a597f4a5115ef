package dev.idspring.integration.web;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Table;

/**
 * An entity whose ids are shown in the text form of the generator that issues them.
 */
@Entity
@Table(name = "invoices")
@Inheritance(strategy = InheritanceType.JOINED)
class Invoice {

	@Id
	@GeneratedId("invoices")
	@IdAsString
	private long id;

	protected Invoice() {
	}

	public long getId() {
		return this.id;
	}

}
