package dev.idspring.integration.web;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * Has nothing to do with generators.
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
