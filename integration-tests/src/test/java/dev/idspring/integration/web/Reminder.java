package dev.idspring.integration.web;

import jakarta.persistence.Entity;

/**
 * It has a table of its own, but its ids are those of invoices.
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
