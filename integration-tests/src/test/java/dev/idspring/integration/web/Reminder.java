package dev.idspring.integration.web;

import jakarta.persistence.Entity;

/**
 * An entity with a table of its own. Its ids are issued by the generator of invoices.
 */
@Entity
class Reminder extends Invoice {

	private String text;

	protected Reminder() {
	}

	Reminder(String text) {
		this.text = text;
	}

	public String getText() {
		return this.text;
	}

}
