package dev.idspring.recipes.tenants;

import dev.idspring.annotation.GeneratedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Note {

	@Id
	@GeneratedId
	Long id;

	String words;

	protected Note() {
	}

	Note(String words) {
		this.words = words;
	}

}
