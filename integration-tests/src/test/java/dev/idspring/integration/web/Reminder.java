package dev.idspring.integration.web;

import jakarta.persistence.Entity;

/**
 * Is kept in a table of its own, but its ids are those of invoices.
 */
@Entity
class Reminder extends Invoice {

	private String text;

	protected Reminder() {
	}

	Reminder(long id, String text) {
		super(id);
		this.text = text;
	}

	public String getText() {
		return this.text;
	}

}
