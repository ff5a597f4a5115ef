package dev.idspring.integration.web;

import java.util.UUID;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;

/**
 * An entity with a typed key and a UUID for partners.
 */
@Entity
class Ticket {

	@EmbeddedId
	@GeneratedId("orders")
	private TicketId id;

	@GeneratedId("invoices")
	@Column(unique = true, nullable = false, updatable = false)
	private UUID token;

	protected Ticket() {
	}

	public TicketId getId() {
		return this.id;
	}

	public UUID getToken() {
		return this.token;
	}

	/**
	 * The type of the key.
	 */
	@Embeddable
	@IdAsString("orders")
	record TicketId(@Column(name = "id") long value) {

		TicketId {
			if (value == 2) {
				throw new IllegalArgumentException("Ticket 2 is reserved.");
			}
		}

	}

}
