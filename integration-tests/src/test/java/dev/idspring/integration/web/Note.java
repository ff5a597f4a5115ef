package dev.idspring.integration.web;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity without a generator.
 */
@Entity
class Note {

	@Id
	private Long id;

	protected Note() {
	}

	Note(Long id) {
		this.id = id;
	}

	public Long getId() {
		return this.id;
	}

}
