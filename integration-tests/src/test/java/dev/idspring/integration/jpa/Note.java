package dev.idspring.integration.jpa;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity whose reference may be missing.
 */
@Entity
class Note {

	@Id
	@GeneratedId
	private Long id;

	@GeneratedId("public")
	@Column(unique = true, updatable = false)
	private String reference;

	private String words;

	protected Note() {
	}

	Note(String words) {
		this.words = words;
	}

	Long getId() {
		return this.id;
	}

	void setId(Long id) {
		this.id = id;
	}

	String getReference() {
		return this.reference;
	}

	String getWords() {
		return this.words;
	}

}
